import { TOTP } from 'otpauth'
import { expect } from 'vitest'
import { type TestUser, testPassword } from '#server/auth/testing.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import type { Json } from '#server/inbox/testing.ts'
import { openText } from '#server/mail-out/sealed-text.ts'
import { type TestApi, testConfig } from '#server/testing.ts'
import { SoftPasskey } from './authenticator.ts'

/** Signing in with second factors, in a test. */

export const origin = 'https://fledge.test'

export interface Answer {
  status: number
  body: Json
}

export const call = async (
  api: TestApi,
  path: string,
  init: Parameters<TestApi['request']>[1] = {},
): Promise<Answer> => {
  const response = await api.request(path, init)
  return { status: response.status, body: (await response.json()) as Json }
}

export const post = (api: TestApi, path: string, body?: unknown, token?: string): Promise<Answer> =>
  call(api, path, { method: 'POST', token, ...(body === undefined ? {} : { body }) })

/** The code of the present step, or of one ahead: made right before it is sent, so that its step still counts. */
export const codeOf = (secret: string, ahead: 0 | 1 = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + ahead * 30_000 })

/** Adds an authenticator app; `used` is the code that has confirmed it. */
export const addTotp = async (
  api: TestApi,
  token: string,
): Promise<{ secret: string; used: string; recoveryCodes: string[] }> => {
  const { body } = await post(api, '/api/auth/totp', undefined, token)
  const { secret } = body.data
  const used = codeOf(secret)
  const confirmed = await post(api, '/api/auth/totp/confirm', { code: used }, token)
  expect(confirmed.status).toBe(200)
  return { secret, used, recoveryCodes: confirmed.body.data.recoveryCodes }
}

export const addPasskey = async (
  api: TestApi,
  token: string,
  passkey = new SoftPasskey({ origin }),
): Promise<{ passkey: SoftPasskey; answer: Answer }> => {
  const { body } = await post(api, '/api/auth/passkeys/options', undefined, token)
  const { challenge, options } = body.data
  const answer = await post(
    api,
    '/api/auth/passkeys',
    { challenge, response: passkey.create(options), name: 'Laptop' },
    token,
  )
  expect(answer.status).toBe(201)
  return { passkey, answer }
}

export const login = (api: TestApi, { email }: Pick<TestUser, 'email'>, more: object = {}) =>
  post(api, '/api/auth/login', { email, password: testPassword, ...more })

/** The token in the newest mail, which the database holds encrypted. */
export const mailedToken = async (db: Database): Promise<string> => {
  const [mail] = await rows<{ sealed: string; text: string }>(
    db,
    sql`select sealed, text from mail where sealed is not null order by id desc limit 1`,
  )
  expect(mail?.text).toBe('')
  const { text = '' } = openText(testConfig.authSecret, mail?.sealed ?? '') ?? {}
  return /#(\S+)/.exec(text)?.[1] ?? ''
}
