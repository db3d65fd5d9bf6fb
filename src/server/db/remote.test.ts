import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Connection } from '#server/db/database.ts'
import { connectRemote } from '#server/db/remote.ts'
import { DatabaseUnavailable, rows } from '#server/db/rows.ts'
import { newPostgres } from '#server/db/testing.ts'
import { freePort } from '#tests/postgres.ts'

const deadlineMs = 400

function connections(port: number): Promise<Connection[]> {
  const url = `postgres://postgres@127.0.0.1:${port}/none`
  return Promise.all([
    connectRemote({ kind: 'pg', url }, { deadlineMs }),
    connectRemote(
      { kind: 'neon', url, fetchEndpoint: `http://127.0.0.1:${port}/sql` },
      { deadlineMs },
    ),
  ])
}

async function silentServer(): Promise<{ server: Server; port: number }> {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return { server, port: address.port }
}

test('a database that refuses is out of reach at once', async () => {
  for (const connection of await connections(await freePort())) {
    await expect(rows(connection.db, sql`select 1`)).rejects.toThrow(DatabaseUnavailable)
    await connection.close()
  }
})

test('a database that accepts and never answers is out of reach at the deadline', async () => {
  const { server, port } = await silentServer()
  for (const connection of await connections(port)) {
    await expect(rows(connection.db, sql`select 1`)).rejects.toThrow(DatabaseUnavailable)
    await connection.close()
  }
  server.close()
})

test('a statement that goes on past the deadline is given up, and the next one works', async () => {
  const { url, neonEndpoint } = await newPostgres('blank')
  const both = await Promise.all([
    connectRemote({ kind: 'pg', url }, { deadlineMs }),
    connectRemote({ kind: 'neon', url, fetchEndpoint: neonEndpoint }, { deadlineMs }),
  ])
  for (const { db, close } of both) {
    await expect(rows(db, sql`select pg_sleep(2)`)).rejects.toThrow(DatabaseUnavailable)
    expect(await rows(db, sql`select 1 as one`)).toEqual([{ one: 1 }])
    await close()
  }
})
