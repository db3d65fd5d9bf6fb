import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { migrate as migratePg } from 'drizzle-orm/node-postgres/migrator'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { expect, onTestFinished, test } from 'vitest'
import { testPassword } from '#server/auth/testing.ts'
import { signToken } from '#server/auth/token.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { openPglite } from '#server/db/embedded/engine.ts'
import { migrateEmbedded, migrateRemote, migrationsFolder } from '#server/db/migrate.ts'
import { connectRemote } from '#server/db/remote.ts'
import { rows } from '#server/db/rows.ts'
import { newPostgres } from '#server/db/testing.ts'
import { testApi, testConfig } from '#server/testing.ts'
import first from '#tests/fixtures/first-schema.json' with { type: 'json' }

/**
 * What version 0.1.0 left in its database, row by row, and what its API answered about it. The file
 * is never changed: a migration that cannot take these rows along loses somebody's records.
 */

type Table = keyof typeof first.tables

/** Each table and what its rows are told apart by; those that others refer to come first. */
const keys: Record<Table, string> = {
  users: 'id',
  sessions: 'id',
  contacts: 'id',
  consultations: 'id',
  applications: 'id',
  events: 'id',
  mail: 'id',
  idempotency_keys: 'key',
  rate_limits: 'key',
}
const tables = Object.entries(keys) as [Table, string][]

/** The migrations that made the first tables, before any that changed them. */
function firstMigrations(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fledge-first-schema-'))
  cpSync(migrationsFolder, folder, { recursive: true })
  const file = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: unknown[] }
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, 2) }))
  return folder
}

interface Old {
  db: Database
  upgrade: () => Promise<unknown>
}

const databases: Record<string, () => Promise<Old>> = {
  async pglite() {
    const client = await openPglite({})
    onTestFinished(() => client.close())
    const db = drizzle(client)
    await migrate(db, { migrationsFolder: firstMigrations() })
    return { db, upgrade: () => migrateEmbedded(db) }
  },
  async pg() {
    const { url } = await newPostgres('blank')
    await migratePg(drizzlePg(url), { migrationsFolder: firstMigrations() })
    const { db, close } = await connectRemote({ kind: 'pg', url })
    onTestFinished(close)
    return { db, upgrade: () => migrateRemote({ kind: 'pg', url }) }
  },
}

async function fill(db: Database): Promise<void> {
  for (const [table] of tables) {
    const name = sql.identifier(table)
    await rows(
      db,
      sql`insert into ${name}
        select * from jsonb_populate_recordset(null::${name}, ${JSON.stringify(first.tables[table])}::jsonb)`,
    )
  }
  await rows(
    db,
    sql`update sessions set expires_at = now() + interval '1 hour', last_used_at = now()`,
  )
}

/** Every row of every table. */
async function contents(db: Database): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const [table, key] of tables) {
    const [all] = await rows<{ rows: unknown }>(
      db,
      sql`select jsonb_agg(to_jsonb(t) order by ${sql.identifier(key)}) as rows from ${sql.identifier(table)} t`,
    )
    found[table] = all?.rows
  }
  return found
}

for (const [driver, open] of Object.entries(databases))
  test(`a database of the first version comes through every upgrade whole (${driver})`, async () => {
    const { db, upgrade } = await open()
    await fill(db)
    const before = await contents(db)
    await upgrade()
    expect(await contents(db)).toMatchObject(before)
    await upgrade()

    const api = testApi(db)
    const token = await signToken(testConfig.authSecret, {
      ...first.session,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    })
    for (const [path, answer] of Object.entries(first.answers)) {
      const response = await api.request(path, { token })
      expect(await response.json(), path).toMatchObject(answer)
    }

    const [person] = first.tables.users
    const login = await api.request('/api/auth/login', {
      body: { email: person?.email, password: testPassword },
    })
    expect(login.status).toBe(200)
    const undone = await api.request('/api/undo', { body: { event: first.undo.event }, token })
    expect(await undone.json()).toMatchObject({ data: { conflicts: [] } })
    const record = await api.request(first.undo.path, { token })
    expect(await record.json()).toMatchObject({ data: { status: first.undo.status } })
  })
