import type { HTTPQueryOptions } from '@neondatabase/serverless'
import type { DatabaseConfig } from '#server/config.ts'
import type { Connection } from '#server/db/database.ts'
import { timeLeft } from '#server/db/time-limit.ts'

/** The longest wait for a statement before the database counts as out of reach. */
const DEADLINE_MS = 4_500

/**
 * The server's share of that time: a statement that the caller gives up must have ended by then, or
 * it may be stored after the caller was told that it was not.
 */
const SERVER_SHARE = 0.9

/**
 * Opens a database that lives elsewhere. This is all that a serverless function loads: nothing
 * here leads to the embedded database, so its packages stay out of the bundle.
 */
export function connectRemote(
  config: Exclude<DatabaseConfig, { kind: 'embedded' }>,
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
    statement_timeout: Math.floor(deadlineMs * SERVER_SHARE),
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
  const [{ neon, neonConfig, NeonQueryPromise }, { drizzle }] = await Promise.all([
    import('@neondatabase/serverless'),
    import('drizzle-orm/neon-http'),
  ])
  if (config.fetchEndpoint) neonConfig.fetchEndpoint = config.fetchEndpoint
  // The driver waits for ever by itself, and drizzle passes it no options by the query.
  neonConfig.fetchFunction = (input: string, init: RequestInit) =>
    fetch(input, { ...init, signal: AbortSignal.timeout(timeLeft(deadlineMs)) })

  // Neon's proxy drops settings that come with the connection, and a pooled session keeps none. One
  // that is local to the transaction works everywhere; both statements travel in one request.
  const client = neon(config.url)
  const { query, transaction } = client
  const limited = (
    text: string,
    params: unknown[] = [],
    options: HTTPQueryOptions<false, true>,
  ) => {
    if (NO_TRANSACTION.test(text)) return query(text, params, options)
    return new NeonQueryPromise(
      async () => {
        const limit = Math.max(1, Math.floor(timeLeft(deadlineMs) * SERVER_SHARE))
        const [, result] = await transaction(
          [query(LIMIT_STATEMENT, [String(limit)]), query(text, params)],
          options,
        )
        return result
      },
      { query: text, params },
      options,
    )
  }
  // Drizzle asks for full results and nothing else; the driver's type knows all its options.
  client.query = limited as unknown as typeof query
  return { db: drizzle(client), driver: 'neon', close: async () => {} }
}

/** Refused within a transaction; it stores nothing that a caller could be told wrongly about. */
const NO_TRANSACTION = /^\s*vacuum\b/i

const LIMIT_STATEMENT = "select set_config('statement_timeout', $1, true)"
