import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { databaseError, rows } from '#server/db/rows.ts'
import journal from '../../../drizzle/meta/_journal.json' with { type: 'json' }

const newest = Math.max(...journal.entries.map(({ when }) => when))

/** Whether the database has every migration that this version of the program knows. */
export async function isMigrated(db: Database): Promise<boolean> {
  return (await missingMigrations(db)).length === 0
}

/** The migrations that the database has yet to get, by name. */
export async function missingMigrations(db: Database): Promise<string[]> {
  const last = await lastApplied(db)
  return journal.entries.filter(({ when }) => when > last).map(({ tag }) => tag)
}

/** Whether somebody else's program, or nobody at all, made what is in the database. */
export async function isForeign(db: Database): Promise<boolean> {
  return (await lastApplied(db)) === 0
}

/** Whether a later version of the program has migrated the database. */
export async function isLater(db: Database): Promise<boolean> {
  return (await lastApplied(db)) > newest
}

async function lastApplied(db: Database): Promise<number> {
  try {
    const [row] = await rows<{ at: number | null }>(
      db,
      sql`select max(created_at) as at from drizzle.__drizzle_migrations`,
    )
    return row?.at ?? 0
  } catch (error) {
    const fault = databaseError(error)
    // No such schema or table: nothing was ever applied.
    if (fault instanceof Error && 'code' in fault && /^(42P01|3F000)$/.test(String(fault.code))) {
      return 0
    }
    throw fault
  }
}
