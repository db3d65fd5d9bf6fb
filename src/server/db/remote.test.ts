import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Connection } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { connectRemote } from '#server/db/remote.ts'
import { DatabaseUnavailable, rows } from '#server/db/rows.ts'
import { newPostgres } from '#server/db/testing.ts'
import { timeLeft, withoutTimeLimit, withTimeLimit } from '#server/db/time-limit.ts'
import { startNeonProxy } from '#tests/neon-proxy.ts'
import { freePort } from '#tests/postgres.ts'

const DEADLINE_MS = 400

function connections(port: number, deadlineMs = DEADLINE_MS): Promise<Connection[]> {
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
    connectRemote({ kind: 'pg', url }, { deadlineMs: DEADLINE_MS }),
    connectRemote({ kind: 'neon', url, fetchEndpoint: neonEndpoint }, { deadlineMs: DEADLINE_MS }),
  ])
  for (const { db, close } of both) {
    await expect(rows(db, sql`select pg_sleep(2)`)).rejects.toThrow(DatabaseUnavailable)
    // On a busy machine even this may take longer than the short deadline of this test.
    const next = await vi.waitFor(() => rows(db, sql`select 1 as one`), { timeout: 30_000 })
    expect(next).toEqual([{ one: 1 }])
    await close()
  }
})

test('a write that is given up has ended on the server, whatever it waited for', async () => {
  const { url, neonEndpoint } = await newPostgres('blank')
  const [other, watcher] = [1, 2].map(() => new pg.Client({ connectionString: url })) as [
    pg.Client,
    pg.Client,
  ]
  for (const client of [other, watcher]) {
    await client.connect()
    onTestFinished(() => client.end())
  }
  await other.query('create table notes (text text)')
  const writing = (count: number) =>
    vi.waitFor(
      async () => {
        const { rowCount } = await watcher.query(
          `select 1 from pg_stat_activity where datname = current_database()
            and state = 'active' and query like 'insert into notes%'`,
        )
        expect(rowCount).toBe(count)
      },
      { timeout: 30_000 },
    )
  const both = await Promise.all([
    connectRemote({ kind: 'pg', url }, { deadlineMs: 2_000 }),
    connectRemote({ kind: 'neon', url, fetchEndpoint: neonEndpoint }, { deadlineMs: 2_000 }),
  ])
  for (const { db, close } of both) {
    await other.query('begin; lock table notes')
    const write = rows(db, sql`insert into notes values ('late')`)
    const givenUp = expect(write).rejects.toThrow(DatabaseUnavailable)
    await writing(1)
    await givenUp
    await writing(0)
    await other.query('commit')
    expect((await other.query('select text from notes')).rows).toEqual([])
    await close()
  }
})

test('a statement costs one request to Neon’s proxy, and leaves the session as it was', async () => {
  const { url } = await newPostgres('blank')
  const proxy = await startNeonProxy()
  onTestFinished(() => proxy.close())
  const { db } = await connectRemote({ kind: 'neon', url, fetchEndpoint: proxy.endpoint })
  expect(await rows(db, sql`select current_setting('statement_timeout') as limit`)).toEqual([
    { limit: '4050ms' },
  ])
  expect(proxy.requests()).toBe(1)
})

test('a call that has time works as ever', async () => {
  const { url, neonEndpoint } = await newPostgres('blank')
  for (const { db, close } of await Promise.all([
    connectRemote({ kind: 'pg', url }),
    connectRemote({ kind: 'neon', url, fetchEndpoint: neonEndpoint }),
  ])) {
    const answer = withTimeLimit(4_200.5, () => rows(db, sql`select 1 as one`))
    expect(await answer).toEqual([{ one: 1 }])
    await close()
  }
})

test('all statements of one call share its time, and work after the answer has its own', async () => {
  const { server, port } = await silentServer()
  onTestFinished(() => {
    server.close()
  })
  const aMinute = 60_000
  for (const { db, close } of await connections(port, aMinute)) {
    const started = performance.now()
    await withTimeLimit(100, async () => {
      await expect(rows(db, sql`select 1`)).rejects.toThrow(DatabaseUnavailable)
      await expect(rows(db, sql`select 2`)).rejects.toThrow(DatabaseUnavailable)
      expect(withoutTimeLimit(() => timeLeft())).toBe(Number.POSITIVE_INFINITY)
    })
    expect(performance.now() - started).toBeLessThan(aMinute)
    void close()
  }
})
