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
 * transaction, values as raw text, failures as 400 with the SQLSTATE. Each call has a connection
 * of its own, as Neon's transaction pooling lets no state of a session survive. As in Neon's pooler,
 * calls beyond its connections wait; they do not use up those of the server.
 */
export async function startNeonProxy(): Promise<NeonProxy> {
  let count = 0
  const connections = new PQueue({ concurrency: 20 })
  const server = createServer(async (request, response) => {
    count += 1
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    try {
      answer(200, await connections.add(() => run(request)))
    } catch (error) {
      if (error instanceof pg.DatabaseError) answer(400, { ...error, message: error.message })
      else answer(500, { message: String(error) })
    }
  })
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
    },
  }
}

async function run(request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body: Query | { queries: Query[] } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  const client = new pg.Client({
    connectionString: String(request.headers['neon-connection-string']),
    options: '-c timezone=GMT',
  })
  await client.connect()
  try {
    if (!('queries' in body)) return await one(client, body)
    await client.query('begin')
    const results: unknown[] = []
    for (const query of body.queries) results.push(await one(client, query))
    await client.query('commit')
    return { results }
  } finally {
    await client.end()
  }
}

async function one(client: pg.Client, { query, params }: Query) {
  const { fields, rows, command, rowCount } = await client.query({
    text: query,
    values: params,
    rowMode: 'array',
    types: { getTypeParser: () => (value: string) => value },
  })
  return { fields, rows, command, rowCount, rowAsArray: true }
}
