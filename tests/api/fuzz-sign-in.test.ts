import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { signInAs } from '#server/auth/testing.ts'
import { test } from '#server/testing.ts'
import { type PasskeyAnswer, SoftPasskey } from '#tests/authenticator.ts'
import { type Answer, addPasskey, addTotp, login, origin } from '#tests/second-factors.ts'

/** Answers to real challenges that are right but for some bytes: they reach the parsers and checks behind the schemas. */

const signed = ['clientDataJSON', 'authenticatorData', 'signature'] as const
const made = ['clientDataJSON', 'attestationObject'] as const
const idSizes = [32, 32, 32, 32, 1, 1_023, 5_000, 20_000]

type Change = (bytes: Buffer) => Buffer

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })).map(
    ([at, by]): Change =>
      (bytes) => {
        const changed = Buffer.from(bytes)
        const index = at % changed.length
        changed[index] = (changed[index] ?? 0) ^ by
        return changed
      },
  ),
  fc.nat().map(
    (at): Change =>
      (bytes) =>
        bytes.subarray(0, at % bytes.length),
  ),
  fc.tuple(fc.nat(), fc.constantFrom(1, 3, 8, 500, 6_000)).map(
    ([at, count]): Change =>
      (bytes) => {
        const index = at % bytes.length
        return Buffer.concat([bytes.subarray(0, index), randomBytes(count), bytes.subarray(index)])
      },
  ),
  // Heads of CBOR that promise more than there is, or go on for ever.
  fc
    .tuple(fc.nat(), fc.constantFrom('9bffffffffffffffff', '5bffffffffffffffff', 'bf', '9f', 'f9'))
    .map(
      ([at, head]): Change =>
        (bytes) => {
          const index = at % bytes.length
          return Buffer.concat([bytes.subarray(0, index), Buffer.from(head, 'hex')])
        },
    ),
)

const changed = (answer: PasskeyAnswer, field: string, by: Change): PasskeyAnswer => {
  const right = Buffer.from(String(answer.response[field]), 'base64url')
  let bytes = by(right)
  // A change that happens to change nothing, or to add bytes at the end of a signature alone.
  if (bytes.subarray(0, right.length).equals(right))
    bytes = Buffer.concat([Buffer.from([(right[0] ?? 0) ^ 1]), right.subarray(1)])
  return { ...answer, response: { ...answer.response, [field]: bytes.toString('base64url') } }
}

const secret = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('', '\u0000', '\ud800', '１２３４５６', '000000', '0'.repeat(99), '%00', '../x'),
)

const RUNS = 120

test('no answer to a challenge that was changed signs in or causes a 5xx', {
  timeout: 300_000,
}, async ({ api }) => {
  const ada = await signInAs(api.deps, 'superuser', 'ada')
  await addTotp(api, ada.token)
  const { passkey } = await addPasskey(api, ada.token)
  let calls = 0
  const send = async (path: string, body?: unknown): Promise<Answer> => {
    calls += 1
    // One IP per call; otherwise the limit answers instead of the handlers.
    const ip = `198.51.${calls >> 8}.${calls & 255}`
    const { token } = ada
    const response = await api.request(path, {
      method: 'POST',
      token,
      ip,
      ...(body ? { body } : {}),
    })
    const answer = { status: response.status, body: JSON.parse(await response.text()) }
    expect(answer.status, `${path} ${JSON.stringify(body)}`).toBeLessThan(500)
    return answer
  }
  const ask = async (path: string) => (await send(path)).body.data
  const refused = async (path: string, body: unknown) =>
    expect((await send(path, body)).status, `${path} ${JSON.stringify(body)}`).toBeGreaterThan(399)

  const shots = fc.sample(fc.tuple(fc.nat(), change, secret), { numRuns: RUNS, seed: 20_261_122 })
  for (const [n, by, text] of shots) {
    const signedField = signed[n % signed.length] ?? 'signature'
    const asked = await ask('/api/auth/passkeys/sign-in/options')
    const answer = {
      challenge: asked.challenge,
      response: changed(passkey.get(asked.options), signedField, by),
    }
    await refused(n % 2 ? '/api/auth/passkeys/sign-in' : '/api/auth/step-up', answer)

    const adding = await ask('/api/auth/passkeys/options')
    const idBytes = idSizes[n % idSizes.length] ?? 0
    const created = new SoftPasskey({ origin, idBytes }).create(adding.options)
    const field = made[n % made.length] ?? 'attestationObject'
    // A new key is signed by nobody: another one than the browser made may be stored.
    await send('/api/auth/passkeys', {
      challenge: adding.challenge,
      response: idBytes === 32 ? changed(created, field, by) : created,
      name: 'Key',
    })

    await refused('/api/auth/second-factor', { challenge: text || 'x', code: text })
    await refused('/api/auth/totp/confirm', { code: text })
    await refused('/api/auth/invitation', { token: text })
    await refused('/api/auth/invitation/accept', { token: text, username: 'eve', password: text })
    await refused('/api/auth/reset/confirm', { token: text, newPassword: 'a plain new passphrase' })
  }
  const { secondFactor } = (await login(api, ada)).body
  const response = changed(passkey.get(secondFactor.options), 'signature', (bytes) =>
    bytes.subarray(1),
  )
  await refused('/api/auth/second-factor', { challenge: secondFactor.challenge, response })
})
