import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { isTableMissing, rows } from './rows.ts'
import { markers } from './schema/markers.ts'

type Marker = (typeof markers.$inferSelect)['name']

/** Sets a marker to now. */
export const setMarker = (db: Database, name: Marker): Promise<unknown> =>
  rows(
    db,
    sql`insert into ${markers} (name) values (${name}) on conflict (name) do update set at = now()`,
  )

/** Seconds since a marker was set; undefined where it never was, or where markers are not known yet. */
export const markerAge = async (db: Database, name: Marker): Promise<number | undefined> => {
  try {
    const [found] = await rows<{ seconds: number }>(
      db,
      sql`select extract(epoch from now() - at)::float8 as seconds from ${markers} where name = ${name}`,
    )
    return found?.seconds
  } catch (error) {
    if (isTableMissing(error)) return undefined
    throw error
  }
}
