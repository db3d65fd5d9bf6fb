import { expect } from 'vitest'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { withStatements } from '#server/db/testing.ts'
import { type TestApi, test, testApi, testOnAll } from '#server/testing.ts'
import { makeUser, moreFailures, signInAs, testPassword, tokenOf } from './testing.ts'

const email = 'ada@staff.test'

const login = async (api: TestApi, password: string = testPassword): Promise<number> =>
  (await api.request('/api/auth/login', { body: { email, password } })).status

const changePassword = async (api: TestApi, token: string): Promise<number> => {
  const body = { currentPassword: testPassword, newPassword: 'nine wandering albatrosses' }
  return (await api.request('/api/auth/password', { token, body })).status
}

/** Does `work` while the database refuses new sessions. */
const withoutSessions = async (db: Database, work: () => Promise<void>): Promise<void> => {
  await rows(
    db,
    sql`create function refuse_session() returns trigger language plpgsql as $$
      begin raise exception 'no more sessions'; end $$`,
  )
  await rows(
    db,
    sql`create trigger refuse_session before insert on sessions execute function refuse_session()`,
  )
  try {
    await work()
  } finally {
    await rows(db, sql`drop function refuse_session cascade`)
  }
}

/** The database goes away after this number of statements. */
const lostAfter = (db: Database, statements: number): Database =>
  withStatements(db, async (execute, nth) => {
    if (nth > statements) throw Object.assign(new Error('lost'), { code: 'ECONNRESET' })
    return execute()
  })

/** Five wrong ones are refused one by one and the sixth is blocked: nothing was counted before. */
const expectNothingCounted = async (api: TestApi): Promise<void> => {
  for (let n = 0; n < 5; n += 1) expect(await login(api, 'wrong')).toBe(401)
  expect(await login(api, 'wrong')).toBe(429)
}

test('a right password counts for nothing where no session can be stored', async ({ db }) => {
  const api = testApi(db)
  await makeUser(db, 'ada', 'admin')
  await withoutSessions(db, async () => {
    for (let n = 0; n < 6; n += 1) expect(await login(api)).toBe(500)
  })
  expect(await rows(db, sql`select from rate_limits where cardinality(hits) > 0`)).toEqual([])
  await expectNothingCounted(api)
})

testOnAll('nor where the change of a password cannot be stored', async ({ api, db }) => {
  const { token } = await signInAs(api.deps, 'admin', 'ada')
  await withoutSessions(db, async () => {
    for (let n = 0; n < 6; n += 1) expect(await changePassword(api, token)).toBe(500)
  })
  await expectNothingCounted(api)
})

test('a password that could not be checked counts for nothing', async ({ api, db }) => {
  await makeUser(db, 'ada', 'admin')
  const [stored] = await rows<{ hash: string }>(db, sql`select password_hash as hash from users`)
  await rows(db, sql`update users set password_hash = 'what argon2 cannot read'`)
  for (let n = 0; n < 6; n += 1) expect(await login(api)).toBe(500)
  await rows(db, sql`update users set password_hash = ${stored?.hash ?? ''}`)
  await expectNothingCounted(api)
})

test('a database that is lost during a sign-in leaves nothing counted a minute later', async ({
  api,
}) => {
  const { db } = api.deps
  await makeUser(db, 'ada', 'admin')
  for (let n = 0; n < 5; n += 1) expect(await login(testApi(lostAfter(db, 1)))).toBe(503)
  await rows(
    db,
    sql`update rate_limits set hits = array(select h - interval '1 minute' from unnest(hits) as h)`,
  )
  await expectNothingCounted(api)
})

testOnAll('wrong passwords count once each, also those that were sent at once', async ({ db }) => {
  const api = testApi(db)
  await makeUser(db, 'ada', 'admin')
  const answers = await Promise.all(Array.from({ length: 3 }, () => login(api, 'wrong')))
  expect(answers).toEqual([401, 401, 401])
  const [counted] = await rows<{ most: number; oldest: boolean }>(
    db,
    sql`select max(cardinality(hits)) as most,
      min(hits[1]) > now() - interval '5 minutes' as oldest from rate_limits`,
  )
  expect(counted).toEqual({ most: 3, oldest: true })
  expect(await login(api, 'wrong')).toBe(401)
  expect(await login(api, 'wrong')).toBe(401)
  expect(await login(api)).toBe(429)
})

test('a success leaves the failures of others at the same IP counted', async ({ api }) => {
  const ada = await makeUser(api.deps.db, 'ada', 'admin')
  await api.request('/api/auth/login', { body: { email: 'grace@staff.test', password: 'wrong' } })
  await moreFailures(api, { max: 20, before: 1, after: 19 })
  expect(await login(api)).toBe(200)
  expect(await changePassword(api, await tokenOf(api.deps, ada))).toBe(200)
  expect(await login(api, 'wrong')).toBe(401)
  expect(await login(api, 'wrong')).toBe(429)
})

test('a hash that cannot be made stronger does not refuse the sign-in', async ({ api }) => {
  const { db } = api.deps
  const { hash } = await import('argon2')
  await makeUser(db, 'ada', 'admin')
  const weak = await hash(testPassword, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
  await rows(db, sql`update users set password_hash = ${weak}`)
  const losing = testApi(lostAfter(db, 2))
  expect(await login(losing)).toBe(200)
  expect(losing.logged.map(({ event }) => event)).toContain('hash_not_strengthened')
  expect(await login(api)).toBe(200)
})
