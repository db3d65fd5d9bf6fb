import { email as emailSchema } from '#contract/fields.ts'
import { isLimitReached, limitKey, secondsUntilFree } from '#server/db/rate-limit.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { CallRequest } from '#server/http/route.ts'
import { verifyPassword } from '#server/password/hash.ts'
import { beginAttempt, type SignInLimits, type StoredAccount } from './store.ts'

const WINDOW_SECONDS = 15 * 60
const FAILURES_PER_EMAIL = 5
const FAILURES_PER_ADDRESS = 20

const limitsOf = (email: string, address: string, { config }: Deps): SignInLimits => ({
  email: {
    key: limitKey(config.authSecret, 'sign-in-email', email.toLowerCase()),
    max: FAILURES_PER_EMAIL,
    windowSeconds: WINDOW_SECONDS,
  },
  address: {
    key: limitKey(config.authSecret, 'sign-in-address', address),
    max: FAILURES_PER_ADDRESS,
    windowSeconds: WINDOW_SECONDS,
  },
})

export interface Attempt {
  account: (StoredAccount & { passwordHash: string }) | undefined
  /** Whether the password is the account's. */
  isRight: boolean
  /** Counted already; a success gives the count back. */
  limits: SignInLimits
}

/**
 * One try of a password. It is counted before the costly hash, so that parallel tries cannot slip
 * past the limit; an unknown e-mail is counted, and takes its time, as a known one does.
 *
 * @throws Refusal `rate_limited`
 */
export const attempt = async (
  typedEmail: string,
  password: string,
  { address, requestId }: CallRequest,
  deps: Deps,
): Promise<Attempt> => {
  // What cannot be an address is nobody's, and may hold what a database cannot.
  const parsed = emailSchema.safeParse(typedEmail)
  const limits = limitsOf(parsed.success ? parsed.data : typedEmail, address, deps)
  const account = await beginAttempt(deps.db, parsed.success ? parsed.data : '', limits).catch(
    async (error: unknown) => {
      if (!isLimitReached(error)) throw error
      deps.log({ level: 'warn', event: 'sign_in_throttled', requestId })
      throw new Refusal('rate_limited', {
        retryAfter: await secondsUntilFree(deps.db, [limits.email, limits.address]),
      })
    },
  )
  const isRight = await verifyPassword(account?.passwordHash, password)
  return { account, isRight, limits }
}
