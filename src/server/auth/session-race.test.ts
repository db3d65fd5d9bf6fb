import { expect } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { overlap, type TestApi, testApi, testOnPostgres } from '#server/testing.ts'
import { accountLimits } from './attempt.ts'
import { ensureFirstSuperuser } from './first-superuser.ts'
import { resetPassword } from './store/passwords.ts'
import { makeUser, signInAs, type TestUser, testPassword, tokenOf } from './testing.ts'

/**
 * A sign-in and a change of the account at the same moment. One of the two runs in a transaction that
 * is committed only when the other waits for it, so the order is always the same.
 */

const newPassword = 'nine wandering albatrosses'

const login = async (
  api: TestApi,
  { email }: Pick<TestUser, 'email'>,
): Promise<{ status: number; token: string }> => {
  const response = await api.request('/api/auth/login', {
    body: { email, password: testPassword },
  })
  const { token = '' } = (await response.json()) as { token?: string }
  return { status: response.status, token }
}

type Change = (api: TestApi, user: TestUser & { token: string }, boss: string) => Promise<unknown>

const update =
  (body: object): Change =>
  async (api, { id }, token) => {
    const response = await api.request(`/api/users/${id}`, { method: 'PUT', token, body })
    expect(response.status).toBe(200)
  }

const changes: Record<string, Change> = {
  'a new role': update({ role: 'reviewer' }),
  'a new e-mail': update({ email: 'lovelace@staff.test' }),
  'a new password': update({ password: newPassword }),
  'a new password of one’s own': async (api, { token }) => {
    const body = { currentPassword: testPassword, newPassword }
    expect((await api.request('/api/auth/password', { token, body })).status).toBe(200)
  },
  'a password that a command resets': async ({ deps }, { email }) => {
    const notice = { subject: '', text: '', html: '' }
    const notices = { password: notice, factors: notice }
    const forget = accountLimits(deps.config, { email, devices: [] })
    const reset = { email, newHash: 'no hash', removeFactors: false, forget, notices }
    expect(await resetPassword(deps.db, reset)).toBe(true)
  },
  'the end of all sessions': async (api, { id }, token) => {
    const path = `/api/users/${id}/sessions`
    expect((await api.request(path, { method: 'DELETE', token })).status).toBe(200)
  },
  'a deletion': async (api, { id }, token) => {
    expect((await api.request(`/api/users/${id}`, { method: 'DELETE', token })).status).toBe(200)
  },
}

for (const [name, change] of Object.entries(changes))
  testOnPostgres(`a session that begins just before ${name} is over with it`, async ({ db }) => {
    const api = testApi(db)
    const boss = await signInAs(api.deps, 'superuser')
    const ada = await signInAs(api.deps, 'admin', 'ada')
    const [begun] = await overlap(
      db,
      (inside) => login(inside, ada),
      () => change(api, ada, boss.token),
    )
    expect(begun.status).toBe(200)
    expect((await api.request('/api/auth/me', { token: begun.token })).status).toBe(401)
    expect((await api.request('/api/auth/me', { token: boss.token })).status).toBe(200)
  })

testOnPostgres('a session that begins just before a promotion is over with it', async ({ db }) => {
  const api = testApi(db)
  const ada = await makeUser(db, 'ada', 'admin')
  const [begun] = await overlap(
    db,
    (inside) => login(inside, ada),
    () => ensureFirstSuperuser(api.deps),
  )
  expect((await api.request('/api/auth/me', { token: begun.token })).status).toBe(401)
  const token = await tokenOf(api.deps, ada)
  expect(await (await api.request('/api/auth/me', { token })).json()).toMatchObject({
    data: { role: 'superuser' },
  })
})

for (const [name, status] of [
  ['a new role', 200],
  ['a new password', 401],
  ['a new password of one’s own', 401],
  ['a password that a command resets', 401],
  ['a deletion', 401],
] as const)
  testOnPostgres(`a sign-in that ends just after ${name} is answered ${status}`, async ({ db }) => {
    const api = testApi(db)
    const boss = await signInAs(api.deps, 'superuser')
    const ada = await signInAs(api.deps, 'admin', 'ada')
    const [, late] = await overlap(
      db,
      (inside) => changes[name]?.(inside, ada, boss.token) ?? Promise.reject(new Error(name)),
      () => login(api, ada),
    )
    expect(late.status).toBe(status)
    expect((await api.request('/api/auth/me', { token: late.token })).status).toBe(status)
    const counted = await rows(db, sql`select 1 from rate_limits where cardinality(hits) > 0`)
    expect(counted).toEqual([])
  })

testOnPostgres('a sign-in succeeds while another makes the hash stronger', async ({ api, db }) => {
  const ada = await makeUser(db, 'ada', 'admin')
  const { hash } = await import('argon2')
  const weak = await hash(testPassword, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
  await rows(db, sql`update users set password_hash = ${weak}`)
  const [first, second] = await overlap(
    db,
    (inside) => login(inside, ada),
    () => login(api, ada),
  )
  for (const { status, token } of [first, second]) {
    expect(status).toBe(200)
    expect((await api.request('/api/auth/me', { token })).status).toBe(200)
  }
})
