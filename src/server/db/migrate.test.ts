import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrateRemote, migrationsFolder, requireMigrated } from '#server/db/migrate.ts'
import { connectRemote } from '#server/db/remote.ts'
import { newPostgres } from '#server/db/testing.ts'
import journal from '../../../drizzle/meta/_journal.json' with { type: 'json' }

test('a database without the migrations stops the start with a hint', async () => {
  const { url } = await newPostgres('blank')
  const connection = await connectRemote({ kind: 'pg', url })
  await expect(requireMigrated(connection)).rejects.toThrow('npm run db:migrate')
  await connection.close()
})

test('two releases at once migrate one after the other', async () => {
  const { url, neonEndpoint } = await newPostgres('blank')
  const applied = await Promise.all([
    migrateRemote({ kind: 'pg', url }),
    migrateRemote({ kind: 'neon', url, fetchEndpoint: neonEndpoint }),
  ])
  expect(applied.map((names) => names.length).sort()).toEqual([0, journal.entries.length])
  const connection = await connectRemote({ kind: 'neon', url, fetchEndpoint: neonEndpoint })
  await requireMigrated(connection)
  await connection.close()
})

/** A database that lacks the migrations after the first two, with one session that reads as a dump does. */
async function withDump(): Promise<{ url: string; dump: pg.Client }> {
  const { url } = await newPostgres('blank')
  const folder = mkdtempSync(join(tmpdir(), 'fledge-first-migrations-'))
  cpSync(migrationsFolder, folder, { recursive: true })
  const early = { ...journal, entries: journal.entries.slice(0, 2) }
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify(early))
  const dump = await session(url)
  await migrate(drizzle(dump), { migrationsFolder: folder })
  await dump.query('begin')
  await dump.query('lock table contacts in access share mode')
  return { url, dump }
}

async function session(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

test('a migration that meets a dump lets readers through, and goes on when the dump has ended', async () => {
  const { url, dump } = await withDump()
  const reader = await session(url)
  const waited = Promise.withResolvers<void>()
  const migrated = migrateRemote(
    { kind: 'pg', url },
    { lockTimeoutMs: 100, pauseMs: 100, attempts: 10_000, onWait: waited.resolve },
  )
  await waited.promise
  await expect
    .poll(
      async () => {
        const { rows } = await reader.query(
          `select 1 from pg_locks where relation = 'contacts'::regclass and not granted`,
        )
        return rows.length
      },
      { timeout: 60_000 },
    )
    .toBe(1)
  // The migration waits in front of this one; the dump holds its lock all the while.
  expect((await reader.query('select from contacts')).rows).toEqual([])
  await dump.query('commit')
  expect(await migrated).toEqual(journal.entries.slice(2).map(({ tag }) => tag))
})

test('a migration that never gets its lock says so and changes nothing', async () => {
  const { url, dump } = await withDump()
  await expect(
    migrateRemote({ kind: 'pg', url }, { lockTimeoutMs: 50, pauseMs: 1, attempts: 2 }),
  ).rejects.toThrow('stayed locked by another session')
  await dump.query('commit')
  const connection = await connectRemote({ kind: 'pg', url })
  await expect(requireMigrated(connection)).rejects.toThrow('npm run db:migrate')
  await connection.close()
})

test('schema and migrations agree', () => {
  // On a copy: where they differ, the tool writes the missing migration.
  mkdirSync('node_modules/.cache', { recursive: true })
  const copy = mkdtempSync(join('node_modules', '.cache', 'drizzle-'))
  cpSync('drizzle', copy, { recursive: true })
  const output = execFileSync(
    'node_modules/.bin/drizzle-kit',
    [
      'generate',
      '--dialect=postgresql',
      '--schema=./src/server/db/schema/**/*.ts',
      `--out=./${copy}`,
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  )
  expect(output).toContain('No schema changes')
})
