import type { DatabaseConfig } from '#server/config.ts'
import type { Connection } from '#server/db/database.ts'

/** How long any statement may keep a caller waiting before the database counts as out of reach. */
const DEADLINE_MS = 4_500

type RemoteConfig = Exclude<DatabaseConfig, { kind: 'embedded' }>

/**
 * Opens a database that lives elsewhere. This is all that a serverless function loads: nothing
 * here leads to the embedded database, so its packages stay out of the bundle.
 */
export function connectRemote(
  config: RemoteConfig,
  { deadlineMs = DEADLINE_MS }: { deadlineMs?: number } = {},
): Promise<Connection> {
  return config.kind === 'neon' ? connectNeon(config, deadlineMs) : connectPg(config, deadlineMs)
}

async function connectPg(config: { url: string }, deadlineMs: number): Promise<Connection> {
  const [{ default: pg }, { drizzle }] = await Promise.all([
    import('pg'),
    import('drizzle-orm/node-postgres'),
  ])
  const pool = new pg.Pool({
    connectionString: config.url,
    max: 10,
    options: '-c timezone=UTC',
    connectionTimeoutMillis: deadlineMs,
    query_timeout: deadlineMs,
    // The server gives up too, so that an abandoned statement does not go on working.
    statement_timeout: deadlineMs,
    allowExitOnIdle: true,
  })
  // An idle connection that breaks is replaced at the next statement; unheard it would be fatal.
  pool.on('error', () => {})
  return { db: drizzle(pool), driver: 'pg', close: () => pool.end() }
}

async function connectNeon(
  config: { url: string; fetchEndpoint: string | undefined },
  deadlineMs: number,
): Promise<Connection> {
  const [{ neon, neonConfig }, { drizzle }] = await Promise.all([
    import('@neondatabase/serverless'),
    import('drizzle-orm/neon-http'),
  ])
  if (config.fetchEndpoint) neonConfig.fetchEndpoint = config.fetchEndpoint
  // The driver waits for ever by itself, and drizzle passes it no options by the query.
  neonConfig.fetchFunction = (input: string, init: RequestInit) =>
    fetch(input, { ...init, signal: AbortSignal.timeout(deadlineMs) })
  return { db: drizzle(neon(config.url)), driver: 'neon', close: async () => {} }
}
