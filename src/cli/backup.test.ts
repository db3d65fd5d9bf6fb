import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, inject, onTestFinished, test } from 'vitest'
import { type SQL, sql } from '#server/db/drizzle.ts'
import { openEmbedded } from '#server/db/embedded/embedded.ts'
import { openPglite } from '#server/db/embedded/engine.ts'
import { connectRemote } from '#server/db/remote.ts'
import { rows } from '#server/db/rows.ts'
import { newPostgres } from '#server/db/testing.ts'
import { hashTokenSecret } from '#server/secrets/token-secret.ts'
import { newDataDir, newFolder, runCommand, runHere, startHost } from '#tests/processes.ts'

/** Runs statements in turn in a database that nobody has open, and answers the rows of each. */
const listed = async (dataDir: string, ...statements: SQL[]) => {
  const connection = await openEmbedded(join(dataDir, 'db'))
  const found: Record<string, unknown>[][] = []
  for (const statement of statements) found.push(await rows(connection.db, statement))
  await connection.close()
  return found
}

const allNames = sql`select name from contacts order by name`
const named = (...wanted: string[]) => wanted.map((name) => ({ name }))

const names = async (dataDir: string) => (await listed(dataDir, allNames))[0]

/** Dumps of databases that somebody else's program made, each with its statements and those before. */
const dumpsWith = async (...steps: string[]) => {
  const client = await openPglite({
    loadDataDir: new Blob([readFileSync(inject('embeddedDump'))]),
  })
  await client.exec('drop schema drizzle cascade; drop schema public cascade; create schema public')
  const dumps: Buffer[] = []
  for (const statements of steps) {
    await client.exec(statements)
    const dump = await client.dumpDataDir('none')
    dumps.push(gzipSync(await dump.arrayBuffer(), { level: 1 }))
  }
  await client.close()
  return dumps
}

const ofLaterVersion = `create schema drizzle;
  create table drizzle.__drizzle_migrations as select 'x' as hash, 4000000000000 as created_at`

const send = (url: string, name: string, email = 'ada@example.test') =>
  fetch(`${url}/api/contacts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, email, message: 'Hello there' }),
  })

const password = 'a long and quiet walk'

const call = async (url: string, path: string, body: unknown, token = '') => {
  const response = await fetch(`${url}/api/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { token: string; data: { contacts: number } }
}

const signIn = async (url: string): Promise<string> => {
  const { token } = await call(url, 'auth/login', { email: 'admin@localhost.test', password })
  return token
}

test('a backup taken while the host runs comes back whole, and keeps what it replaces', async () => {
  const env = { DATA_DIR: newDataDir(), ADMIN_PASSWORD: password }
  const file = join(newFolder(), 'backup.tar.gz')
  await listed(
    env.DATA_DIR,
    sql`insert into mail (kind, recipient, subject, text, html, status, next_attempt_at)
      select 'account', 'ada@staff.test', subject, 'x', 'x', 'waiting', now() + interval '1 day'
      from unnest(array['recalled', 'sent', 'waiting']) as subject`,
  )
  const host = await startHost(env)
  await send(host.url, 'before')
  const ended = await signIn(host.url)
  const living = await signIn(host.url)
  await call(host.url, 'me/calendar', {}, living)
  expect(await runCommand('backup', [file], env)).toMatchObject({ code: 0 })
  const steps = await fetch(`${host.url}/api/setup`, {
    headers: { Authorization: `Bearer ${living}` },
  })
  expect((await steps.json()).data).toContainEqual(
    expect.objectContaining({ key: 'backup', state: 'done', now: expect.any(String) }),
  )
  await send(host.url, 'after')
  await call(host.url, 'auth/logout', {}, ended)
  await fetch(`${host.url}/api/me/calendar`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${living}` },
  })

  const refused = await runHere('restore', [file], env)
  expect(refused.code).toBe(1)
  expect(refused.output).toContain(`process ${host.process.pid}`)
  host.process.kill('SIGTERM')
  await once(host.process, 'exit')
  const settle = sql`update mail set status = subject where kind = 'account'`
  expect((await listed(env.DATA_DIR, allNames, settle))[0]).toEqual(named('after', 'before'))

  const restored = await runHere('restore', [file], env)
  expect(restored.code).toBe(0)
  const [contacts, sessions, mails, calendars] = await listed(
    env.DATA_DIR,
    allNames,
    sql`select id, token_hash as hash from sessions`,
    sql`select subject, status, text from mail where kind = 'account' order by subject`,
    sql`select from calendar_links`,
  )
  expect(contacts).toEqual(named('before'))
  // A session, or the address of a calendar, that has ended since the backup does not come back with it.
  expect(restored.output).toContain('have ended since, and end again: 2.')
  expect(calendars).toEqual([])
  const { jti } = JSON.parse(Buffer.from(living.split('.')[1] ?? '', 'base64url').toString())
  expect(sessions).toEqual([{ id: expect.any(String), hash: hashTokenSecret(jti) }])
  // Mail that was sent or recalled after the backup is not sent again.
  expect(mails).toEqual([
    { subject: 'recalled', status: 'recalled', text: '' },
    { subject: 'sent', status: 'sent', text: 'x' },
    { subject: 'waiting', status: 'waiting', text: 'x' },
  ])
  const kept = readdirSync(env.DATA_DIR).filter((name) => name.startsWith('db.replaced-'))
  expect(kept).toHaveLength(1)
})

const secret = 'the first secret of this test is long enough'
/** A host that is used once: what `work` does, then a clean end. */
const withHost = async <T>(
  env: Record<string, string>,
  work: (url: string) => Promise<T>,
): Promise<T> => {
  const host = await startHost({ AUTH_SECRET: secret, ADMIN_PASSWORD: password, ...env })
  const result = await work(host.url)
  host.process.kill('SIGTERM')
  await once(host.process, 'exit')
  return result
}

const erase = async (url: string, email: string): Promise<number> =>
  (await call(url, 'privacy/erase', { email }, await signIn(url))).data.contacts

test('what was erased since a backup is erased again when it is restored, under another key too', async () => {
  const env = { DATA_DIR: newDataDir() }
  const [early, late] = [join(newFolder(), 'early.gz'), join(newFolder(), 'late.gz')]
  await withHost(env, async (url) => {
    await send(url, 'erased later', 'Erased@Example.test')
    await send(url, 'kept')
    expect((await runHere('backup', [early], env)).code).toBe(0)
    await send(url, 'erased too', 'erased@example.test')
    expect(await erase(url, 'erased@example.TEST')).toBe(2)
    // Somebody who was erased may write again.
    await send(url, 'new', 'erased@example.test')
    expect((await runHere('backup', [late], env)).code).toBe(0)
  })
  // The old key is gone: the list has a key of its own.
  const rotated = { ...env, AUTH_SECRET: 'a newer secret that is long enough to sign' }

  const first = await runHere('restore', [early], rotated)
  expect(first.output).toContain('now erased again: 1 address, 1 record.')
  expect(first.output).toContain('deleted after 7 days')
  expect(await names(env.DATA_DIR)).toEqual(named('kept'))
  expect(first.output).toMatch(/that could not be matched: 0\.\n(?!Each)/)
  const second = await runHere('restore', [late], rotated)
  expect(second.output).toContain('now erased again: 0 addresses, 0 records.')
  const commands = sql`select details from events where via = 'command'`
  const [left, logged] = await listed(env.DATA_DIR, allNames, commands)
  expect(left).toEqual(named('kept', 'new'))
  expect(logged?.[0]).toEqual({
    details: { counts: { addresses: 0, records: 0, links: 0, unmatched: 0 } },
  })
  // The list came along each time.
  const third = await runHere('restore', [early], rotated)
  expect(third.output).toContain('now erased again: 1 address, 1 record.')
  expect(await names(env.DATA_DIR)).toEqual(named('kept'))
})

test('a restore over a damaged database succeeds and says that its list of erasures is lost', async () => {
  const env = { DATA_DIR: newDataDir() }
  const file = join(newFolder(), 'backup.tar.gz')
  await runHere('sample-data', ['--contacts', '1'], env)
  await runHere('backup', [file], env)
  writeFileSync(join(env.DATA_DIR, 'db', 'global', 'pg_control'), 'damaged')
  const { code, output } = await runHere('restore', [file], env)
  expect(output).toContain('its list of erased addresses is lost')
  expect(code).toBe(0)
  expect(await names(env.DATA_DIR)).toHaveLength(1)
})

test('a restore that broke off while nothing was in place can be run again', async () => {
  const env = { DATA_DIR: newDataDir() }
  const file = join(newFolder(), 'backup.tar.gz')
  await runHere('sample-data', ['--contacts', '1'], env)
  await runHere('backup', [file], env)
  renameSync(join(env.DATA_DIR, 'db'), join(env.DATA_DIR, 'db.replaced-2026-01-01T00-00-00-000Z'))
  const refused = await runHere('sample-data', [], env)
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringContaining('a restore was broken off'),
  })
  expect((await runHere('restore', [file], env)).code).toBe(0)
  expect(await names(env.DATA_DIR)).toHaveLength(1)
})

test('a Postgres whose list of erasures was put back is erased again by a command', async () => {
  const { url } = await newPostgres('migrated')
  const env = { DATABASE_URL: url, DATA_DIR: newDataDir(), AUTH_SECRET: secret }
  const { db, close } = await connectRemote({ kind: 'pg', url })
  onTestFinished(close)
  await withHost(env, async (address) => {
    await send(address, 'erased', 'erased@example.test')
    await send(address, 'kept')
    await rows(db, sql`create table before as select * from contacts`)
    await erase(address, 'erased@example.test')
  })
  await rows(db, sql`insert into contacts select * from before where name = 'erased'`)
  // An entry from before the list had a key of its own, hashed under a secret that is gone.
  await rows(db, sql`insert into erasures (what, hash) values ('address', 'lost')`)
  const renewed = { ...env, AUTH_SECRET: 'a newer secret that is long enough to sign' }
  const { code, output } = await runCommand('erase-again', [], renewed)
  expect(code).toBe(0)
  expect(output).toContain('1 address, 1 record')
  expect(output).toMatch(/that could not be matched: 1\.\nEach [\s\S]*AUTH_SECRET=NEW,OLD/)
  expect(await rows(db, sql`select name from contacts`)).toEqual([{ name: 'kept' }])

  // Told that it was restored, the command ends what may have ended since, on each device too.
  await rows(
    db,
    sql`with token as (
        insert into api_tokens (user_id, name, scopes, token_hash, credential_version, expires_at)
        select id, 'n8n', '{read}', 'x', credential_version, now() + interval '1 day' from users
      ), calendar as (
        insert into calendar_links (user_id, token_hash, credential_version)
        select id, 'x', credential_version from users
      ), device as (
        insert into push_subscriptions (user_id, endpoint_hash, sealed, credential_version)
        select id, 'x', 'x', credential_version from users returning id
      )
      insert into pushes (subscription_id, reason, cause) select id, 'test', 'test:1' from device`,
  )
  const alive = async () =>
    Object.values(
      (
        await rows(
          db,
          sql`select (select count(*)::int from sessions) as a, (select count(*)::int from api_tokens) as b,
            (select count(*)::int from pushes) as c, (select count(*)::int from push_subscriptions s
              join users u on u.id = s.user_id and u.credential_version = s.credential_version) as d,
            (select count(*)::int from calendar_links) as e`,
        )
      )[0] ?? {},
    )
  await runHere('erase-again', [], renewed)
  expect(await alive()).toEqual([1, 1, 1, 1, 1])
  const { output: ended } = await runHere('erase-again', ['--restored'], renewed)
  expect(ended).toContain('all of which end: 3.')
  expect(await alive()).toEqual([0, 0, 0, 0, 0])
})

test('a digest that was queued after the backup is not queued again once it is restored', async () => {
  const env = { DATA_DIR: newDataDir() }
  const file = join(newFolder(), 'backup.tar.gz')
  const setDay = (day: string) => sql`update staff_settings set digest_day = ${day}`
  await listed(
    env.DATA_DIR,
    sql`with u as (
        insert into users (username, email, password_hash)
        select name, name || '@staff.test', 'x' from unnest(array['ada', 'grace']) as name returning id
      )
      insert into staff_settings (user_id, digest, digest_day) select id, 'daily', '2026-03-01' from u`,
  )
  expect(await runHere('backup', [file], env)).toMatchObject({ code: 0 })
  const days = sql`select digest_day as day from staff_settings`
  const restoredOver = async (...statements: SQL[]) => {
    await listed(env.DATA_DIR, ...statements)
    expect(await runHere('restore', [file], env)).toMatchObject({ code: 0 })
    return (await listed(env.DATA_DIR, days))[0]
  }
  const both = (day: string) => [{ day }, { day }]
  expect(await restoredOver(setDay('2026-03-02'))).toEqual(both('2026-03-02'))
  expect(await restoredOver(setDay('2026-02-01'))).toEqual(both('2026-03-01'))
  // A database from before there were digests knows of none.
  expect(await restoredOver(sql`drop table staff_settings`)).toEqual(both('2026-03-01'))
})

test('a backup of a database that nobody has open goes to another folder', async () => {
  const env = { DATA_DIR: newDataDir() }
  const file = join(newFolder(), 'backup.tar.gz')
  const filled = ['--contacts', '2', '--consultations', '0', '--applications', '0']
  await runCommand('sample-data', filled, env)
  expect(await runHere('backup', [file], env)).toMatchObject({ code: 0 })
  const elsewhere = { DATA_DIR: newFolder() }
  const restored = await runHere('restore', [file], elsewhere)
  expect(restored.code).toBe(0)
  // Nothing says who was erased since, and what was ended.
  expect(restored.output).toContain('There was no database to replace')
  expect(restored.output).toContain('all of which end: 0.')
  expect(await names(elsewhere.DATA_DIR)).toEqual(await names(env.DATA_DIR))
})

test('what is no backup replaces nothing', async () => {
  const env = { DATA_DIR: newDataDir() }
  await runHere('sample-data', ['--contacts', '1'], env)
  const file = join(newFolder(), 'backup.tar.gz')
  await runHere('backup', [file], env)
  const whole = readFileSync(file)
  const [empty, later] = await dumpsWith('', ofLaterVersion)
  const refusals: [bytes: Uint8Array | string, why: string][] = [
    [Buffer.from('not an archive'), 'is no backup, or only a part of one'],
    [whole.subarray(0, whole.length / 2), 'is no backup, or only a part of one'],
    [gzipSync('no database'), 'no whole backup'],
    [empty ?? '', 'the backup of something else'],
    [later ?? '', 'comes from a later version'],
  ]
  for (const [bytes, why] of refusals) {
    writeFileSync(file, bytes)
    const { code, output } = await runHere('restore', [file], env)
    expect(code).toBe(1)
    expect(output.trim()).toMatch(new RegExp(`${why}[^\\n]*The database was left as it is\\.$`))
  }
  expect(await names(env.DATA_DIR)).toHaveLength(1)
  expect(existsSync(join(env.DATA_DIR, 'db.restore'))).toBe(false)
  expect(await runHere('restore', ['nowhere'], env)).toMatchObject({
    code: 1,
    output: expect.stringContaining('nowhere cannot be read.'),
  })
})

test('where a disk is too full for a restore or a first start, both say so', async () => {
  const env = { DATA_DIR: newDataDir(), PATH: `${newFolder()}:${process.env.PATH}` }
  const file = join(newFolder(), 'backup.tar.gz')
  await runHere('backup', [file], env)
  const [folder = ''] = env.PATH.split(':')
  const full =
    'cat > /dev/null; echo "tar: ./base: Cannot write: No space left on device" >&2; exit 2'
  writeFileSync(join(folder, 'tar'), `#!/bin/sh\n${full}\n`, { mode: 0o755 })
  const restore = await runHere('restore', [file], env)
  expect(restore.code).toBe(1)
  expect(restore.output).toContain(
    `There is no room on the disk for ${env.DATA_DIR}/db.restore. The database was left as it is.`,
  )
  const first = await runHere('sample-data', [], { ...env, DATA_DIR: newFolder() })
  expect(first.code).toBe(1)
  expect(first.output).toContain('There is no room on the disk for ')
})

test('a backup that a signal ends leaves no file', async () => {
  const folder = newFolder()
  const file = join(newFolder(), 'backup.tar.gz')
  const ending = `until [ -e ${file}.part ]; do sleep 0.1; done
    kill -TERM $PPID; while kill -0 $PPID 2> /dev/null; do sleep 0.1; done`
  writeFileSync(join(folder, 'tar'), `#!/bin/sh\n${ending}\n`, { mode: 0o755 })
  const env = { DATA_DIR: newDataDir(), PATH: `${folder}:${process.env.PATH}` }
  expect((await runCommand('backup', [file], env)).output).not.toContain('is in')
  expect(readdirSync(dirname(file))).toEqual([])
})

test('a backup of what is not there is refused rather than made of nothing', async () => {
  const env = { DATA_DIR: newFolder() }
  const file = join(newFolder(), 'backup.tar.gz')
  const { code, output } = await runHere('backup', [file], env)
  expect(code).toBe(1)
  expect(output).toContain(`There is no database in ${env.DATA_DIR}`)
  expect(existsSync(file)).toBe(false)
  expect((await runHere('backup', [], env)).output).toContain('npm run backup -- FILE')
})

test('a command about what is stored makes no database where there is none', async () => {
  const env = { DATA_DIR: newFolder() }
  for (const [script, ...args] of [
    ['erase-again'],
    ['reset-password', 'admin@localhost.test'],
    ['content-pull', newFolder()],
  ] as const)
    expect(await runHere(script, args, env)).toEqual({
      code: 1,
      output: `There is no database in ${env.DATA_DIR}/db. Set DATA_DIR as the host has it.\n`,
    })
  expect(readdirSync(env.DATA_DIR)).toEqual([])
  const { url } = await newPostgres('blank')
  const pull = await runHere('content-pull', [newFolder()], { DATABASE_URL: url })
  expect(pull).toMatchObject({ code: 1, output: expect.stringContaining('npm run db:migrate') })
})
