import { hash } from 'node:crypto'
import { uuidPattern } from '#contract/fields.ts'
import type { Endpoint } from '#contract/http/endpoint.ts'
import { limits } from '#contract/limits.ts'
import {
  findStoredCall,
  type KeyedCall,
  releaseKey,
  storeAnswer,
  underKey,
} from '#server/db/write.ts'
import type { Deps } from '#server/deps.ts'
import { keyedHashes } from '#server/secrets/keys.ts'
import { HttpError } from './http-error.ts'
import type { CheckedCall } from './route.ts'

/** Calls with an `Idempotency-Key`: the policy. What is stored and how is in `db/write.ts`. */

const keyPattern = new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKey}}$`)

/** @throws HttpError `invalid` */
export const checkKey = ({ form, repeatable }: Endpoint, key: string | null): void => {
  if ((form || repeatable) && key !== null && !keyPattern.test(key))
    throw new HttpError(
      'invalid',
      `An Idempotency-Key has 1 to ${limits.idempotencyKey} visible ASCII characters.`,
    )
}

interface Request extends Pick<CheckedCall, 'actor' | 'params' | 'body'> {
  key: string | null
  method: string
  path: string
}

/** Bodies are compared after parsing, so that what the contract ignores makes no difference. */
const contentOf = ({ body: schema }: Endpoint, body: unknown): unknown => {
  const parsed = schema?.safeParse(body)
  return parsed?.success ? parsed.data : (body ?? null)
}

/** Replaces a file by its hash: its bytes as JSON would take ten times the room. */
const withoutBytes = (_name: string, value: unknown): unknown =>
  value instanceof Uint8Array ? hash('sha256', value, 'hex') : value

/**
 * `JSON.parse` reads bodies that are nested more deeply than `JSON.stringify` can write.
 *
 * @throws HttpError `bad_json`
 */
const written = (parts: readonly unknown[]): string => {
  try {
    return JSON.stringify(parts, withoutBytes)
  } catch {
    throw new HttpError('bad_json', 'The body is nested too deeply.')
  }
}

// A body may hold a password and a path a token: only keyed hashes of them are stored.
const hashes = (secret: string, parts: readonly unknown[]): [string, ...string[]] =>
  keyedHashes(secret, written(['keyed-call', ...parts]))

const keyedCall = (
  secret: string,
  endpoint: Endpoint,
  request: Request,
  key: string,
): KeyedCall => {
  const { actor, method, path, params, body } = request
  const { id = '' } = params
  return {
    // A token's answers lack what its owner's session may read.
    keys: hashes(secret, [actor?.id ?? null, ...(actor?.token ? [actor.token.id] : []), path, key]),
    contentHashes: hashes(secret, [method, contentOf(endpoint, body)]),
    targetId: uuidPattern.test(id) ? id : null,
  }
}

/**
 * Runs a call once for each key: a repeated call gets the first answer. An error below 500 frees the
 * key; after any other one the key stays, because the call may have changed something.
 *
 * @param run gets the dependencies with a database that stores the key with the call's own change
 * @throws KeyReused where the key was used for another request
 * @throws HttpError `bad_json` for a body that is nested too deeply
 */
export const oncePerKey = async (
  deps: Deps,
  endpoint: Endpoint,
  request: Request,
  run: (deps: Deps) => Promise<string | Response>,
): Promise<string | Response> => {
  const { key } = request
  if (!endpoint.repeatable || key === null || !keyPattern.test(key)) return run(deps)
  const { db, config } = deps
  const call = keyedCall(config.authSecret, endpoint, request, key)
  call.stored = await findStoredCall(db, call)
  if (call.stored?.answer) return call.stored.answer
  try {
    const answer = await run({ ...deps, db: underKey(db, call) })
    return typeof answer === 'string' && call.stored ? storeAnswer(db, call.stored, answer) : answer
  } catch (error) {
    if (call.stored && error instanceof HttpError && error.status < 500)
      await releaseKey(db, call.stored)
    throw error
  }
}
