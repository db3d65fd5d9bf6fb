import { email as emailSchema } from '#contract/fields.ts'
import { isLimitReached, limitKey, secondsUntilFree } from '#server/db/rate-limit.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError } from '#server/http/http-error.ts'
import { limitsByIp } from '#server/http/ip.ts'
import type { CallRequest } from '#server/http/route.ts'
import { verifyPassword } from '#server/password/hash.ts'
import {
  type Attempt,
  beginAttempt,
  countFailure,
  releaseAttempt,
  type SignInLimits,
  type VerifiedAccount,
  WINDOW_SECONDS,
} from './store.ts'

const FAILURES_PER_EMAIL = 5
const FAILURES_PER_IP = 20

const limitsOf = (email: string, ip: string, { config }: Deps): SignInLimits => ({
  email: {
    key: limitKey(config.authSecret, 'sign-in-email', email.toLowerCase()),
    max: FAILURES_PER_EMAIL,
    windowSeconds: WINDOW_SECONDS,
  },
  ips: limitsByIp(config.authSecret, 'sign-in-ip', ip, {
    max: FAILURES_PER_IP,
    windowSeconds: WINDOW_SECONDS,
  }),
})

/**
 * Checks a password and, if it is right, runs `work`, whose statement settles the attempt. The attempt
 * is counted for a minute before the slow hash, so that parallel attempts cannot pass the limit, and as
 * a failure only once the password is known to be wrong. After any other error it is not counted. An
 * unknown e-mail is counted, and takes as long, as a known one.
 *
 * @returns undefined where the password is wrong, or no longer the account's when `work` is done
 * @throws HttpError `rate_limited`
 */
export const withPassword = async <T>(
  typed: { email: string; password: string },
  { ip, requestId }: CallRequest,
  deps: Deps,
  work: (account: VerifiedAccount, attempt: Attempt) => Promise<T | undefined>,
): Promise<T | undefined> => {
  const { db, log } = deps
  // Text that is no e-mail address has no account, and may hold characters that a database refuses.
  const parsed = emailSchema.safeParse(typed.email)
  const limits = limitsOf(parsed.success ? parsed.data : typed.email, ip, deps)
  const begun = await beginAttempt(db, parsed.success ? parsed.data : '', limits).catch(
    async (error: unknown) => {
      if (!isLimitReached(error)) throw error
      log({ level: 'warn', event: 'sign_in_throttled', requestId })
      throw new HttpError('rate_limited', {
        retryAfter: await secondsUntilFree(db, [limits.email, ...limits.ips]),
      })
    },
  )
  const { account, ...attempt } = begun
  const giveBack = async (error: unknown): Promise<never> => {
    // Where this fails too, the attempt stops counting within the minute.
    await releaseAttempt(db, attempt).catch(() => undefined)
    throw error
  }
  const isRight = await verifyPassword(account?.passwordHash, typed.password).catch(giveBack)
  if (!account || !isRight) {
    await countFailure(db, attempt)
    return undefined
  }
  const done = await work(account, attempt).catch(giveBack)
  if (done === undefined) await releaseAttempt(db, attempt)
  return done
}
