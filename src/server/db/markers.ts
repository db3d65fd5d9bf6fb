import { type Database, sql } from '#server/db/drizzle.ts'
import { isTableMissing, oneValue, run } from './rows.ts'
import { now } from './schema/columns.ts'
import { markers } from './schema/settings.ts'

type Marker = (typeof markers.$inferSelect)['name']

export const setMarker = (db: Database, name: Marker): Promise<unknown> =>
  run(
    db
      .insert(markers)
      .values({ name })
      .onConflictDoUpdate({ target: markers.name, set: { at: now } }),
  )

/** Seconds since a marker was set; undefined where it never was, or where markers are not known yet. */
export const markerAge = async (db: Database, name: Marker): Promise<number | undefined> => {
  try {
    return await oneValue<number>(
      db,
      sql`select extract(epoch from now() - at)::float8 from ${markers} where name = ${name}`,
    )
  } catch (error) {
    if (isTableMissing(error)) return undefined
    throw error
  }
}
