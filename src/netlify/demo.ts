import { sql } from 'drizzle-orm'
import { addRecords } from '#cli/add-records.ts'
import type { Database } from '#server/db/database.ts'
import { markerAge, setMarker } from '#server/db/markers.ts'
import { rows } from '#server/db/rows.ts'
import { events } from '#server/db/schema/events.ts'
import { idempotencyKeys } from '#server/db/schema/idempotency-keys.ts'
import { keyedCalls } from '#server/db/schema/keyed-calls.ts'
import { mail } from '#server/db/schema/mail.ts'
import { kinds } from '#server/kinds/kinds.ts'

const RECORDS = 40

/** The database was never set up as a demonstration, so nothing in it may be deleted. */
export class NoDemonstration extends Error {
  constructor() {
    super('This database was not set up as a demonstration: npm run demo-setup')
    this.name = 'NoDemonstration'
  }
}

/**
 * Puts a public demonstration back to its beginning: every record goes, artificial ones come. Staff
 * accounts stay.
 *
 * @throws {NoDemonstration}
 */
export async function resetDemo(db: Database): Promise<void> {
  if ((await markerAge(db, 'demonstration')) === undefined) throw new NoDemonstration()
  for (const { table } of kinds) await rows(db, sql`delete from ${table}`)
  await rows(db, sql`delete from ${mail}`)
  await rows(db, sql`delete from ${idempotencyKeys}`)
  await rows(db, sql`delete from ${keyedCalls}`)
  await rows(db, sql`delete from ${events}`)
  for (const kind of kinds) await addRecords(db, kind, RECORDS)
}

/**
 * Makes a database a demonstration's and fills it.
 *
 * @param confirmed the owner has said that all its records may go
 * @returns how many records stand in the way; 0 when it is done
 */
export async function setUpDemo(db: Database, confirmed: boolean): Promise<number> {
  if (!confirmed && (await markerAge(db, 'demonstration')) === undefined) {
    const held = await countRecords(db)
    if (held > 0) return held
  }
  await setMarker(db, 'demonstration')
  await resetDemo(db)
  return 0
}

async function countRecords(db: Database): Promise<number> {
  const counts = kinds.map(({ table }) => sql`(select count(*) from ${table})`)
  const [found] = await rows<{ n: number }>(db, sql`select ${sql.join(counts, sql` + `)} as n`)
  return found?.n ?? 0
}
