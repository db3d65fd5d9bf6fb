import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'

/** @throws {DatabaseUnavailable} when the database does not answer */
export const ping = (db: Database): Promise<unknown> => rows(db, sql`select 1`)
