import { expect } from 'vitest'
import { readConfig } from '#server/config.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { passwordRules, startRule } from '#server/password/rules.ts'
import { test, testApi, testConfig, testOnAll, testOnPostgres } from '#server/testing.ts'
import { brand } from '#site/content.ts'
import { ensureFirstSuperuser } from './first-superuser.ts'
import type { StoredAccount } from './store/accounts.ts'
import { makeUser, signInAs } from './testing.ts'

type Stored = Omit<StoredAccount, 'id'>

const stored = sql`select username, email, role from users order by created_at, id`

test('the first start makes a superuser and tells the password once', async ({ api, db }) => {
  const made = await ensureFirstSuperuser(api.deps)
  expect(made).toEqual({ email: 'admin@localhost.test', password: expect.any(String) })
  expect(await rows<Stored>(db, stored)).toEqual([
    { username: 'admin', email: 'admin@localhost.test', role: 'superuser' },
  ])
  const login = await api.request('/api/auth/login', { body: made })
  expect(login.status).toBe(200)
  expect(await login.json()).toMatchObject({ user: { username: 'admin', isSuperuser: true } })
  expect(
    (await passwordRules())({ username: 'admin', email: '', password: made?.password ?? '' }),
  ).toBe(undefined)
  expect(JSON.stringify(api.logged)).not.toContain(made?.password)
  expect(await ensureFirstSuperuser(api.deps)).toBeNull()
})

test('a password from the environment is used and not told', async ({ api }) => {
  const firstSuperuser = {
    email: 'Boss@agency.test',
    username: 'boss',
    password: 'nine wandering albatrosses',
  }
  const deps = { ...api.deps, config: { ...testConfig, firstSuperuser } }
  expect(await ensureFirstSuperuser(deps)).toBeNull()
  const login = await api.request('/api/auth/login', {
    body: { email: 'boss@agency.test', password: firstSuperuser.password },
  })
  expect(login.status).toBe(200)

  const later = { ...firstSuperuser, password: 'eleven quiet herons' }
  await ensureFirstSuperuser({ ...api.deps, config: { ...testConfig, firstSuperuser: later } })
  const changed = await api.request('/api/auth/login', {
    body: { email: 'boss@agency.test', password: later.password },
  })
  expect(changed.status).toBe(401)
})

testOnPostgres('starts at once make one superuser between them', async ({ db }) => {
  const { deps } = testApi(db)
  const made = await Promise.all(Array.from({ length: 6 }, () => ensureFirstSuperuser(deps)))
  expect(made.filter((one) => one !== null)).toHaveLength(1)
  expect(await rows(db, stored)).toHaveLength(1)
})

testOnAll('where no superuser is left the oldest admin becomes one', async ({ api, db }) => {
  await makeUser(db, 'editor', 'editor')
  const oldest = await signInAs(api.deps, 'admin', 'oldest')
  await makeUser(db, 'younger', 'admin')
  await rows(
    db,
    sql`update users set created_at = now() - interval '1 day' where username = 'oldest'`,
  )
  expect(
    await Promise.all([ensureFirstSuperuser(api.deps), ensureFirstSuperuser(api.deps)]),
  ).toEqual([null, null])
  const found = await rows<Stored>(db, stored)
  expect(found.map(({ username, role }) => `${username}: ${role}`).sort()).toEqual([
    'editor: editor',
    'oldest: superuser',
    'younger: admin',
  ])
  expect((await api.request('/api/auth/me', { token: oldest.token })).status).toBe(401)
})

test('while there is a superuser nobody is promoted', async ({ api }) => {
  await makeUser(api.deps.db, 'admin', 'admin')
  await makeUser(api.deps.db, 'boss', 'superuser')
  await ensureFirstSuperuser(api.deps)
  expect((await rows<Stored>(api.deps.db, stored)).map(({ role }) => role)).toEqual([
    'admin',
    'superuser',
  ])
})

test('users without an admin are left as they are', async ({ api }) => {
  await makeUser(api.deps.db, 'editor', 'editor')
  expect(await ensureFirstSuperuser(api.deps)).toBeNull()
  expect(await rows<Stored>(api.deps.db, stored)).toMatchObject([{ role: 'editor' }])
})

test('an ADMIN_PASSWORD that breaks a rule stops the start', async () => {
  for (const ADMIN_PASSWORD of [
    'short',
    'passwordpassword',
    'the admin is here',
    `${brand().name} flies far`,
  ]) {
    const rule = await startRule({ ADMIN_PASSWORD })
    expect(() => readConfig({ ADMIN_PASSWORD }, rule)).toThrow(/ADMIN_PASSWORD: Password/)
  }
})
