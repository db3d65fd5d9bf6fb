import { sql } from 'drizzle-orm'
import { addRecords } from '#cli/add-records.ts'
import type { Database } from '#server/db/database.ts'
import { rows } from '#server/db/rows.ts'
import { events } from '#server/db/schema/events.ts'
import { idempotencyKeys } from '#server/db/schema/idempotency-keys.ts'
import { mail } from '#server/db/schema/mail.ts'
import { kinds } from '#server/kinds/kinds.ts'

const RECORDS = 40

/** Puts a public demonstration back to its beginning: every record goes, artificial ones come. Staff accounts stay. */
export async function resetDemo(db: Database): Promise<void> {
  for (const { table } of kinds) await rows(db, sql`delete from ${table}`)
  await rows(db, sql`delete from ${mail}`)
  await rows(db, sql`delete from ${idempotencyKeys}`)
  await rows(db, sql`delete from ${events}`)
  for (const kind of kinds) await addRecords(db, kind, RECORDS)
}
