import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import { test as base, inject } from 'vitest'
import type { Connection, Database } from '#server/db/database.ts'
import { openPglite } from '#server/db/embedded/engine.ts'
import { connectRemote } from '#server/db/remote.ts'

type Driver = Connection['driver']

/** A machine under load answers late, which is no fault; the time limits have tests of their own. */
const patient = { deadlineMs: 120_000 }

/**
 * Migrated databases for one file at a time: the embedded one in memory, and one on Postgres, which
 * `pg` and `neon` share. Closing gives that on Postgres to the next file, so a test must remove
 * what it adds beside rows.
 */
export async function openTestDatabases(
  ...drivers: Driver[]
): Promise<{ connections: Map<Driver, Connection>; close(): Promise<void> }> {
  const remote = drivers.some((driver) => driver !== 'pglite') && (await newPostgres('reused'))
  const connect = async (driver: Driver): Promise<Connection> => {
    if (remote && driver === 'pg') return connectRemote({ kind: 'pg', url: remote.url }, patient)
    if (remote && driver === 'neon') {
      const { url, neonEndpoint: fetchEndpoint } = remote
      return connectRemote({ kind: 'neon', url, fetchEndpoint }, patient)
    }
    const dump = new Blob([readFileSync(inject('embeddedDump'))])
    const client = await openPglite({ loadDataDir: dump })
    return { db: drizzle(client), driver, close: () => client.close() }
  }
  const connections = await Promise.all(drivers.map(connect))
  return {
    connections: new Map(connections.map((connection) => [connection.driver, connection])),
    async close() {
      await Promise.all(connections.map((connection) => connection.close()))
      if (remote) await fetch(inject('databaseServer'), { method: 'DELETE', body: remote.url })
    },
  }
}

/** A database of one's own on the real Postgres of this test run; a reused one is not empty. */
export async function newPostgres(
  state: 'migrated' | 'reused' | 'blank',
): Promise<{ url: string; neonEndpoint: string }> {
  const response = await fetch(`${inject('databaseServer')}/${state}`, { method: 'POST' })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { url: string; neonEndpoint: string }
}

/** Empties every table but the record of migrations; those that are empty cost only a look. */
async function empty(db: Database): Promise<void> {
  await db.execute(sql`
    do $$ declare one text; filled boolean; tables text; begin
      for one in select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = 'public' loop
        execute format('select exists (select from %s)', one) into filled;
        if filled then tables := concat_ws(', ', tables, one); end if;
      end loop;
      if tables is not null then execute 'truncate ' || tables || ' restart identity cascade'; end if;
    end $$`)
}

const onDatabases = (...drivers: Driver[]) =>
  base.extend('connections', { scope: 'file' }, async ({}, { onCleanup }) => {
    const { connections, close } = await openTestDatabases(...drivers)
    onCleanup(close)
    return connections
  })

/** The database of one driver, emptied. */
async function emptied(connections: Map<Driver, Connection>, driver: Driver): Promise<Database> {
  const connection = connections.get(driver)
  if (!connection) throw new Error(`No connection by ${driver}`)
  await empty(connection.db)
  return connection.db
}

/** Vitest's `test` with `db`, the embedded database in memory. */
export const test = onDatabases('pglite').extend('db', ({ connections }) =>
  emptied(connections, 'pglite'),
)

/** A promise that takes two connections at once: on Postgres. */
export const testOnPostgres = onDatabases('pg').extend('db', ({ connections }) =>
  emptied(connections, 'pg'),
)

const drivers = ['pglite', 'pg', 'neon'] as const
const onAll = onDatabases(...drivers)

/** The same promise on the embedded database, on Postgres, and through Neon's HTTP driver. */
export function testOnAll(
  promise: string,
  check: (context: { db: Database; driver: Driver }) => Promise<void>,
  options: { timeout?: number } = {},
): void {
  for (const driver of drivers) {
    onAll(`${promise} (${driver})`, options, async ({ connections }) => {
      await check({ db: await emptied(connections, driver), driver })
    })
  }
}
