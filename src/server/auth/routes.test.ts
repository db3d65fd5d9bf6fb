import { expect } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type TestApi, test, testApi, testOnAll, testOnPostgres } from '#server/testing.ts'
import { makeUser, moreFailures, signInAs, testPassword } from './testing.ts'

interface SignedIn {
  success: true
  token: string
  expiresAt: string
  user: { id: string; username: string; email: string; role: string; isSuperuser: boolean }
}

const login = (api: TestApi, email: string, password: string = testPassword, ip?: string) =>
  api.request('/api/auth/login', { body: { email, password }, ...(ip ? { ip } : {}) })

const signIn = async (api: TestApi, email: string): Promise<SignedIn> => {
  const response = await login(api, email)
  expect(response.status).toBe(200)
  return (await response.json()) as SignedIn
}

const me = (api: TestApi, token?: string) => api.request('/api/auth/me', { token })

testOnAll('who signs in gets a token, its end and the account', async ({ api, db }) => {
  const ada = await makeUser(db, 'ada', 'superuser')
  const response = await login(api, 'ADA@staff.TEST')
  expect(response.status).toBe(200)
  const body = (await response.json()) as SignedIn
  expect(body).toEqual({
    success: true,
    token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    user: {
      id: ada.id,
      username: 'ada',
      email: 'ada@staff.test',
      role: 'superuser',
      isSuperuser: true,
    },
  })
  const hours = (Date.parse(body.expiresAt) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(11.9)
  expect(hours).toBeLessThanOrEqual(12.01)
  expect(await (await me(api, body.token)).json()).toEqual({ success: true, data: body.user })
})

test('only the role superuser is one', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'admin')
  expect(await (await me(api, token)).json()).toMatchObject({ data: { isSuperuser: false } })
})

test('a wrong password and an unknown e-mail get the same answer', async ({ api }) => {
  await makeUser(api.deps.db, 'ada', 'admin')
  const answers = []
  for (const [email, password] of [
    ['ada@staff.test', 'not the password'],
    ['nobody@staff.test', testPassword],
    ['no address at all', testPassword],
    ['nul\u0000@staff.test', 'nul\u0000'],
    ['\ud800@staff.test', '\ud800'],
    ["' or 1=1 --", testPassword],
  ] as const) {
    const response = await login(api, email, password)
    expect(response.status).toBe(401)
    const { requestId: _, ...body } = (await response.json()) as { requestId: string }
    answers.push(body)
  }
  for (const answer of answers)
    expect(answer).toEqual({
      success: false,
      code: 'invalid_credentials',
      message: 'Invalid credentials',
      error: 'Invalid credentials',
    })
})

test('a sign-in without e-mail or password names both', async ({ api }) => {
  for (const body of [{}, { email: '', password: '' }, { email: 1, password: null }]) {
    const response = await api.request('/api/auth/login', { body })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 'invalid',
      fields: { email: ['Email is missing.'], password: ['Password is missing.'] },
    })
  }
})

test('the sixth failure for one e-mail is refused, the right password too', async ({ db }) => {
  const api = testApi(db)
  await makeUser(db, 'ada', 'admin')
  for (const email of ['ada@staff.test', 'nobody@staff.test']) {
    for (let n = 0; n < 5; n += 1)
      expect((await login(api, n % 2 ? email : email.toUpperCase(), 'wrong')).status).toBe(401)
    const blocked = await login(api, email)
    expect(blocked.status).toBe(429)
    const wait = Number(blocked.headers.get('Retry-After'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(900)
    expect(await blocked.json()).toMatchObject({ success: false, code: 'rate_limited' })
  }
})

testOnPostgres('parallel guesses do not slip past the limit', async ({ api, db }) => {
  await makeUser(db, 'ada', 'admin')
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async () => (await login(api, 'ada@staff.test', 'wrong')).status),
  )
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(7)
})

test('a /48 of IPv6 may fail eighty times over all its addresses', async ({ api }) => {
  const fail = (n: number) =>
    login(api, `nobody${n}@staff.test`, 'wrong', `2001:db8:7:${n.toString(16)}::/64`)
  for (const n of [0, 1]) expect((await fail(n)).status).toBe(401)
  await moreFailures(api, { max: 80, before: 2, after: 79 })
  expect((await fail(2)).status).toBe(401)
  expect((await fail(3)).status).toBe(429)
  expect((await login(api, 'nobody@staff.test', 'wrong', '2001:db8:8:1::/64')).status).toBe(401)
})

test('one IP may fail twenty times over all e-mails', async ({ api }) => {
  await makeUser(api.deps.db, 'ada', 'admin')
  for (let n = 0; n < 20; n += 1)
    expect((await login(api, `nobody${n}@staff.test`, 'wrong')).status).toBe(401)
  expect((await login(api, 'ada@staff.test')).status).toBe(429)
  expect((await login(api, 'ada@staff.test', testPassword, '192.0.2.2')).status).toBe(200)
})

test('a refused attempt counts for nothing, so that the block ends in time', async ({ api }) => {
  await makeUser(api.deps.db, 'ada', 'admin')
  for (let n = 0; n < 5; n += 1) await login(api, 'ada@staff.test', 'wrong')
  for (let n = 0; n < 20; n += 1) expect((await login(api, 'ada@staff.test')).status).toBe(429)
  // The IP has 5 failures, not 25.
  expect((await login(api, 'nobody@staff.test')).status).toBe(401)
  await rows(
    api.deps.db,
    sql`update rate_limits set hits = array(select h - interval '15 minutes' from unnest(hits) as h)`,
  )
  expect((await login(api, 'ada@staff.test')).status).toBe(200)
})

test('a success clears the e-mail and gives its own attempt back', async ({ api }) => {
  await makeUser(api.deps.db, 'ada', 'admin')
  for (let round = 0; round < 2; round += 1) {
    for (let n = 0; n < 4; n += 1)
      expect((await login(api, 'ada@staff.test', 'wrong')).status).toBe(401)
    await signIn(api, 'ada@staff.test')
  }
  // 8 failures from the IP so far; successes have not been counted.
  await moreFailures(api, { max: 20, before: 8, after: 19 })
  expect((await login(api, 'grace@staff.test', 'wrong')).status).toBe(401)
  expect((await login(api, 'nobody@staff.test', 'wrong')).status).toBe(429)
})
