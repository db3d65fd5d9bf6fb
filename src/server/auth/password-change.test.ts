import { decodeJwt } from 'jose'
import { expect } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type TestApi, test, testOnPostgres } from '#server/testing.ts'
import { brand } from '#site/content.ts'
import { meStatus, moreFailures, signInAs, testPassword, tokenOf } from './testing.ts'

const newPassword = 'nine wandering albatrosses'

const change = (
  api: TestApi,
  token: string,
  body: unknown = { currentPassword: testPassword, newPassword },
) => api.request('/api/auth/password', { token, body })

const login = (api: TestApi, email: string, password: string) =>
  api.request('/api/auth/login', { body: { email, password } })

test('a new password signs in anew and ends every other session', async ({ api }) => {
  const ada = await signInAs(api.deps, 'admin', 'ada')
  const other = await tokenOf(api.deps, ada)
  const response = await change(api, ada.token)
  expect(response.status).toBe(200)
  const body = (await response.json()) as { token: string; user: { id: string } }
  expect(Object.keys(body).sort()).toEqual(['expiresAt', 'success', 'token', 'user'])
  expect(body.user.id).toBe(ada.id)
  expect(await meStatus(api, body.token)).toBe(200)
  expect(await meStatus(api, ada.token)).toBe(401)
  expect(await meStatus(api, other)).toBe(401)
  expect((await login(api, ada.email, testPassword)).status).toBe(401)
  expect((await login(api, ada.email, newPassword)).status).toBe(200)
})

test('a wrong current password is told, counted, and at last refused', async ({ api }) => {
  const ada = await signInAs(api.deps, 'admin', 'ada')
  const wrong = { currentPassword: 'something else', newPassword }
  for (let n = 0; n < 5; n += 1) {
    const response = await change(api, ada.token, wrong)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 'invalid',
      fields: { currentPassword: ['That is not your current password.'] },
    })
  }
  const blocked = await change(api, ada.token)
  expect(blocked.status).toBe(429)
  expect(Number(blocked.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect((await login(api, ada.email, testPassword)).status).toBe(429)
  expect(await meStatus(api, ada.token)).toBe(200)
})

test('a wrong current password counts for the IP as well', async ({ api }) => {
  const wrong = { currentPassword: 'something else', newPassword }
  const fail = async (name: string) => {
    const { token } = await signInAs(api.deps, 'user', name)
    return (await change(api, token, wrong)).status
  }
  for (const name of ['ada', 'grace']) expect(await fail(name)).toBe(400)
  await moreFailures(api, { max: 20, before: 2, after: 19 })
  expect(await fail('mary')).toBe(400)
  const joan = await signInAs(api.deps, 'user', 'joan')
  expect((await change(api, joan.token)).status).toBe(429)
})

test('a change that succeeds clears the count', async ({ api }) => {
  const ada = await signInAs(api.deps, 'admin', 'ada')
  for (let n = 0; n < 4; n += 1)
    await change(api, ada.token, { currentPassword: 'something else', newPassword })
  expect((await change(api, ada.token)).status).toBe(200)
  for (let n = 0; n < 5; n += 1) expect((await login(api, ada.email, 'wrong')).status).toBe(401)
})

test('a new password that breaks a rule changes nothing', async ({ api }) => {
  const ada = await signInAs(api.deps, 'admin', 'ada')
  for (const bad of [
    'too short',
    'password1234',
    'ADA and nobody else',
    `our ${brand().name.toUpperCase()}lings fly`,
    'é'.repeat(129),
    `${'x'.repeat(20)}\ud800`,
    '',
    null,
    12,
  ]) {
    const response = await change(api, ada.token, {
      currentPassword: testPassword,
      newPassword: bad,
    })
    expect(response.status, String(bad)).toBe(400)
    expect(await response.json()).toMatchObject({ fields: { newPassword: [expect.any(String)] } })
  }
  expect(await meStatus(api, ada.token)).toBe(200)
  expect((await login(api, ada.email, testPassword)).status).toBe(200)
})

test('passwords are taken as they are: blanks, marks, 256 bytes', async ({ api }) => {
  let current = testPassword
  let { token, email } = await signInAs(api.deps, 'admin', 'ada')
  for (const next of [
    '  two blanks at either end  ',
    'e\u0301t\u00e9 \ud83d\udc26 vol de nuit',
    'é'.repeat(64) + 'tres'.repeat(32),
    'tab\tand\u0000nul too',
  ]) {
    const response = await change(api, token, { currentPassword: current, newPassword: next })
    expect(response.status, JSON.stringify(next)).toBe(200)
    token = ((await response.json()) as { token: string }).token
    current = next
    expect((await login(api, email, next)).status).toBe(200)
    expect((await login(api, email, next.trim().normalize('NFD').slice(0, -1))).status).toBe(401)
  }
})

testOnPostgres(
  'of two changes at once one counts, and one session is left',
  async ({ api, db }) => {
    const ada = await signInAs(api.deps, 'admin', 'ada')
    const answers = await Promise.all([
      change(api, ada.token),
      change(api, ada.token, { currentPassword: testPassword, newPassword: 'eleven quiet herons' }),
    ])
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses[0]).toBe(200)
    // The other's password was wrong by then, or its session had ended.
    expect([400, 401]).toContain(statuses[1])
    expect(await rows(db, sql`select 1 from sessions`)).toHaveLength(1)
  },
)

test('a weaker hash is made anew at the next sign-in', async ({ api }) => {
  const { hash } = await import('argon2')
  const ada = await signInAs(api.deps, 'admin', 'ada')
  const weak = await hash(testPassword, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
  await rows(api.deps.db, sql`update users set password_hash = ${weak}`)
  expect((await login(api, ada.email, testPassword)).status).toBe(200)
  const [stored] = await rows<{ hash: string }>(
    api.deps.db,
    sql`select password_hash as hash from users`,
  )
  expect(stored?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,(t=2,p=1|p=1,t=2)\$/)
  expect((await login(api, ada.email, testPassword)).status).toBe(200)
})

test('no password, hash, token or IP is logged, stored in the open, or answered', async ({
  api,
}) => {
  const { db } = api.deps
  const ada = await signInAs(api.deps, 'superuser', 'ada')
  const answers: string[] = []
  const ask = async (path: string, init: Parameters<TestApi['request']>[1]) => {
    const response = await api.request(path, init)
    const text = await response.text()
    answers.push(text, JSON.stringify([...response.headers]))
    return JSON.parse(text) as { token?: string }
  }
  const ip = '198.51.100.77'
  const canary = 'canary passphrase of seven'
  await ask('/api/auth/login', { body: { email: ada.email, password: canary }, ip })
  const { token = '' } = await ask('/api/auth/login', {
    body: { email: ada.email, password: testPassword },
    ip,
  })
  await ask('/api/auth/password', {
    token,
    ip,
    body: { currentPassword: canary, newPassword: canary },
  })
  const changed = await ask('/api/auth/password', {
    token,
    ip,
    body: { currentPassword: testPassword, newPassword: canary },
  })
  await ask('/api/users', { token: changed.token, ip })
  await ask('/api/auth/sessions', { token: changed.token, ip })
  await ask('/api/audit', { token: changed.token, ip })

  const tables = await rows<{ text: string }>(
    db,
    sql`select row_to_json(t)::text as text from events as t
      union all select row_to_json(t)::text from sessions as t
      union all select row_to_json(t)::text from rate_limits as t`,
  )
  const written = JSON.stringify([tables, api.logged])
  const tokens = [token, changed.token ?? '']
  const secrets = tokens.map((one) => decodeJwt(one).jti ?? '')
  for (const secret of [canary, testPassword, ip, ada.email, ...tokens, ...secrets])
    expect(written).not.toContain(secret)
  expect(written).not.toContain('argon2')
  const [users] = await rows<{ hash: string }>(db, sql`select password_hash as hash from users`)
  for (const secret of [canary, testPassword, 'argon2', users?.hash ?? '', ...secrets])
    expect(answers.join('\n')).not.toContain(secret)
  for (const name of ['sign_in', 'sign_in_refused', 'password_changed'])
    expect(api.logged.map(({ event }) => event)).toContain(name)
})
