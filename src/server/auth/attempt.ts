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
 * Checks a password and, where it is right, does `work`, whose statement settles the attempt. The
 * attempt is counted for a minute before the costly hash, so that parallel attempts cannot slip past
 * the limit, and as a failure only once the password has turned out wrong. Whatever else fails, it is
 * given back. An unknown e-mail is counted, and takes its time, as a known one does.
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
  // What cannot be an address is nobody's, and may hold what a database cannot.
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
