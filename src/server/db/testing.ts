import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import { test as base, inject } from 'vitest'
import type { Connection, Database } from '#server/db/database.ts'
import { openPglite } from '#server/db/embedded/embedded.ts'
import { connectRemote } from '#server/db/remote.ts'

/** A database of the file's own, migrated; every test finds it empty. */
export async function openTestDatabase(driver: Connection['driver']): Promise<Connection> {
  if (driver === 'pglite') {
    const client = await openPglite({
      loadDataDir: new Blob([readFileSync(inject('embeddedDump'))]),
    })
    return { db: drizzle(client), driver, close: () => client.close() }
  }
  const { url, neonEndpoint } = await newPostgres('migrated')
  return connectRemote(
    driver === 'pg' ? { kind: 'pg', url } : { kind: 'neon', url, fetchEndpoint: neonEndpoint },
  )
}

/** A database of one's own on the real Postgres of this test run. */
export async function newPostgres(
  state: 'migrated' | 'blank',
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

/** Vitest's `test` with `db`, the embedded database in memory. */
export const test = base
  .extend('connection', { scope: 'file' }, async ({}, { onCleanup }) => {
    const connection = await openTestDatabase('pglite')
    onCleanup(connection.close)
    return connection
  })
  .extend('db', async ({ connection }) => {
    await empty(connection.db)
    return connection.db
  })

const drivers = ['pglite', 'pg', 'neon'] as const

const onAll = base.extend('connections', { scope: 'file' }, async ({}, { onCleanup }) => {
  const connections = await Promise.all(drivers.map(openTestDatabase))
  onCleanup(async () => {
    await Promise.all(connections.map((connection) => connection.close()))
  })
  return new Map(connections.map((connection) => [connection.driver, connection]))
})

/** The same promise on the embedded database, on Postgres, and through Neon's HTTP driver. */
export function testOnAll(
  promise: string,
  check: (context: { db: Database; driver: Connection['driver'] }) => Promise<void>,
  options: { timeout?: number } = {},
): void {
  for (const driver of drivers) {
    onAll(`${promise} (${driver})`, options, async ({ connections }) => {
      const connection = connections.get(driver)
      if (!connection) throw new Error(`No connection by ${driver}`)
      await empty(connection.db)
      await check({ db: connection.db, driver })
    })
  }
}

/** A promise that takes two connections at once: on Postgres. */
export const testOnPostgres = base
  .extend('connection', { scope: 'file' }, async ({}, { onCleanup }) => {
    const connection = await openTestDatabase('pg')
    onCleanup(connection.close)
    return connection
  })
  .extend('db', async ({ connection }) => {
    await empty(connection.db)
    return connection.db
  })
