import { email as emailSchema } from '#contract/fields.ts'
import type { Config } from '#server/config.ts'
import { isLimitReached, type Limit, limitFor, secondsUntilFree } from '#server/db/rate-limit.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError } from '#server/http/http-error.ts'
import { limitsByIp } from '#server/http/ip.ts'
import type { CallRequest } from '#server/http/route.ts'
import { verifyPassword } from '#server/password/hash.ts'
import { keyedHash, refusedEmail } from '#server/secrets/keys.ts'
import type { VerifiedAccount } from './store/accounts.ts'
import {
  type Attempt,
  beginAttempt,
  countFailure,
  knownDevices,
  type Refused,
  releaseAttempt,
  WINDOW_SECONDS,
} from './store/attempts.ts'

const FAILURES_PER_ACCOUNT = 5
const FAILURES_PER_IP = 20

/** Strangers' guesses are counted against the e-mail, so that they do not lock out a known device. */
const accountLimit = (
  config: Pick<Config, 'authSecret'>,
  email: string,
  knownDevice: string | null,
): Limit => {
  const rule = { max: FAILURES_PER_ACCOUNT, windowSeconds: WINDOW_SECONDS }
  return knownDevice
    ? limitFor(config, 'sign-in-device', `${email.toLowerCase()} ${knownDevice}`, rule)
    : limitFor(config, 'sign-in-email', email.toLowerCase(), rule)
}

export const accountLimits = (
  config: Pick<Config, 'authSecret'>,
  { email, devices }: { email: string; devices: readonly string[] },
): Limit[] => [null, ...devices].map((device) => accountLimit(config, email, device))

/**
 * The refused e-mail for the audit log, hashed: the key can test an address, and nobody can read
 * one.
 */
export const refusedBy = (
  { authSecret }: Pick<Config, 'authSecret'>,
  { email, ip }: { email?: string | undefined; ip: string },
): Refused => ({
  ...(email === undefined ? {} : { emailHash: keyedHash(authSecret, refusedEmail(email)) }),
  ipHash: keyedHash(authSecret, `refused-ip:${ip}`),
})

/** The caller of a sign-in. `device` is the hash of the id that the client names. */
export interface Who {
  email: string
  device: string | null
}

/** `wrong`: what was sent does not fit. `void`: it did, but the account has changed meanwhile. */
export type Checked<T> = { done: T } | 'wrong' | 'void'

/**
 * Runs a check of what somebody sends to sign in. It is counted for a minute before, so that parallel
 * attempts cannot pass the limit, and as a failure only once it is known to be wrong. After any other
 * error it is not counted. A check that is done has settled its attempt.
 *
 * @returns undefined where the check did not succeed
 * @throws HttpError `rate_limited`
 */
export const withAttempt = async <T>(
  { email: typed, device }: Who,
  { ip, requestId }: CallRequest,
  deps: Deps,
  check: (account: VerifiedAccount | undefined, attempt: Attempt) => Promise<Checked<T>>,
): Promise<T | undefined> => {
  const { db, config, log } = deps
  // Text that is no e-mail address has no account, and may hold characters that a database refuses.
  const parsed = emailSchema.safeParse(typed)
  const email = parsed.success ? parsed.data : ''
  const isKnown =
    email !== '' && device !== null && (await knownDevices(db, email)).includes(device)
  const limits = {
    account: accountLimit(config, email || typed, isKnown ? device : null),
    ips: limitsByIp(config.authSecret, 'sign-in-ip', ip, {
      max: FAILURES_PER_IP,
      windowSeconds: WINDOW_SECONDS,
    }),
  }
  const begun = await beginAttempt(db, email, limits).catch(async (error: unknown) => {
    if (!isLimitReached(error)) throw error
    log({ level: 'warn', event: 'sign_in_throttled', requestId })
    throw new HttpError('rate_limited', {
      retryAfter: await secondsUntilFree(db, [limits.account, ...limits.ips]),
    })
  })
  const { account, ...attempt } = begun
  const checked = await check(account, attempt).catch(async (error: unknown) => {
    // If this fails too, the attempt stops counting within the minute.
    await releaseAttempt(db, attempt).catch(() => undefined)
    throw error
  })
  if (checked === 'wrong') await countFailure(db, attempt, refusedBy(config, { email: typed, ip }))
  else if (checked === 'void') await releaseAttempt(db, attempt)
  else return checked.done
  return undefined
}

/**
 * Checks a password and, if it is right, runs `work`, whose statement settles the attempt. An unknown
 * e-mail is counted, and takes as long, as a known one.
 */
export const withPassword = <T>(
  { password, ...who }: Who & { password: string },
  request: CallRequest,
  deps: Deps,
  work: (account: VerifiedAccount, attempt: Attempt) => Promise<Checked<T>>,
): Promise<T | undefined> =>
  withAttempt(who, request, deps, async (account, attempt) => {
    const isRight = await verifyPassword(account?.passwordHash, password)
    return account && isRight ? work(account, attempt) : 'wrong'
  })
