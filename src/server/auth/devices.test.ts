import { expect } from 'vitest'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type TestApi, test, testOnAll } from '#server/testing.ts'
import { call, login, post } from '#tests/second-factors.ts'
import { makeUser, signInAs, type TestUser } from './testing.ts'

const notices = async (db: Database): Promise<string[]> => {
  const found = await rows<{ to: string; subject: string }>(
    db,
    sql`select recipient as to, subject from mail where kind = 'account' order by id`,
  )
  return found.map(({ to, subject }) => `${to.split('@')[0]}: ${subject.split(' |')[0]}`)
}

const enter = async (api: TestApi, user: TestUser, more: object = {}, browser?: string) => {
  const body = { email: user.email, password: 'a plain test passphrase', ...more }
  const headers = browser ? { 'User-Agent': browser } : {}
  return (await api.request('/api/auth/login', { body, headers })).status
}

testOnAll(
  'a stranger’s guesses do not lock out a device that has signed in before',
  async ({ api, db }) => {
    const ada = await makeUser(db, 'ada', 'admin')
    expect(await enter(api, ada, { device: 'laptop' })).toBe(200)
    for (let n = 0; n < 5; n += 1) expect(await enter(api, ada, { password: 'wrong' })).toBe(401)
    expect(await enter(api, ada)).toBe(429)
    expect(await enter(api, ada, { device: 'phone' })).toBe(429)
    expect(await enter(api, ada, { device: 'laptop' })).toBe(200)
    // A known device has a count of its own.
    for (let n = 0; n < 5; n += 1)
      expect(await enter(api, ada, { device: 'laptop', password: 'wrong' })).toBe(401)
    expect(await enter(api, ada, { device: 'laptop' })).toBe(429)
    const [stored] = await rows<{ text: string }>(
      db,
      sql`select json_agg(d)::text as text from devices d`,
    )
    expect(stored?.text).not.toContain('laptop')
  },
)

test('a sign-in on a new device is told once; the first of an account is none', async ({ api }) => {
  const { db } = api.deps
  const ada = await makeUser(db, 'ada', 'admin')
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  await enter(api, ada, { device: 'laptop' }, firefox)
  await enter(api, ada, { device: 'laptop' })
  expect(await notices(db)).toEqual([])
  await enter(api, ada, { device: 'phone' }, firefox)
  await enter(api, ada, { device: 'phone' })
  await enter(api, ada, {}, firefox)
  await enter(api, ada, { device: 'not\u0000visible' }, firefox)
  await enter(api, ada, { device: 'x'.repeat(129) }, firefox)
  await enter(api, ada, { device: 7 }, firefox)
  const told = 'ada: New sign-in to your account'
  expect(await notices(db)).toEqual([told, told])
  const [mail] = await rows<{ text: string }>(db, sql`select text from mail limit 1`)
  expect(mail?.text).toContain('Firefox on Linux')
})

test('accounts are told of a new role, e-mail and password; superusers of exports and erasures', async ({
  api,
}) => {
  const { db } = api.deps
  const boss = await signInAs(api.deps, 'superuser', 'boss')
  const ada = await signInAs(api.deps, 'admin', 'ada')
  const put = (body: object) =>
    call(api, `/api/users/${ada.id}`, { method: 'PUT', token: boss.token, body })
  await put({ role: 'editor' })
  await put({ role: 'editor', username: 'lovelace' })
  await put({ email: 'countess@staff.test' })
  await put({ password: 'nine wandering albatrosses' })
  await post(api, '/api/privacy/export', { email: 'somebody@example.test' }, boss.token)
  await post(api, '/api/privacy/erase', { email: 'somebody@example.test' }, boss.token)
  expect((await notices(db)).sort()).toEqual([
    'ada: The e-mail of your account was changed',
    'ada: Your role was changed',
    'boss: A person’s data was erased',
    'boss: A person’s data was exported',
    'countess: The e-mail of your account was changed',
    'countess: Your password was changed',
  ])
  const [mail] = await rows<{ text: string }>(db, sql`select json_agg(m)::text as text from mail m`)
  expect(mail?.text).not.toContain('somebody@example.test')
})

test('what changes accounts, factors and people’s data asks for a recent step-up', async ({
  api,
}) => {
  const boss = await signInAs(api.deps, 'superuser', 'boss')
  await rows(api.deps.db, sql`update sessions set step_up_until = now() - interval '1 second'`)
  const id = boss.id
  for (const [method, path] of [
    ['POST', '/api/auth/register'],
    ['PUT', `/api/users/${id}`],
    ['DELETE', `/api/users/${id}`],
    ['DELETE', `/api/users/${id}/sessions`],
    ['POST', '/api/users/invitations'],
    ['DELETE', `/api/users/invitations/${id}`],
    ['POST', '/api/auth/passkeys/options'],
    ['POST', '/api/auth/passkeys'],
    ['PUT', `/api/auth/passkeys/${id}`],
    ['DELETE', `/api/auth/passkeys/${id}`],
    ['POST', '/api/auth/totp'],
    ['POST', '/api/auth/totp/confirm'],
    ['DELETE', '/api/auth/totp'],
    ['POST', '/api/auth/recovery-codes'],
    ['POST', '/api/privacy/export'],
    ['POST', '/api/privacy/erase'],
  ] as const)
    expect(await call(api, path, { method, token: boss.token }), path).toMatchObject({
      status: 403,
      body: { code: 'step_up_required' },
    })
  for (const path of ['/api/users', '/api/users/invitations', '/api/auth/factors', '/api/audit'])
    expect((await call(api, path, { token: boss.token })).status, path).toBe(200)
  const wrong = await post(api, '/api/auth/step-up', { password: 'wrong' }, boss.token)
  expect(wrong.status).toBe(401)
  const right = { password: 'a plain test passphrase' }
  expect((await post(api, '/api/auth/step-up', right, boss.token)).status).toBe(200)
  const put = { method: 'PUT', token: boss.token, body: {} }
  expect((await call(api, `/api/users/${id}`, put)).status).toBe(200)
  expect((await login(api, boss)).status).toBe(200)
})
