import { expect, onTestFinished, test } from 'vitest'
import { checkAuditLog, sealAuditLog } from '#server/audit/seal.ts'
import { ensureFirstSuperuser } from '#server/auth/first-superuser.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { connectRemote } from '#server/db/remote.ts'
import { rows } from '#server/db/rows.ts'
import { newPostgres } from '#server/db/testing.ts'
import { type Staff, staff, submit } from '#server/inbox/testing.ts'
import { createOutbox } from '#server/mail-out/outbox.ts'
import { createSender } from '#server/mail-out/sender.ts'
import { runRetention } from '#server/privacy/retention.ts'
import { newDevice } from '#server/push/testing.ts'
import { newVapidKeys } from '#server/secrets/vapid.ts'
import { testApi, testConfig } from '#server/testing.ts'
import { newFolder, runCommand, runHere } from '#tests/processes.ts'

/** Roles belong to the whole server: each test makes one of its own. */
let roles = 0

const newRole = (): string => {
  roles += 1
  return `runtime_${process.pid}_${roles}`
}

const open = async (url: string): Promise<Database> => {
  const { db, close } = await connectRemote({ kind: 'pg', url })
  onTestFinished(close)
  return db
}

const makeRole = async (
  owner: string,
  name = newRole(),
): Promise<{ name: string; url: string }> => {
  const made = await runHere('db-runtime-role', ['--name', name], { DATABASE_URL: owner })
  expect(made.code, made.output).toBe(0)
  const [, url = ''] = /^DATABASE_URL=(\S+)$/m.exec(made.output) ?? []
  return { name, url }
}

const refusedWith = async (db: Database, statement: string): Promise<unknown> => {
  try {
    await rows(db, sql.raw(statement))
    return 'no refusal'
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}

const answered = async (answer: ReturnType<Staff['get']>) => {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

test('the program does all its work under the runtime role', async () => {
  const { url: owner } = await newPostgres('migrated')
  const { url } = await makeRole(owner)
  expect(new URL(url).password).toMatch(/^[\w-]{32}$/)
  const db = await open(url)

  const config = { ...testConfig, push: newVapidKeys(), dataDir: newFolder() }
  const outbox = createOutbox(
    { db, send: createSender(config), log: () => {}, mailPerHour: config.mail.perHour },
    0,
  )
  const api = testApi(db, { config, deliver: () => outbox.wake() })
  expect(await ensureFirstSuperuser(api.deps)).not.toBeNull()
  await rows(db, sql`update users set role = 'admin'`)
  await ensureFirstSuperuser(api.deps)

  const ids = [
    await submit(api),
    await submit(api),
    await submit(api, 'contacts', { website: 'x' }),
  ]
  await submit(api, 'applications')
  await submit(api, 'consultations')
  await api.settled()
  const boss = await staff(api, 'superuser')
  const editor = await staff(api, 'editor')
  const path = `/api/contacts/${ids[0]}`
  const { meta } = await answered(editor.put(path, { status: 'handled', assignee: 'editor' }))
  await answered(editor.post('/api/undo', { event: meta.event }))
  await answered(editor.post(`${path}/notes`, { text: 'Called back.' }))
  await answered(editor.post(`${path}/messages`, { text: 'Dear {name}, yes.' }))
  await answered(editor.put(`/api/contacts/${ids[2]}`, { box: 'inbox' }))
  await answered(editor.post('/api/contacts/bulk', { ids, action: 'status', value: 'handled' }))
  await answered(boss.delete(path))
  await answered(boss.post(`${path}/restore`))
  await answered(boss.put(`${path}/keep`, { keep: true }))
  for (const read of ['/api/contacts?q=text', path, '/api/stats', '/api/mail', '/api/audit'])
    await answered(boss.get(read))
  expect((await boss.fetch('/api/contacts/export.csv')).status).toBe(200)
  const view = { name: 'Late', kind: 'contacts', filter: {}, shared: false }
  await answered(editor.post('/api/views', view))
  await answered(editor.post('/api/me/push', newDevice()))
  expect((await api.request('/api/health')).status).toBe(200)

  const { data: user } = await answered(
    boss.post('/api/auth/register', {
      username: 'grace',
      email: 'grace@staff.test',
      password: 'nine wandering albatrosses',
    }),
  )
  const signIn = { email: 'grace@staff.test', password: 'nine wandering albatrosses' }
  expect((await api.request('/api/auth/login', { body: signIn })).status).toBe(200)
  await answered(boss.put(`/api/users/${user._id}`, { role: 'reviewer', version: user.version }))
  await answered(boss.delete(`/api/users/${user._id}/sessions`))
  // What they did stays in the log, without a reference to them.
  await answered(boss.delete(`/api/users/${editor.id}`))

  const { data: detail } = await answered(boss.get(path))
  await answered(boss.post('/api/privacy/export', { email: detail.email }))
  await answered(boss.post('/api/privacy/erase', { email: detail.email }))
  expect(await rows(db, sql`select text from events where text is not null`)).toEqual([])
  await submit(api)
  await rows(db, sql`update contacts set created_at = now() - interval '3 years'`)
  expect(await runRetention(api.deps)).toMatchObject({ contacts: 1 })
})

test('the runtime role changes no table and rewrites no entry of the audit log', async () => {
  const { url: owner } = await newPostgres('migrated')
  const { name, url } = await makeRole(owner)
  const db = await open(url)
  await answered((await staff(testApi(db), 'editor')).post('/api/auth/logout'))
  for (const statement of [
    'create table other (n int)',
    'create temporary table other (n int)',
    'create schema other',
    'create function other() returns int language sql as $$ select 1 $$',
    'create index on contacts (name)',
    'create role other',
    'create extension hstore',
    'alter table contacts add column other text',
    'alter table contacts disable trigger all',
    'drop table contacts',
    'drop trigger contacts_count_insert on contacts',
    'truncate contacts',
    `alter role postgres nologin`,
    'delete from drizzle.__drizzle_migrations',
    `set session_replication_role = 'replica'`,
    `copy contacts to program 'cat'`,
    `update events set by = 'somebody else'`,
    `update events set at = now()`,
    `update events set kind = 'other'`,
    `update events set before = '{"status": "new"}'`,
    `update events set text = 'other'`,
    `update audit_seals set hash = ''`,
    `delete from audit_seals`,
  ])
    expect(await refusedWith(db, statement), statement).toBe('42501')
  // Deleting what erasures may not delete finds nothing.
  await sealAuditLog({ db, log: () => {} })
  await rows(db, sql`delete from events`)
  expect(await checkAuditLog(db)).toMatchObject({ sealed: 1, unsealed: 0, problem: null })
  const [own] = await rows(
    db,
    sql`select rolsuper, rolcreatedb, rolcreaterole, rolbypassrls,
      (select count(*) from pg_auth_members where member = r.oid) as memberships
      from pg_roles r where rolname = ${name}`,
  )
  expect(own).toEqual({
    rolsuper: false,
    rolcreatedb: false,
    rolcreaterole: false,
    rolbypassrls: false,
    memberships: 0,
  })
})

test('migrations keep the owner, and what they make is the program’s at once', async () => {
  const { url: owner } = await newPostgres('migrated')
  const { name, url } = await makeRole(owner)
  const both = { DATABASE_URL: url, DATABASE_OWNER_URL: owner }
  expect(await runCommand('db-migrate', [], both)).toMatchObject({ code: 0 })
  const refused = await runHere('db-migrate', [], { DATABASE_URL: url })
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('DATABASE_OWNER_URL') })
  const asOwner = await open(owner)
  await rows(asOwner, sql`create table later (n int)`)
  const db = await open(url)
  await rows(db, sql`insert into later values (1)`)
  expect(await rows(db, sql`update later set n = 2 returning n`)).toEqual([{ n: 2 }])

  // Rights that were given by hand end with the next run; the password stays.
  await rows(asOwner, sql.raw(`grant truncate, update on events to ${name}`))
  const again = await runHere('db-runtime-role', ['--name', name], both)
  expect(again).toMatchObject({ code: 0, output: expect.stringContaining('as before') })
  expect(again.output).not.toContain('DATABASE_URL=')
  expect(await refusedWith(db, 'truncate events')).toBe('42501')
  const renewed = await runCommand('db-runtime-role', ['--name', name, '--new-password'], both)
  expect(renewed.output).toMatch(/^DATABASE_URL=postgres:\/\/runtime\S+$/m)
})

test('a runtime role is made for a migrated Postgres, by its owner', async () => {
  const { url } = await newPostgres('blank')
  const blank = await runHere('db-runtime-role', [], { DATABASE_URL: url })
  expect(blank).toMatchObject({ code: 1, output: expect.stringContaining('db:migrate') })
  const { url: migrated } = await newPostgres('migrated')
  const env = { DATABASE_URL: migrated }
  const self = await runHere('db-runtime-role', ['--name', new URL(migrated).username], env)
  expect(self).toMatchObject({ code: 1, output: expect.stringContaining('the owner itself') })
  const odd = await runHere('db-runtime-role', ['--name', 'a b'], env)
  expect(odd).toMatchObject({ code: 1, output: expect.stringContaining('--name takes') })
  const embedded = await runHere('db-runtime-role', [], { DATA_DIR: newFolder() })
  expect(embedded).toMatchObject({ code: 1, output: expect.stringContaining('embedded') })
})
