import { expect } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type TestApi, test } from '#server/testing.ts'
import { flags, type PasskeyAnswer, SoftPasskey, type Twist } from '#tests/authenticator.ts'
import { type Answer, addPasskey, call, origin, post } from '#tests/second-factors.ts'
import { signInAs, testPassword } from '../testing.ts'

/** Answers of passkeys that prove nothing, each made by a real key and wrong in one thing. */

const { USER_PRESENT, USER_VERIFIED, BACKUP_ELIGIBLE, BACKED_UP, ATTESTED } = flags
const both = USER_PRESENT | USER_VERIFIED

const changed =
  (field: string, value: unknown) =>
  (answer: PasskeyAnswer): void => {
    answer.response[field] = value
  }

const flipped = (field: string) => (answer: PasskeyAnswer) => {
  const bytes = Buffer.from(String(answer.response[field]), 'base64url')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  answer.response[field] = bytes.toString('base64url')
}

/** What is wrong with both ceremonies alike. */
const common: Record<string, Twist> = {
  'another origin': { origin: 'https://evil.test' },
  'the origin over http': { origin: 'http://fledge.test' },
  'the origin with another port': { origin: 'https://fledge.test:8443' },
  'a subdomain’s origin': { origin: 'https://www.fledge.test' },
  'an origin that begins alike': { origin: 'https://fledge.test.evil.test' },
  'no origin': { origin: '' },
  'another RP ID': { rpId: 'evil.test' },
  'a subdomain as RP ID': { rpId: 'www.fledge.test' },
  'another challenge': { challenge: Buffer.alloc(32).toString('base64url') },
  'an empty challenge': { challenge: '' },
  'another ceremony’s type': { type: 'payment.get' },
  'a frame of another site': { crossOrigin: true },
  'a top origin': { crossOrigin: true, topOrigin: 'https://evil.test' },
  'no client data': { tamper: changed('clientDataJSON', undefined) },
  'client data that is no JSON': { tamper: changed('clientDataJSON', 'AAAA') },
  'client data that is a number': { tamper: changed('clientDataJSON', 7) },
  'no credential id': { tamper: (answer) => Object.assign(answer, { id: '' }) },
  'two credential ids': { tamper: (answer) => Object.assign(answer, { rawId: 'AAAA' }) },
  'another credential type': { tamper: (answer) => Object.assign(answer, { type: 'password' }) },
  'no response': { tamper: (answer) => Object.assign(answer, { response: null }) },
}

const signIns: Record<string, Twist> = {
  ...common,
  'the type of a registration': { type: 'webauthn.create' },
  'another key’s signature': { otherKey: true },
  'a changed signature': { tamper: flipped('signature') },
  'an empty signature': { tamper: changed('signature', '') },
  'changed authenticator data': { tamper: flipped('authenticatorData') },
  'no authenticator data': { tamper: changed('authenticatorData', '') },
  'too short authenticator data': { tamper: changed('authenticatorData', 'AAAA') },
  'nobody present': { flags: USER_VERIFIED },
  'nobody verified': { flags: USER_PRESENT },
  'no flags': { flags: 0 },
  'a backup of a key that has none': { flags: both | BACKED_UP },
  'a key that turned eligible for backup': { flags: both | BACKUP_ELIGIBLE },
  'a key that turned backed up': { flags: both | BACKUP_ELIGIBLE | BACKED_UP },
  'a counter that stands still': { counter: 1 },
  'a counter that starts again': { counter: 0 },
  'another account’s user handle': { userHandle: Buffer.from('somebody').toString('base64url') },
  'a credential that nobody has': {
    tamper: (answer) => Object.assign(answer, { id: 'AAAA', rawId: 'AAAA' }),
  },
}

const registrations: Record<string, Twist> = {
  ...common,
  'the type of a sign-in': { type: 'webauthn.get' },
  'nobody present': { flags: USER_VERIFIED | ATTESTED },
  'nobody verified': { flags: USER_PRESENT | ATTESTED },
  'no credential': { flags: both },
  'a backup of a key that has none': { flags: both | ATTESTED | BACKED_UP },
  'an algorithm that was not offered': {
    cose: new SoftPasskey({ origin, algorithm: 'es384' }).key.cose,
  },
  'a key that is none': { cose: Buffer.from([0xa0]) },
  'an unknown attestation': { format: 'compound' },
  'a statement where there is none': { statement: new Map([['x', 'y']]) },
  'a certificate, which could name addresses': {
    format: 'packed',
    statement: new Map<string, number | Uint8Array | string>([
      ['alg', -7],
      ['sig', Buffer.alloc(70)],
      ['x5c', 'https://evil.test'],
    ]),
  },
  'an attestation by nobody': {
    format: 'packed',
    statement: new Map<string, number | Uint8Array>([
      ['alg', -7],
      ['sig', Buffer.alloc(70)],
    ]),
  },
  'a device’s attestation': { format: 'android-safetynet' },
  'no attestation object': { tamper: changed('attestationObject', undefined) },
  'an attestation object that is none': { tamper: changed('attestationObject', 'AAAA') },
}

const begin = async (api: TestApi, path: string, token?: string) =>
  (await post(api, path, undefined, token)).body.data

const signIn = async (api: TestApi, passkey: SoftPasskey, twist: Twist = {}): Promise<Answer> => {
  const { challenge, options } = await begin(api, '/api/auth/passkeys/sign-in/options')
  const response = passkey.get(options, twist)
  return post(api, '/api/auth/passkeys/sign-in', { challenge, response })
}

const refused = {
  status: 401,
  body: { code: 'invalid_credentials', message: 'Invalid credentials' },
}

test('the table holds 60 cases and more', () => {
  const count = Object.keys(signIns).length + Object.keys(registrations).length
  expect(count).toBeGreaterThanOrEqual(60)
})

test('no sign-in with a wrong answer of a passkey', async ({ api }) => {
  const ada = await signInAs(api.deps, 'admin', 'ada')
  const { passkey } = await addPasskey(api, ada.token)
  for (const [name, twist] of Object.entries(signIns)) {
    expect(await signIn(api, passkey, twist), name).toMatchObject(refused)
    // The options are limited by IP, which is not what this is about.
    await rows(api.deps.db, sql`delete from rate_limits`)
  }
  expect((await signIn(api, passkey)).status).toBe(200)
  // From then on the counter stands above what was refused.
  expect((await signIn(api, passkey, { counter: passkey.counter })).status).toBe(401)
})

test('no new passkey from a wrong answer', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'admin', 'ada')
  const add = async (passkey: SoftPasskey, twist?: Twist) => {
    const { challenge, options } = await begin(api, '/api/auth/passkeys/options', token)
    const body = { challenge, response: passkey.create(options, twist), name: 'Key' }
    return post(api, '/api/auth/passkeys', body, token)
  }
  for (const [name, twist] of Object.entries(registrations))
    expect(await add(new SoftPasskey({ origin }), twist), name).toMatchObject(refused)
  // One byte more than the standard allows, and more than an index of the database holds.
  for (const idBytes of [1_024, 5_000])
    expect(await add(new SoftPasskey({ origin, idBytes })), `${idBytes}`).toMatchObject(refused)
  const [left] = await rows<{ n: number }>(
    api.deps.db,
    sql`select (select count(*) from passkeys) + (select count(*) from challenges)
      + (select count(*) from recovery_codes) as n`,
  )
  expect(left?.n).toBe(0)
  expect((await add(new SoftPasskey({ origin, idBytes: 1_023 }))).status).toBe(201)
})

test('keys of every kind that is offered sign in', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'admin', 'ada')
  for (const algorithm of ['es256', 'ed25519', 'rs256'] as const) {
    const { passkey } = await addPasskey(api, token, new SoftPasskey({ origin, algorithm }))
    expect((await signIn(api, passkey)).status, algorithm).toBe(200)
    expect((await signIn(api, passkey, { userHandle: null })).status, algorithm).toBe(200)
    // Some clients send what they do not have as null.
    const sparse = (answer: PasskeyAnswer) => {
      answer.response.userHandle = null
      Object.assign(answer, { clientExtensionResults: null })
    }
    expect((await signIn(api, passkey, { tamper: sparse })).status, algorithm).toBe(200)
  }
})

test('a synced key is not held to its counter', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'admin', 'ada')
  const { passkey, answer } = await addPasskey(
    api,
    token,
    new SoftPasskey({ origin, synced: true }),
  )
  expect(answer.body.data.synced).toBe(true)
  for (const counter of [0, 7, 7, 3, 0])
    expect((await signIn(api, passkey, { counter })).status).toBe(200)
  expect((await signIn(api, passkey, { flags: both })).status).toBe(401)
})

test('a challenge is for one ceremony, one account, one answer, five minutes', async ({ api }) => {
  const { db } = api.deps
  const ada = await signInAs(api.deps, 'admin', 'ada')
  const eve = await signInAs(api.deps, 'admin', 'eve')
  const { passkey } = await addPasskey(api, ada.token)
  const add = (challenge: string, options: unknown, token: string) => {
    const response = new SoftPasskey({ origin }).create(options)
    return post(api, '/api/auth/passkeys', { challenge, response, name: 'Key' }, token)
  }

  const own = await begin(api, '/api/auth/passkeys/options', ada.token)
  expect(await add(own.challenge, own.options, eve.token)).toMatchObject(refused)
  const asked = await begin(api, '/api/auth/passkeys/sign-in/options')
  expect(await add(asked.challenge, asked.options, ada.token)).toMatchObject(refused)
  const crossed = { challenge: own.challenge, response: passkey.get(own.options) }
  expect(await post(api, '/api/auth/passkeys/sign-in', crossed)).toMatchObject(refused)

  const wrong = {
    challenge: asked.challenge,
    response: passkey.get(asked.options, { otherKey: true }),
  }
  expect(await post(api, '/api/auth/passkeys/sign-in', wrong)).toMatchObject(refused)
  const right = { challenge: asked.challenge, response: passkey.get(asked.options) }
  expect(await post(api, '/api/auth/passkeys/sign-in', right)).toMatchObject(refused)

  const late = await begin(api, '/api/auth/passkeys/sign-in/options')
  await rows(db, sql`update challenges set expires_at = expires_at - interval '5 minutes'`)
  const tooLate = { challenge: late.challenge, response: passkey.get(late.options) }
  expect(await post(api, '/api/auth/passkeys/sign-in', tooLate)).toMatchObject(refused)

  // A registration raced by 100 makes one passkey.
  const raced = await begin(api, '/api/auth/passkeys/options', eve.token)
  const response = new SoftPasskey({ origin }).create(raced.options)
  const body = { challenge: raced.challenge, response, name: 'Key' }
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => post(api, '/api/auth/passkeys', body, eve.token)),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(99)
  // The same key again, by its owner or another, is refused.
  const again = await begin(api, '/api/auth/passkeys/options', ada.token)
  const copy = { challenge: again.challenge, response: passkey.create(again.options), name: 'Copy' }
  expect(await post(api, '/api/auth/passkeys', copy, ada.token)).toMatchObject(refused)
})

test('another account’s passkey neither steps up nor answers for the password', async ({ api }) => {
  const ada = await signInAs(api.deps, 'admin', 'ada')
  const eve = await signInAs(api.deps, 'admin', 'eve')
  await addPasskey(api, ada.token)
  const { passkey } = await addPasskey(api, eve.token)
  const { challenge, options } = await begin(api, '/api/auth/passkeys/sign-in/options')
  const stepUp = { challenge, response: passkey.get(options) }
  expect(await post(api, '/api/auth/step-up', stepUp, ada.token)).toMatchObject(refused)
  const { body } = await post(api, '/api/auth/login', { email: ada.email, password: testPassword })
  const { secondFactor } = body
  const answer = {
    challenge: secondFactor.challenge,
    response: passkey.get(secondFactor.options),
  }
  expect(await post(api, '/api/auth/second-factor', answer)).toMatchObject(refused)
  const path = `/api/auth/passkeys/${(await call(api, '/api/auth/factors', { token: eve.token })).body.data.passkeys[0]._id}`
  const rename = { method: 'PUT', token: ada.token, body: { name: 'Mine' } }
  expect((await call(api, path, rename)).status).toBe(404)
  expect((await call(api, path, { method: 'DELETE', token: ada.token })).status).toBe(404)
})

test('one IP asks for sixty options in a quarter of an hour', async ({ api }) => {
  const ask = () => post(api, '/api/auth/passkeys/sign-in/options')
  for (let n = 0; n < 60; n += 1) expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(429)
})
