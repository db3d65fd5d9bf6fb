import { readFileSync } from 'node:fs'
import { drizzle } from 'drizzle-orm/pglite'
import { test as base, inject } from 'vitest'
import type { Connection } from '#server/db/database.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { openPglite } from '#server/db/embedded/engine.ts'
import { connectRemote } from '#server/db/remote.ts'

type Driver = Connection['driver']

/** A machine under load answers late, which is no fault; the time limits have tests of their own. */
const patient = { deadlineMs: 120_000 }

/** The embedded database in memory, migrated and empty. */
export async function openEmbeddedInMemory(): Promise<Connection> {
  const dump = new Blob([readFileSync(inject('embeddedDump'))])
  const client = await openPglite({ loadDataDir: dump })
  return { db: drizzle(client), driver: 'pglite', close: () => client.close() }
}

/** A database of one's own on the real Postgres of this test run. */
export async function newPostgres(
  state: 'migrated' | 'blank',
): Promise<{ url: string; neonEndpoint: string }> {
  const response = await fetch(`${inject('databaseServer')}/${state}`, { method: 'POST' })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { url: string; neonEndpoint: string }
}

/** One worker's databases. It runs many files in turn: a test removes what it adds beside rows. */
let embedded: Promise<Connection> | undefined
let postgres: ReturnType<typeof newPostgres> | undefined
let pooled: Promise<Connection> | undefined

const connect: Record<Driver, () => Promise<Connection>> = {
  pglite() {
    embedded ??= openEmbeddedInMemory()
    return embedded
  },
  async pg() {
    postgres ??= newPostgres('migrated')
    const { url } = await postgres
    pooled ??= connectRemote({ kind: 'pg', url }, patient)
    return pooled
  },
  // Each time, since Neon's driver has one address for a whole process, and a test may change it.
  async neon() {
    postgres ??= newPostgres('migrated')
    const { url, neonEndpoint: fetchEndpoint } = await postgres
    return connectRemote({ kind: 'neon', url, fetchEndpoint }, patient)
  },
}

/** Tables beyond this size, in bytes, are truncated: deleted rows of theirs would slow down later tests. */
const LARGE = 256 * 1024

/**
 * Empties every table but the record of migrations. To delete some rows takes a tenth of the time of a
 * truncation, which makes new files. The locks wait for work that an earlier test has left behind.
 */
async function empty(db: Database): Promise<void> {
  await db.execute(sql`
    do $$ declare one regclass; filled boolean; small regclass[]; large text; begin
      perform set_config('session_replication_role', 'replica', true);
      for one in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
        execute format('select exists (select from %s)', one) into filled;
        if not filled then continue; end if;
        if pg_relation_size(one) > ${sql.raw(String(LARGE))} then large := concat_ws(', ', large, one);
        else small := small || one; end if;
      end loop;
      if small is not null then
        execute 'lock table ' || array_to_string(small, ', ') || ' in access exclusive mode';
        foreach one in array small loop execute format('delete from %s', one); end loop;
      end if;
      if large is not null then execute 'truncate ' || large || ' restart identity cascade'; end if;
    end $$`)
}

/** The worker's database, emptied, through one driver. */
async function emptied(driver: Driver): Promise<Database> {
  const { db } = await connect[driver]()
  await empty(db)
  return db
}

/** The database with each of its statements, counted from 1, executed by `run`: it may look, wait or fail. */
export const withStatements = (
  db: Database,
  run: (execute: () => Promise<unknown>, nth: number) => Promise<unknown>,
): Database => {
  let count = 0
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      const method = value.bind(target)
      if (name !== 'execute') return method
      return (statement: unknown) => {
        count += 1
        return run(async () => method(statement), count)
      }
    },
  })
}

/** Vitest's `test` with `db`, the embedded database in memory. */
export const test = base.extend('db', () => emptied('pglite'))

/** The same on Postgres alone: for races, which take two connections, and for very large tables. */
export const testOnPostgres = base.extend('db', () => emptied('pg'))

export interface OnDatabase {
  db: Database
  driver: Driver
}
export type Check<Context> = (context: Context) => Promise<void>

function testOn(drivers: readonly Driver[], promise: string, check: Check<OnDatabase>): void {
  for (const driver of drivers) {
    base(`${promise} (${driver})`, async () => {
      await check({ db: await emptied(driver), driver })
    })
  }
}

/** The same promise on the embedded database, on Postgres, and through Neon's HTTP driver. */
export const testOnEveryDriver = (promise: string, check: Check<OnDatabase>): void =>
  testOn(['pglite', 'pg', 'neon'], promise, check)

/** The same promise on the embedded database and on Postgres, by the driver that its name decides. */
export const testOnAll = (promise: string, check: Check<OnDatabase>): void =>
  testOn(['pglite', promise.length % 2 ? 'pg' : 'neon'], promise, check)
