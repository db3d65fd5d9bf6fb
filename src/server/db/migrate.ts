import { setTimeout } from 'node:timers/promises'
import type { PgliteDatabase } from 'drizzle-orm/pglite'
import type pg from 'pg'
import type { DatabaseConfig } from '#server/config.ts'
import type { Connection } from '#server/db/database.ts'
import { isMigrated, missingMigrations } from '#server/db/migrated.ts'
import { databaseError } from '#server/db/rows.ts'

export const migrationsFolder = new URL('../../../drizzle', import.meta.url).pathname

/** Any number will do that nothing else on the server uses: the letters of the product's name. */
const LOCK = 0x666c_6467

/** The embedded database has one owner, so nobody else can be migrating it. */
export async function migrateEmbedded(db: PgliteDatabase): Promise<void> {
  const { migrate } = await import('drizzle-orm/pglite/migrator')
  await migrate(db, { migrationsFolder })
}

const LOCK_NOT_AVAILABLE = '55P03'
const INSUFFICIENT_PRIVILEGE = '42501'

const usual = {
  /** The longest wait of an attempt for a table's lock: readers that come meanwhile wait as long. */
  lockTimeoutMs: 2_000,
  pauseMs: 1_000,
  /** Enough for a dump of a database of this size to end. */
  attempts: 100,
  onWait: () => {},
}

const BLOCKED =
  'A table stayed locked by another session, such as a dump, so nothing was migrated. Wait until it has ended, then run again: npm run db:migrate'

const NOT_THE_OWNER =
  'This role may not change tables. Set DATABASE_OWNER_URL to the address of their owner, then run again: npm run db:migrate'

/**
 * Applies what is missing, over one TCP connection that holds an advisory lock meanwhile: two
 * releases at once wait for each other. Neon is reached by TCP too, past its pooler, since a
 * lock belongs to a session and HTTP has none.
 *
 * A statement that waits for a table makes everybody wait who comes after it, so each attempt gives
 * up soon, undoes everything and comes again.
 *
 * @returns the names of the migrations that were applied.
 * @throws Error when the tables stay locked through all attempts, or the role may not change tables.
 */
export async function migrateRemote(
  config: Exclude<DatabaseConfig, { kind: 'embedded' }>,
  patience: Partial<typeof usual> = {},
): Promise<string[]> {
  const { lockTimeoutMs, ...waiting } = { ...usual, ...patience }
  const [{ drizzle }, { migrate }] = await Promise.all([
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ])
  const client = await connectAsOwner(config)
  try {
    // Waits as long as it takes: the other release holds no table while it waits itself.
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(`set lock_timeout = ${lockTimeoutMs}`)
    const db = drizzle(client)
    const missing = await missingMigrations(db)
    await untilUnlocked(() => migrate(db, { migrationsFolder }), waiting)
    return missing
  } finally {
    await client.end()
  }
}

/** All migrations are one transaction: an attempt that met a lock has changed nothing. */
async function untilUnlocked(
  attempt: () => Promise<unknown>,
  { attempts, pauseMs, onWait }: Omit<typeof usual, 'lockTimeoutMs'>,
): Promise<void> {
  for (let count = 1; ; count += 1) {
    try {
      await attempt()
      return
    } catch (error) {
      const { code } = databaseError(error) as { code?: string }
      if (code === INSUFFICIENT_PRIVILEGE) throw new Error(NOT_THE_OWNER, { cause: error })
      if (code !== LOCK_NOT_AVAILABLE) throw error
      if (count === attempts) throw new Error(BLOCKED, { cause: error })
      onWait()
      await setTimeout(pauseMs)
    }
  }
}

/** @throws Error where the database lacks a migration that this version of the program needs */
export async function requireMigrated({ db }: Pick<Connection, 'db'>): Promise<void> {
  if (!(await isMigrated(db)))
    throw new Error(
      'The database lacks a migration. Apply what is missing with: npm run db:migrate',
    )
}

/** One TCP connection past Neon's pooler, for what needs a session. */
export async function connectAsOwner({ url }: { url: string }): Promise<pg.Client> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: direct(url), connectionTimeoutMillis: 10_000 })
  // A connection that breaks fails the query under way, which says all there is to say.
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw databaseError(error)
  })
  return client
}

/** The URL of a database past Neon's pooler. */
export function direct(url: string): string {
  const changed = new URL(url)
  changed.hostname = changed.hostname.replace(/^([^.]+)-pooler\./, '$1.')
  return changed.href
}
