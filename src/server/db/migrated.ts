import { type Database, max } from '#server/db/drizzle.ts'
import { bigint, pgSchema } from '#server/db/pg-core.ts'
import { databaseError, run } from '#server/db/rows.ts'
import journal from '../../../drizzle/meta/_journal.json' with { type: 'json' }

/** Drizzle's table of applied migrations. */
const migrations = pgSchema('drizzle').table('__drizzle_migrations', {
  createdAt: bigint('created_at', { mode: 'number' }),
})

const newest = Math.max(...journal.entries.map(({ when }) => when))

export async function isMigrated(db: Database): Promise<boolean> {
  return (await missingMigrations(db)).length === 0
}

export async function missingMigrations(db: Database): Promise<string[]> {
  const last = await lastApplied(db)
  return journal.entries.filter(({ when }) => when > last).map(({ tag }) => tag)
}

/** True if somebody else's program, or nobody at all, made what is in the database. */
export async function isForeign(db: Database): Promise<boolean> {
  return (await lastApplied(db)) === 0
}

/** True if a later version of the program has migrated the database. */
export async function isLater(db: Database): Promise<boolean> {
  return (await lastApplied(db)) > newest
}

async function lastApplied(db: Database): Promise<number> {
  try {
    const [row] = await run(db.select({ at: max(migrations.createdAt) }).from(migrations))
    return row?.at ?? 0
  } catch (error) {
    // No such schema or table: nothing was ever applied.
    const { code } = databaseError(error) as { code?: unknown }
    if (code === '42P01' || code === '3F000') return 0
    throw error
  }
}
