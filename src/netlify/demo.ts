import { addRecords } from '#cli/store/samples.ts'
import type { Database } from '#server/db/drizzle.ts'
import { markerAge, setMarker } from '#server/db/markers.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { countRecords, deleteRecords } from './store.ts'

const RECORDS = 40

/**
 * Puts a public demonstration back to its beginning: every record goes, artificial ones come. Staff
 * accounts stay.
 *
 * @returns false where the database was never set up as one, so that nothing in it may be deleted
 */
export async function resetDemo(db: Database): Promise<boolean> {
  if ((await markerAge(db, 'demonstration')) === undefined) return false
  await deleteRecords(db)
  for (const kind of kinds) await addRecords(db, kind, RECORDS)
  return true
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
