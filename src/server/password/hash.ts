import { availableParallelism } from 'node:os'
import { HttpError } from '#server/http/http-error.ts'
import { createTurns } from './turns.ts'

/** Argon2id with 19 MiB, 2 passes and 1 lane (OWASP Password Storage Cheat Sheet). */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The hash of a password that nobody has: an unknown e-mail costs what a wrong password costs. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,p=1,t=2$eukygK1v9iJT31J6ZXUKKw$UTZHTxQdDdBevFwsy+WZX3b2JAoAt0ln/qsM55+YCjg'

// Loaded with the first sign-in: no other call needs the native code.
const argon2 = () => import('argon2')

/**
 * Hashing fills a processor. One is left to everything else, so that a flood of guesses does not keep
 * visitors waiting, and a line of some seconds is the longest that anybody stands in.
 */
const inTurn = createTurns(Math.max(1, availableParallelism() - 1), 100)

const costly = async <T>(work: () => Promise<T>): Promise<T> => {
  const done = await inTurn(async () => ({ value: await work() }))
  if (!done) throw new HttpError('rate_limited', { retryAfter: 5 })
  return done.value
}

/** @throws HttpError `rate_limited` while too many passwords are being checked */
export const hashPassword = async (password: string): Promise<string> => {
  const { hash, argon2id } = await argon2()
  return costly(() => hash(password, { type: argon2id, ...parameters }))
}

/**
 * Compares with the stored hash, or without one with nobody's: the same work, never a match.
 *
 * @throws HttpError `rate_limited` while too many passwords are being checked
 */
export const verifyPassword = async (
  storedHash: string | undefined,
  password: string,
): Promise<boolean> => {
  const { verify } = await argon2()
  const matches = await costly(() => verify(storedHash ?? NOBODYS_HASH, password))
  return matches && storedHash !== undefined
}

/** Whether a hash was made with weaker parameters than today's. */
export const isOutdated = async (storedHash: string): Promise<boolean> =>
  (await argon2()).needsRehash(storedHash, parameters)
