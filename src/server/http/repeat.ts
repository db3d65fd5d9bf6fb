import { createHmac } from 'node:crypto'
import type { Endpoint } from '#contract/endpoint.ts'
import { uuidPattern } from '#contract/fields.ts'
import { limits } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import { findStoredCall, type KeyedCall, releaseKey, storeAnswer } from '#server/db/write.ts'
import { HttpError } from './http-error.ts'
import type { Actor } from './route.ts'

/** Calls with an `Idempotency-Key`: the policy. What is stored and how is in `db/write.ts`. */

const keyPattern = new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKey}}$`)

export const isIdempotencyKey = (key: string): boolean => keyPattern.test(key)

export const invalidKey = (): HttpError =>
  new HttpError('invalid', {
    message: `An Idempotency-Key has 1 to ${limits.idempotencyKey} visible ASCII characters.`,
  })

export const keyReused = (): HttpError =>
  new HttpError('conflict', { message: 'This Idempotency-Key was used for another request.' })

interface Request {
  key: string
  actor: Actor | null
  method: string
  path: string
  params: Record<string, string>
  body: unknown
}

/** Bodies are compared after parsing, so that what the contract ignores makes no difference. */
const contentOf = ({ body: schema }: Endpoint, body: unknown): unknown => {
  const parsed = schema?.safeParse(body)
  return parsed?.success ? parsed.data : (body ?? null)
}

// A body may hold a password and a path a token: only keyed hashes of them are stored.
const hash = (secret: string, parts: readonly unknown[]): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['keyed-call', ...parts]))
    .digest('base64url')

/**
 * What a key stands for, and what is stored under it.
 *
 * @throws {KeyReused}
 */
export const findKeyedCall = async (
  db: Database,
  secret: string,
  endpoint: Endpoint,
  { key, actor, method, path, params, body }: Request,
): Promise<KeyedCall> => {
  const { id = '' } = params
  const call: KeyedCall = {
    key: hash(secret, [actor?.id ?? null, path, key]),
    contentHash: hash(secret, [method, contentOf(endpoint, body)]),
    targetId: uuidPattern.test(id) ? id : null,
  }
  return { ...call, stored: await findStoredCall(db, call) }
}

/** Stores the answer of a call that succeeded; the one to give, which is the first. */
export const storeAnswerText = async (
  db: Database,
  { stored }: KeyedCall,
  answer: string,
): Promise<string> => (stored ? storeAnswer(db, stored, answer) : answer)

/** Frees the key of a call that was refused. One that the server failed at keeps its key. */
export const forgetFailedCall = async (
  db: Database,
  { stored }: KeyedCall,
  error: unknown,
): Promise<void> => {
  if (stored && error instanceof HttpError && error.status < 500) await releaseKey(db, stored)
}
