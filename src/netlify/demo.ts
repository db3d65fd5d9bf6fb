import { addRecords } from '#cli/store/add-records.ts'
import type { Database } from '#server/db/database.ts'
import { markerAge, setMarker } from '#server/db/markers.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { countRecords, deleteRecords } from './store.ts'

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
  await deleteRecords(db)
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
