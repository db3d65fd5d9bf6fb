import * as z from 'zod/mini'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import {
  countAttempt,
  forgetAttempts,
  giveBack,
  type Limit,
  recount,
  windowOf,
} from '#server/db/rate-limit.ts'
import { oneCheckedRow, rows, valuesOf } from '#server/db/rows.ts'
import { devices, users } from '#server/db/schema/accounts/users.ts'
import { verifiedAccount } from './accounts.ts'

export const WINDOW_SECONDS = 15 * 60
/**
 * The time for which an attempt counts while it is being checked: more than the longest wait for a
 * hash.
 */
const PENDING_SECONDS = 60

interface SignInLimits {
  /** The limit of the e-mail, or of a device that has signed in to the account before. */
  account: Limit
  ips: readonly Limit[]
}

const allOf = ({ account, ips }: SignInLimits): Limit[] => [account, ...ips]

/** An attempt under way, counted against its limits at a moment. */
export interface Attempt {
  limits: SignInLimits
  moment: string
}

export const knownDevices = (db: Database, email: string) =>
  valuesOf<string>(
    db,
    sql`select d.hash from ${devices} d join ${users} u on u.id = d.user_id
      where lower(u.email) = lower(${email})`,
  )

const begun = z.object({ moment: z.string(), account: z.nullable(verifiedAccount) })

/**
 * Counts an attempt for as long as it is being checked, and finds the account that it is about.
 *
 * @throws the driver's error of a full limit, see `isLimitReached`
 */
export const beginAttempt = async (db: Database, email: string, limits: SignInLimits) => {
  const moment = sql`(now() - ${windowOf(limits.account)} + ${windowOf({ windowSeconds: PENDING_SECONDS })})::timestamptz(3)`
  const found = await oneCheckedRow(
    db,
    begun,
    sql`with counted as (${countAttempt(allOf(limits), sql`true`, moment)})
      select ${moment} as moment,
        (
          select json_build_object('id', id, 'passwordHash', password_hash,
            'credentialVersion', credential_version, 'factorCount', factor_count)
          from ${users} where lower(email) = lower(${email})
        ) as account`,
  )
  return { limits, moment: found.moment, account: found.account ?? undefined }
}

export interface Refused {
  /** Left out where nobody is known to be meant. */
  emailHash?: string | undefined
  ipHash: string
}

/** Counts in the audit log: one entry for each address and IP within an hour of the first. */
const logRefused = ({ emailHash, ipHash }: Refused): SQL =>
  sql`select log_refused_sign_in(${emailHash ?? null}::text, ${ipHash}::text)`

/** A wrong password or factor: from now on the attempt counts for the whole window. */
export const countFailure = (db: Database, { limits, moment }: Attempt, refused: Refused) =>
  rows(db, sql`with counted as (${recount(allOf(limits), moment)}) ${logRefused(refused)}`)

/** A refused sign-in that no limit counts. */
export const recordRefused = (db: Database, refused: Refused): Promise<unknown> =>
  rows(db, logRefused(refused))

export const attemptGivenBack = ({ limits, moment }: Attempt): SQL =>
  giveBack(allOf(limits), moment)

/** The attempt failed for another reason than what was sent: it counts no longer. */
export const releaseAttempt = (db: Database, attempt: Attempt): Promise<unknown> =>
  rows(db, attemptGivenBack(attempt))

/** Steps of a success: nothing is counted any more against the account, and not this attempt against the IP. */
export const settleAttempt = ({ limits: { account, ips }, moment }: Attempt): SQL => sql`
  given_back as (${giveBack(ips, moment)}),
  forgotten as (${forgetAttempts([account])})`
