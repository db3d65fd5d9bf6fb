import { availableParallelism } from 'node:os'
import PQueue from 'p-queue'
import { HttpError } from '#server/http/http-error.ts'

/** Argon2id with 19 MiB, 2 passes and 1 lane (OWASP Password Storage Cheat Sheet). */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A hash that no password matches. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,p=1,t=2$eukygK1v9iJT31J6ZXUKKw$UTZHTxQdDdBevFwsy+WZX3b2JAoAt0ln/qsM55+YCjg'

// Loaded at the first sign-in, because no other call needs the native code.
const argon2 = () => import('argon2')

/**
 * Hashing occupies a processor. One processor stays free for other calls, so that a flood of guesses
 * does not slow down visitors, and the length of the queue limits the wait to a few seconds.
 */
const queue = new PQueue({ concurrency: Math.max(1, availableParallelism() - 1) })
const MAX_WAITING = 100

const enqueue = async <T>(hashing: () => Promise<T>): Promise<T> => {
  if (queue.size >= MAX_WAITING) throw new HttpError('rate_limited', { retryAfter: 5 })
  return queue.add(hashing)
}

/** @throws HttpError `rate_limited` while too many passwords are being checked */
export const hashPassword = async (password: string): Promise<string> => {
  const { hash, argon2id } = await argon2()
  return enqueue(() => hash(password, { type: argon2id, ...parameters }))
}

/**
 * Compares with the stored hash. Without one, compares with a dummy hash so that timing does not
 * reveal unknown accounts.
 *
 * @throws HttpError `rate_limited` while too many passwords are being checked
 */
export const verifyPassword = async (storedHash: string | undefined, password: string) => {
  const { verify } = await argon2()
  const matches = await enqueue(() => verify(storedHash ?? DUMMY_HASH, password))
  return matches && storedHash !== undefined
}

/** True if a hash was made with weaker parameters than the current ones. */
export const isOutdated = async (storedHash: string): Promise<boolean> =>
  (await argon2()).needsRehash(storedHash, parameters)
