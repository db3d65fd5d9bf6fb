import { expect } from 'vitest'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { test, testApi, testConfig, testOnAll, testOnPostgres } from '#server/testing.ts'
import { brand } from '#site/content.ts'
import { addPasskey, addTotp, call, codeOf, login, post } from '#tests/second-factors.ts'
import { signInAs, testPassword, tokenOf } from '../testing.ts'

/** The kinds of the audit log, oldest first. */
const kinds = async (db: Database): Promise<string[]> => {
  const found = await rows<{ kind: string }>(db, sql`select kind from events order by id`)
  return found.map(({ kind }) => kind)
}

const subjects = async (db: Database): Promise<string[]> => {
  const found = await rows<{ subject: string }>(
    db,
    sql`select subject from mail where kind = 'account' order by id`,
  )
  return found.map(({ subject }) => subject)
}

testOnAll(
  'an authenticator app is asked for after the password, each code once',
  async ({ api, db }) => {
    const ada = await signInAs(api.deps, 'admin', 'ada')
    const { secret, used, recoveryCodes } = await addTotp(api, ada.token)
    expect(recoveryCodes).toHaveLength(10)
    // 24 of 32 characters: 120 random bits.
    const group = '[0-9a-hjkmnp-tv-z]{4}'
    for (const code of recoveryCodes) expect(code).toMatch(new RegExp(`^${group}(?:-${group}){5}$`))

    const first = await login(api, ada)
    expect(first.body).toEqual({
      success: true,
      secondFactor: {
        challenge: expect.any(String),
        methods: ['totp', 'recovery'],
        expiresAt: expect.any(String),
      },
    })
    const { challenge } = first.body.secondFactor
    // Confirming has used this one.
    const usedUp = await post(api, '/api/auth/second-factor', { challenge, code: used })
    expect(usedUp).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    const code = codeOf(secret, 1)
    const signedIn = await post(api, '/api/auth/second-factor', { challenge, code })
    expect(signedIn.body).toMatchObject({ success: true, user: { email: ada.email } })
    const { token } = signedIn.body
    expect((await call(api, '/api/auth/me', { token })).status).toBe(200)

    const again = await login(api, ada)
    const { challenge: next } = again.body.secondFactor
    const reused = await post(api, '/api/auth/second-factor', { challenge: next, code })
    expect(reused.status).toBe(401)
    const stepUp = (own: string) =>
      post(api, '/api/auth/step-up', { password: testPassword, code: own }, token)
    expect((await stepUp(code)).status).toBe(401)
    await rows(db, sql`update totp_secrets set used_steps = '{}'`)
    expect((await stepUp(codeOf(secret))).status).toBe(200)

    const { body: factors } = await call(api, '/api/auth/factors', { token })
    expect(factors.data).toEqual({
      passkeys: [],
      totp: { confirmedAt: expect.any(String) },
      recoveryCodes: 10,
      required: false,
    })
    expect(await kinds(db)).toEqual(['factor_added', 'sign_in_refused', 'sign_in', 'step_up'])
    expect(await subjects(db)).toEqual([`A way to sign in was added | ${brand().name}`])
  },
)

testOnPostgres(
  'a recovery code works once, also when it comes a hundred times at once',
  async ({ api, db }) => {
    const ada = await signInAs(api.deps, 'admin', 'ada')
    const { recoveryCodes } = await addTotp(api, ada.token)
    const challenges = await Promise.all(
      Array.from({ length: 4 }, async () => (await login(api, ada)).body.secondFactor.challenge),
    )
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        post(api, '/api/auth/second-factor', {
          challenge: challenges[n % challenges.length],
          recoveryCode: recoveryCodes[0]?.toUpperCase().replaceAll('-', ' '),
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => ![200, 401, 429].includes(status))).toEqual([])
    const [left] = await rows<{ n: number }>(db, sql`select count(*) as n from recovery_codes`)
    expect(left?.n).toBe(9)
    expect(await subjects(db)).toContain(`A recovery code was used | ${brand().name}`)
  },
)

testOnPostgres(
  'a code confirms, signs in or steps up once, also when it comes a hundred times at once',
  async ({ api, db }) => {
    const ada = await signInAs(api.deps, 'admin', 'ada')
    const { secret } = (await post(api, '/api/auth/totp', undefined, ada.token)).body.data
    const confirmed = await Promise.all(
      Array.from({ length: 100 }, () =>
        post(api, '/api/auth/totp/confirm', { code: codeOf(secret) }, ada.token),
      ),
    )
    expect(confirmed.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(confirmed.filter(({ status }) => status === 401)).toHaveLength(99)
    const { body } = await call(api, '/api/auth/factors', { token: ada.token })
    expect(body.data.recoveryCodes).toBe(10)

    await rows(db, sql`update totp_secrets set used_steps = '{}'`)
    const challenges = await Promise.all(
      Array.from({ length: 4 }, async () => (await login(api, ada)).body.secondFactor.challenge),
    )
    const code = codeOf(secret)
    const raced = await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        const challenge = challenges[n % 5]
        return challenge === undefined
          ? post(api, '/api/auth/step-up', { password: testPassword, code }, ada.token)
          : post(api, '/api/auth/second-factor', { challenge, code })
      }),
    )
    expect(raced.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(raced.filter(({ status }) => ![200, 401, 429].includes(status))).toEqual([])
  },
)

testOnPostgres(
  'a passkey signs in alone, steps up, and is one challenge’s one answer',
  async ({ api, db }) => {
    const ada = await signInAs(api.deps, 'superuser', 'ada')
    const { passkey, answer } = await addPasskey(api, ada.token)
    expect(answer.body.data).toMatchObject({ name: 'Laptop', synced: false, lastUsedAt: null })
    expect(answer.body.data.recoveryCodes).toHaveLength(10)

    const { body } = await post(api, '/api/auth/passkeys/sign-in/options')
    expect(body.data.options).toMatchObject({ rpId: 'fledge.test', userVerification: 'required' })
    expect(body.data.options.allowCredentials).toBeUndefined()
    const { challenge, options } = body.data
    const response = passkey.get(options)
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        post(api, '/api/auth/passkeys/sign-in', { challenge, response }),
      ),
    )
    const [signedIn, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(99)
    const token = signedIn?.body.token

    await rows(db, sql`update sessions set step_up_until = now() - interval '1 second'`)
    const change = () => call(api, `/api/users/${ada.id}`, { method: 'PUT', token, body: {} })
    expect(await change()).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
    const { body: asked } = await post(api, '/api/auth/passkeys/sign-in/options')
    const stepped = await post(
      api,
      '/api/auth/step-up',
      { challenge: asked.data.challenge, response: passkey.get(asked.data.options) },
      token,
    )
    expect(stepped.status).toBe(200)
    const ahead = Date.parse(stepped.body.data.until) - Date.now()
    expect(Math.abs(ahead - 15 * 60_000)).toBeLessThan(60_000)
    expect((await change()).status).toBe(200)
  },
)

test('a passkey is a second factor after the password too', async ({ api }) => {
  const ada = await signInAs(api.deps, 'admin', 'ada')
  const { passkey } = await addPasskey(api, ada.token)
  const { body } = await login(api, ada)
  expect(body.secondFactor.methods).toEqual(['recovery', 'passkey'])
  const { challenge, options } = body.secondFactor
  expect(options.allowCredentials).toMatchObject([{ id: passkey.id, type: 'public-key' }])
  const answer = await post(api, '/api/auth/second-factor', {
    challenge,
    response: passkey.get(options),
  })
  expect(answer.body.user).toMatchObject({ username: 'ada' })
})

test('five wrong second factors end a challenge, and count as failed sign-ins', async ({ api }) => {
  const ada = await signInAs(api.deps, 'admin', 'ada')
  const { secret } = await addTotp(api, ada.token)
  const { challenge } = (await login(api, ada)).body.secondFactor
  for (let n = 0; n < 5; n += 1)
    expect((await post(api, '/api/auth/second-factor', { challenge, code: '000000' })).status).toBe(
      401,
    )
  expect((await login(api, ada)).status).toBe(429)
  await rows(api.deps.db, sql`delete from rate_limits`)
  expect(
    (await post(api, '/api/auth/second-factor', { challenge, code: codeOf(secret, 1) })).status,
  ).toBe(401)
})

test('until the second factor is right, failures stay counted', async ({ api }) => {
  const ada = await signInAs(api.deps, 'admin', 'ada')
  const { secret } = await addTotp(api, ada.token)
  for (let n = 0; n < 4; n += 1) await login(api, ada, { password: 'wrong' })
  const { challenge } = (await login(api, ada)).body.secondFactor
  expect((await post(api, '/api/auth/second-factor', { challenge, code: '12' })).status).toBe(401)
  expect((await login(api, ada)).status).toBe(429)
  expect(
    (await post(api, '/api/auth/second-factor', { challenge, code: codeOf(secret, 1) })).status,
  ).toBe(429)
  await rows(api.deps.db, sql`delete from rate_limits`)
  expect(
    (await post(api, '/api/auth/second-factor', { challenge, code: codeOf(secret, 1) })).status,
  ).toBe(200)
})

testOnAll(
  'the last factor stays where the role needs one, also when all go at once',
  async ({ db }) => {
    const config = { ...testConfig, requireSecondFactor: 'admin' as const }
    const api = testApi(db, { config })
    const ada = await signInAs(api.deps, 'admin', 'ada')
    const { token } = ada
    const needs = await call(api, '/api/contacts', { token })
    expect(needs).toMatchObject({ status: 403, body: { code: 'second_factor_required' } })
    expect((await call(api, '/api/auth/me', { token })).status).toBe(200)
    // It has none to list, and may do nothing but add one.
    expect((await call(api, '/api/auth/factors', { token })).status).toBe(403)
    await addTotp(api, token)
    expect((await call(api, '/api/auth/factors', { token })).status).toBe(200)
    const { answer } = await addPasskey(api, token)
    expect(answer.body.data.recoveryCodes).toBeUndefined()
    expect((await call(api, '/api/contacts', { token })).status).toBe(200)

    const removals = await Promise.all([
      call(api, '/api/auth/totp', { method: 'DELETE', token }),
      call(api, `/api/auth/passkeys/${answer.body.data._id}`, { method: 'DELETE', token }),
    ])
    expect(removals.map(({ status }) => status).sort()).toEqual([200, 409])
    const editor = await signInAs(api.deps, 'editor')
    await addTotp(api, editor.token)
    const removed = await call(api, '/api/auth/totp', { method: 'DELETE', token: editor.token })
    expect(removed.status).toBe(200)
    const [codes] = await rows<{ n: number }>(
      db,
      sql`select count(*) as n from recovery_codes where user_id = ${editor.id}::uuid`,
    )
    expect(codes?.n).toBe(0)
    expect((await post(api, '/api/auth/recovery-codes', undefined, editor.token)).status).toBe(409)
  },
)

test('an account that must change its password may do that, sign out, and nothing else', async ({
  api,
}) => {
  const boss = await signInAs(api.deps, 'superuser')
  const ada = await signInAs(api.deps, 'editor', 'ada')
  const body = { mustChangePassword: true }
  await call(api, `/api/users/${ada.id}`, { method: 'PUT', token: boss.token, body })
  const token = await tokenOf(api.deps, ada)
  const refused = await call(api, '/api/contacts', { token })
  expect(refused).toMatchObject({ status: 403, body: { code: 'password_change_required' } })
  expect((await call(api, '/api/auth/factors', { token })).status).toBe(403)
  expect((await call(api, '/api/auth/me', { token })).status).toBe(200)
  const same = { currentPassword: testPassword, newPassword: testPassword }
  expect((await post(api, '/api/auth/password', same, token)).status).toBe(400)
  const other = { currentPassword: testPassword, newPassword: 'nine wandering albatrosses' }
  const changed = await post(api, '/api/auth/password', other, token)
  expect((await call(api, '/api/contacts', { token: changed.body.token })).status).toBe(200)
})

test('five wrong codes after a right password are told to the owner, once a day', async ({
  api,
  db,
}) => {
  const ada = await signInAs(api.deps, 'editor', 'ada')
  await addTotp(api, ada.token)
  const told = async () =>
    (await subjects(db)).filter((subject) => subject.startsWith('Somebody knows your password'))
  /** Codes in any number of sign-ins, each after the limit of the last has passed. */
  const guess = async (times: number) => {
    await rows(db, sql`delete from rate_limits where key like 'sign-in-%'`)
    const { challenge } = (await login(api, ada)).body.secondFactor
    for (let n = 0; n < times; n += 1)
      expect(
        (await post(api, '/api/auth/second-factor', { challenge, code: '000000' })).status,
      ).toBe(401)
  }
  await post(api, '/api/auth/login', { email: ada.email, password: 'wrong' })
  await guess(3)
  expect(await told()).toEqual([])
  await guess(2)
  expect(await told()).toHaveLength(1)
  await guess(4)
  await guess(4)
  expect(await told()).toHaveLength(1)
  await rows(
    db,
    sql`with mail as (update mail set created_at = created_at - interval '1 day')
      update rate_limits set hits = array(select h - interval '1 day' from unnest(hits) as h)`,
  )
  await guess(4)
  expect(await told()).toHaveLength(1)
  await guess(1)
  expect(await told()).toHaveLength(2)
})
