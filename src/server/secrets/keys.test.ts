import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'vitest'
import { signInAs, tokenOf } from '#server/auth/testing.ts'
import { readConfig } from '#server/config.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { openEmbedded } from '#server/db/embedded/embedded.ts'
import { connectRemote } from '#server/db/remote.ts'
import { rows } from '#server/db/rows.ts'
import { newPostgres, testOnAll, withStatements } from '#server/db/testing.ts'
import { openText } from '#server/mail-out/sealed-text.ts'
import { test, testApi, testConfig } from '#server/testing.ts'
import { newDataDir, runCommand, startHost } from '#tests/processes.ts'
import { addTotp, codeOf, login, post } from '#tests/second-factors.ts'
import { decrypt, encrypt, mailPurpose, totpPurpose } from './encrypt.ts'
import { reencrypt } from './store/reencrypt.ts'

const first = 'the first key that is long enough to sign'
const second = 'the second key that is long enough to sign'
const configured = (authSecret: string) => ({ config: { ...testConfig, authSecret } })

test('a secret reads under its key, for its purpose, unchanged', () => {
  const sealed = encrypt(first, 'totp:1', 'a secret')
  expect(decrypt(first, 'totp:1', sealed)).toBe('a secret')
  expect(decrypt(`${second},${first}`, 'totp:1', sealed)).toBe('a secret')
  expect(decrypt(first, 'totp:2', sealed)).toBeNull()
  expect(decrypt(second, 'totp:1', sealed)).toBeNull()
  expect(decrypt(first, 'totp:1', `${sealed.slice(0, -2)}AA`)).toBeNull()
  expect(decrypt(first, 'totp:1', '')).toBeNull()
  expect(encrypt(first, 'totp:1', 'a secret')).not.toBe(sealed)
})

testOnAll('a key is replaced without signing anybody out or losing a secret', async ({ db }) => {
  const before = testApi(db, configured(first))
  const ada = await signInAs(before.deps, 'superuser', 'ada')
  const { secret } = await addTotp(before, ada.token)
  await post(before, '/api/auth/totp', undefined, ada.token)
  await post(before, '/api/auth/reset', { email: ada.email })
  await before.settled()
  const body = {
    username: 'grace',
    email: 'grace@staff.test',
    password: 'nine wandering albatrosses',
  }
  const keyed = { body, token: ada.token, headers: { 'Idempotency-Key': 'k' } }
  const made = await (await before.request('/api/auth/register', keyed)).text()

  const both = `${second}, ${first}`
  const during = testApi(db, configured(both))
  expect((await during.request('/api/auth/me', { token: ada.token })).status).toBe(200)
  expect(await (await during.request('/api/auth/register', keyed)).text()).toBe(made)
  const token = await tokenOf(during.deps, ada)
  expect(await reencrypt(db, both)).toEqual({ renewed: 3, unreadable: 0 })
  expect(await reencrypt(db, both)).toEqual({ renewed: 0, unreadable: 0 })

  const after = testApi(db, configured(second))
  expect((await after.request('/api/auth/me', { token: ada.token })).status).toBe(401)
  expect((await after.request('/api/auth/me', { token })).status).toBe(200)
  const { challenge } = (await login(after, ada)).body.secondFactor
  const code = codeOf(secret, 1)
  expect((await post(after, '/api/auth/second-factor', { challenge, code })).status).toBe(200)
  const [mail] = await rows<{ sealed: string }>(
    db,
    sql`select sealed from mail where sealed is not null`,
  )
  expect(openText(second, mail?.sealed ?? '')?.text).toContain('/admin/reset#')
})

test('a thousand secrets are encrypted again by a few statements', async ({ db }) => {
  const sealed = (n: number) => encrypt(first, mailPurpose, `text ${n}`)
  const mails = Array.from({ length: 1_000 }, (_, n) => ({ sealed: sealed(n) }))
  await rows(
    db,
    sql`insert into mail (kind, recipient, subject, text, html, status, sealed)
      select 'account', 'ada@staff.test', 'Subject', '', '', 'waiting', sealed
      from jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) as given(sealed text)`,
  )
  let statements = 0
  const counting = withStatements(db, (execute) => {
    statements += 1
    return execute()
  })
  expect(await reencrypt(counting, `${second},${first}`)).toEqual({ renewed: 1_000, unreadable: 0 })
  expect(statements).toBeLessThan(20)
  const stored = await rows<{ sealed: string }>(db, sql`select sealed from mail`)
  const texts = stored.map(({ sealed }) => decrypt(second, mailPurpose, sealed))
  expect(new Set(texts)).toEqual(new Set(Array.from({ length: 1_000 }, (_, n) => `text ${n}`)))
})

test('each of two keys has 32 bytes', () => {
  expect(readConfig({ AUTH_SECRET: `${first},${second}` }).authSecret).toContain(second)
  for (const AUTH_SECRET of [
    `${first},short`,
    `short,${first}`,
    `${first},`,
    `${first},${first},${first}`,
  ])
    expect(() => readConfig({ AUTH_SECRET })).toThrow(/AUTH_SECRET/)
})

test('a start, and db:migrate, encrypt again under the first of two keys', async () => {
  const readsUnder = async (db: Database, authSecret: string, userId: string) => {
    const [stored] = await rows<{ secret: string }>(db, sql`select secret from totp_secrets`)
    return decrypt(authSecret, totpPurpose(userId), stored?.secret ?? '') !== null
  }
  const addApp = async (db: Database) => {
    const api = testApi(db, configured(first))
    const { id, token } = await signInAs(api.deps, 'superuser', 'ada')
    await addTotp(api, token)
    expect(await readsUnder(db, second, id)).toBe(false)
    return id
  }
  const AUTH_SECRET = `${second},${first}`

  const DATA_DIR = newDataDir()
  const before = await openEmbedded(join(DATA_DIR, 'db'))
  const local = await addApp(before.db)
  await before.close()
  const { process } = await startHost({ AUTH_SECRET, DATA_DIR })
  process.kill('SIGTERM')
  await once(process, 'exit')
  const after = await openEmbedded(join(DATA_DIR, 'db'))
  expect(await readsUnder(after.db, second, local)).toBe(true)
  await after.close()

  const { url } = await newPostgres('migrated')
  const remote = await connectRemote({ kind: 'pg', url })
  const id = await addApp(remote.db)
  const { output } = await runCommand('db-migrate', [], { AUTH_SECRET, DATABASE_URL: url })
  expect(output).toContain('Encrypted again under the first key: 1.')
  expect(await readsUnder(remote.db, second, id)).toBe(true)
  await remote.close()
})
