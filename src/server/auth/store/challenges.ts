import * as z from 'zod/mini'
import { limits } from '#contract/limits.ts'
import { and, type Database, eq, type SQL, sql } from '#server/db/drizzle.ts'
import { hitsWithin, type Limit, windowOf } from '#server/db/rate-limit.ts'
import { checkedRow, oneCheckedRow, rows, runOne } from '#server/db/rows.ts'
import {
  challenges,
  passkeys,
  recoveryCodes,
  totpSecrets,
} from '#server/db/schema/accounts/factors.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { rateLimits } from '#server/db/schema/calls.ts'
import { mail } from '#server/db/schema/mail.ts'
import type { Rendered } from '#server/mail-out/render/render.ts'
import { queueAccountMail } from '#server/mail-out/store/account.ts'
import type { VerifiedAccount } from './accounts.ts'
import { type Attempt, attemptGivenBack } from './attempts.ts'
import { isStillVerified } from './sessions.ts'

const LIFETIME = sql.raw(`interval '${limits.challengeMinutes} minutes'`)

const isOpen = (hash: string, purpose: 'second_factor' | 'passkey' | 'new_passkey'): SQL => sql`
  ${challenges.hash} = ${hash} and ${challenges.purpose} = ${purpose} and ${challenges.expiresAt} > now()`

const removeExpired = sql`delete from ${challenges} where expires_at <= now()`

/** The key of a challenge, and the text for a passkey to sign. */
interface NewChallenge {
  hash: string
  passkeyChallenge: string
}

const secondFactors = z.object({
  expiresAt: z.string(),
  totp: z.boolean(),
  recoveryCodes: z.int(),
  passkeys: z.array(z.object({ credentialId: z.string(), transports: z.array(z.string()) })),
})

const passkeysOf = (userId: SQL): SQL => sql`(
  select coalesce(json_agg(
    json_build_object('credentialId', credential_id, 'transports', transports) order by p.id
  ), '[]') from ${passkeys} p where p.user_id = ${userId}
)`

/** The password was right: what is asked for next. The attempt counts no longer, earlier failures do. */
export const askSecondFactor = (
  db: Database,
  verified: VerifiedAccount,
  { hash, passkeyChallenge, device }: NewChallenge & { device: string | null },
  attempt: Attempt,
): Promise<z.output<typeof secondFactors> | undefined> =>
  checkedRow(
    db,
    secondFactors,
    sql`with
      expired as (${removeExpired}),
      account as (
        select id, credential_version from ${users} where ${isStillVerified(verified)} for share
      ),
      asked as (
        insert into ${challenges}
          (purpose, hash, passkey_challenge, user_id, credential_version, device, expires_at)
        select 'second_factor', ${hash}, ${passkeyChallenge}, id, credential_version, ${device},
          now() + ${LIFETIME}
        from account
        returning user_id, expires_at
      ),
      given_back as (${attemptGivenBack(attempt)})
      select expires_at as "expiresAt",
        exists (
          select from ${totpSecrets} t where t.user_id = asked.user_id and t.secret is not null
        ) as totp,
        (
          select count(*) from ${recoveryCodes} c where c.user_id = asked.user_id
        )::int as "recoveryCodes",
        ${passkeysOf(sql`asked.user_id`)} as passkeys
      from asked`,
  )

export const findAsked = (db: Database, hash: string) =>
  runOne(
    db
      .select({ email: users.email, device: challenges.device })
      .from(challenges)
      .innerJoin(users, eq(users.id, challenges.userId))
      .where(isOpen(hash, 'second_factor')),
  )

const storedPasskey = z.object({
  id: z.string(),
  userId: z.string(),
  credentialId: z.string(),
  publicKey: z.string(),
  backupEligible: z.boolean(),
})
export type StoredPasskey = z.output<typeof storedPasskey>

const taken = z.object({
  userId: z.string(),
  credentialVersion: z.int(),
  passkeyChallenge: z.string(),
  device: z.nullable(z.string()),
  failures: z.int(),
  expiresAt: z.string(),
  /** The authenticator app's secret, encrypted. */
  totpSecret: z.nullable(z.string()),
  /** The passkey that the answer names, if it is the account's. */
  passkey: z.nullable(storedPasskey),
})

/** A challenge that was taken: from then on nobody else can answer it. */
export type Asked = z.output<typeof taken>

const passkeyJson = sql`json_build_object('id', p.id, 'userId', p.user_id, 'credentialId', p.credential_id,
  'publicKey', p.public_key, 'backupEligible', p.backup_eligible)`

/** @param credentialId the passkey that the answer names; '' for none */
export const takeAsked = (db: Database, hash: string, credentialId: string) =>
  checkedRow(
    db,
    taken,
    sql`with taken as (
        delete from ${challenges}
        where ${isOpen(hash, 'second_factor')}
        returning *
      )
      select t.user_id as "userId", t.credential_version as "credentialVersion",
        t.passkey_challenge as "passkeyChallenge", t.device, t.failures, t.expires_at as "expiresAt",
        s.secret as "totpSecret",
        (
          select ${passkeyJson} from ${passkeys} p
          where p.user_id = t.user_id and p.credential_id = ${credentialId}
        ) as passkey
      from taken t left join ${totpSecrets} s on s.user_id = t.user_id`,
  )

/** Puts a challenge back after a wrong answer, until there were too many. */
export const askAgain = async (db: Database, hash: string, asked: Asked): Promise<void> => {
  const failures = asked.failures + 1
  if (failures >= limits.challengeTries) return
  await rows(
    db,
    sql`insert into ${challenges}
        (purpose, hash, passkey_challenge, user_id, credential_version, device, failures, expires_at)
      select 'second_factor', ${hash}, ${asked.passkeyChallenge}, id, ${asked.credentialVersion}::int,
        ${asked.device}, ${failures}::int, ${asked.expiresAt}::timestamptz
      from ${users} where id = ${asked.userId}::uuid`,
  )
}

/**
 * Counts a wrong second factor after a right password. The account is told of the fifth within a day, once a day.
 */
export const countWrongFactor = async (
  db: Database,
  userId: string,
  { limit, notice }: { limit: Limit; notice: Rendered },
): Promise<void> => {
  const recent = hitsWithin(windowOf(limit))
  await rows(
    db,
    sql`with
      counted as (
        insert into ${rateLimits} as r (key, hits, max) values (${limit.key}, array[now()], ${limit.max}::int)
        on conflict (key) do update set
          hits = ((${recent}) || now()::timestamptz(3))[greatest(1, cardinality(${recent}) + 2 - ${limit.max}::int):],
          max = excluded.max, updated_at = now()
        returning cardinality(hits) as n
      ),
      told as (
        select email from ${users} u
        where id = ${userId}::uuid and (select n from counted) >= ${limit.max}::int and not exists (
          select from ${mail} m
          where m.kind = 'account' and lower(m.recipient) = lower(u.email)
            and m.subject = ${notice.subject} and m.created_at > now() - ${windowOf(limit)}
        )
      ),
      noticed as (${queueAccountMail(notice, sql`email`, sql`told`)})
      select`,
  )
}

/** Begins a sign-in or step-up with a passkey. */
export const askPasskey = (db: Database, { hash, passkeyChallenge }: NewChallenge) =>
  rows(
    db,
    sql`with expired as (${removeExpired})
      insert into ${challenges} (purpose, hash, passkey_challenge, expires_at)
      values ('passkey', ${hash}, ${passkeyChallenge}, now() + ${LIFETIME})`,
  )

const answeringPasskey = z.extend(storedPasskey, { email: z.string() })
export type AnsweringPasskey = z.output<typeof answeringPasskey>

/** Takes a challenge for a passkey; `passkey` is null where nobody has the one that the answer names. */
export const takePasskeyChallenge = (db: Database, hash: string, credentialId: string) =>
  checkedRow(
    db,
    z.object({ passkeyChallenge: z.string(), passkey: z.nullable(answeringPasskey) }),
    sql`with taken as (
        delete from ${challenges}
        where ${isOpen(hash, 'passkey')}
        returning passkey_challenge
      )
      select t.passkey_challenge as "passkeyChallenge",
        (
          select (${passkeyJson})::jsonb || jsonb_build_object('email', u.email)
          from ${passkeys} p join ${users} u on u.id = p.user_id
          where p.credential_id = ${credentialId}
        ) as passkey
      from taken t`,
  )

/** Begins to add a passkey; answers those that the account has. */
export const askNewPasskey = async (
  db: Database,
  userId: string,
  { hash, passkeyChallenge }: NewChallenge,
): Promise<{ credentialId: string; transports: string[] }[]> => {
  const { passkeys: own } = await oneCheckedRow(
    db,
    z.pick(secondFactors, { passkeys: true }),
    sql`with
      expired as (${removeExpired}),
      asked as (
        insert into ${challenges} (purpose, hash, passkey_challenge, user_id, expires_at)
        values ('new_passkey', ${hash}, ${passkeyChallenge}, ${userId}::uuid, now() + ${LIFETIME})
        returning user_id
      )
      select ${passkeysOf(sql`asked.user_id`)} as passkeys from asked`,
  )
  return own
}

/** Takes the account's own challenge for a new passkey; answers what was to be signed. */
export const takeNewPasskeyChallenge = async (db: Database, userId: string, hash: string) => {
  const asked = await runOne(
    db
      .delete(challenges)
      .where(and(isOpen(hash, 'new_passkey'), eq(challenges.userId, userId)))
      .returning({ passkeyChallenge: challenges.passkeyChallenge }),
  )
  return asked?.passkeyChallenge ?? undefined
}
