import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import PQueue from 'p-queue'
import pg from 'pg'

interface Query {
  query: string
  params: unknown[]
}

export interface NeonProxy {
  /** The value for `NEON_FETCH_ENDPOINT`. */
  endpoint: string
  /** Number of requests so far. */
  requests(): number
  close(): Promise<void>
}

/**
 * Speaks the HTTP protocol of Neon's driver in front of any Postgres: one query or a list in one
 * transaction, values as raw text, failures as 400 with the SQLSTATE. Connections are pooled, and as
 * in Neon's transaction pooling no state of a session survives a call. Calls beyond the proxy's
 * connections wait; they do not use up those of the server.
 */
export async function startNeonProxy(): Promise<NeonProxy> {
  let count = 0
  const calls = new PQueue({ concurrency: 20 })
  const pools = new Map<string, pg.Pool>()
  const poolOf = (connectionString: string): pg.Pool => {
    const known = pools.get(connectionString)
    if (known) return known
    const options = '-c timezone=GMT'
    const pool = new pg.Pool({ connectionString, options, max: 20, idleTimeoutMillis: 1_000 })
    // A server that stops closes the idle connections too.
    pool.on('error', () => {})
    pools.set(connectionString, pool)
    return pool
  }
  const server = createServer(async (request, response) => {
    count += 1
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    try {
      answer(200, await calls.add(() => run(request, poolOf)))
    } catch (error) {
      if (error instanceof pg.DatabaseError) answer(400, { ...error, message: error.message })
      else answer(500, { message: String(error) })
    }
  })
  // A client that sends on a connection just as it is closed gets an error that Neon does not cause.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return {
    endpoint: `http://127.0.0.1:${address.port}/sql`,
    requests: () => count,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await Promise.all([...pools.values()].map((pool) => pool.end()))
    },
  }
}

async function run(request: IncomingMessage, poolOf: (url: string) => pg.Pool) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body: Query | { queries: Query[] } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  const client = await poolOf(String(request.headers['neon-connection-string'])).connect()
  let isClean = false
  try {
    const result = 'queries' in body ? await all(client, body.queries) : await one(client, body)
    await client.query('discard all')
    isClean = true
    return result
  } finally {
    client.release(!isClean)
  }
}

async function all(client: pg.ClientBase, queries: Query[]) {
  await client.query('begin')
  const results: unknown[] = []
  for (const query of queries) results.push(await one(client, query))
  await client.query('commit')
  return { results }
}

async function one(client: pg.ClientBase, { query, params }: Query) {
  const { fields, rows, command, rowCount } = await client.query({
    text: query,
    values: params,
    rowMode: 'array',
    types: { getTypeParser: () => (value: string) => value },
  })
  return { fields, rows, command, rowCount, rowAsArray: true }
}
