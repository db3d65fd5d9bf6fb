import type { PgliteDatabase } from 'drizzle-orm/pglite'
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

/**
 * Applies what is missing, over one TCP connection that holds an advisory lock meanwhile: two
 * releases at once wait for each other. Neon is reached by TCP too, past its pooler, since a
 * lock belongs to a session and HTTP has none.
 *
 * @returns the names of the migrations that were applied.
 */
export async function migrateRemote(
  config: Exclude<DatabaseConfig, { kind: 'embedded' }>,
): Promise<string[]> {
  const [{ default: pg }, { drizzle }, { migrate }] = await Promise.all([
    import('pg'),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ])
  const client = new pg.Client({
    connectionString: direct(config.url),
    connectionTimeoutMillis: 10_000,
  })
  // A connection that breaks fails the query under way, which says all there is to say.
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw databaseError(error)
  })
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const db = drizzle(client)
    const missing = await missingMigrations(db)
    await migrate(db, { migrationsFolder })
    return missing
  } finally {
    await client.end()
  }
}

/** The database lacks a migration that this version of the program needs. */
export class MigrationMissing extends Error {
  constructor() {
    super('The database lacks a migration. Apply what is missing with: npm run db:migrate')
    this.name = 'MigrationMissing'
  }
}

/** @throws {MigrationMissing} */
export async function requireMigrated({ db }: Pick<Connection, 'db'>): Promise<void> {
  if (!(await isMigrated(db))) throw new MigrationMissing()
}

/** The address of a database past Neon's pooler, for what needs a session. */
export function direct(url: string): string {
  const address = new URL(url)
  address.hostname = address.hostname.replace(/^([^.]+)-pooler\./, '$1.')
  return address.href
}
