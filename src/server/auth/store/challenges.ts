import { type SQL, sql } from 'drizzle-orm'
import type { Role } from '#contract/http/access.ts'
import { limits } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import { giveBack } from '#server/db/rate-limit.ts'
import { rows } from '#server/db/rows.ts'
import { challenges } from '#server/db/schema/accounts/challenges.ts'
import { passkeys } from '#server/db/schema/accounts/passkeys.ts'
import { recoveryCodes } from '#server/db/schema/accounts/recovery-codes.ts'
import { totpSecrets } from '#server/db/schema/accounts/totp-secrets.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import type { StoredPasskey } from '../factors/passkey.ts'
import type { Attempt } from './attempts.ts'
import { isStillVerified, type VerifiedAccount } from './sessions.ts'

const LIFETIME = sql.raw(`interval '${limits.challengeMinutes} minutes'`)

const removeExpired = sql`delete from ${challenges} where expires_at <= now()`

/** How a challenge is found again, and what a passkey is to sign. */
interface NewChallenge {
  hash: string
  passkeyChallenge: string
}

/** What the account can answer with. */
export interface SecondFactors {
  expiresAt: string
  totp: boolean
  recoveryCodes: number
  passkeys: { credentialId: string; transports: string[] }[]
}

const passkeysOf = (userId: SQL): SQL => sql`(
  select coalesce(json_agg(
    json_build_object('credentialId', credential_id, 'transports', transports) order by p.id
  ), '[]') from ${passkeys} p where p.user_id = ${userId}
)`

/** The password was right: what is asked for next. The attempt counts no longer, earlier failures do. */
export const askSecondFactor = async (
  db: Database,
  verified: VerifiedAccount,
  { hash, passkeyChallenge, device }: NewChallenge & { device: string | null },
  { limits: { account, ips }, moment }: Attempt,
): Promise<SecondFactors | undefined> => {
  const [asked] = await rows<SecondFactors>(
    db,
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
      given_back as (${giveBack([account, ...ips], moment)})
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
  return asked
}

/** Whose second factor a challenge waits for. */
export const findAsked = async (
  db: Database,
  hash: string,
): Promise<{ email: string; device: string | null } | undefined> => {
  const [found] = await rows<{ email: string; device: string | null }>(
    db,
    sql`select u.email, c.device from ${challenges} c join ${users} u on u.id = c.user_id
      where c.hash = ${hash} and c.purpose = 'second_factor' and c.expires_at > now()`,
  )
  return found
}

/** A challenge that was taken: from then on nobody else can answer it. */
export interface Asked {
  userId: string
  credentialVersion: number
  passkeyChallenge: string
  device: string | null
  failures: number
  expiresAt: string
  role: Role
  /** Of the authenticator app, encrypted. */
  totpSecret: string | null
  /** The passkey that the answer names, if it is the account's. */
  passkey: StoredPasskey | null
}

const storedPasskey = sql`json_build_object('id', p.id, 'userId', p.user_id, 'credentialId', p.credential_id,
  'publicKey', p.public_key, 'backupEligible', p.backup_eligible)`

/** @param credentialId the passkey that the answer names; '' for none */
export const takeAsked = async (
  db: Database,
  hash: string,
  credentialId: string,
): Promise<Asked | undefined> => {
  const [taken] = await rows<Asked>(
    db,
    sql`with taken as (
        delete from ${challenges}
        where hash = ${hash} and purpose = 'second_factor' and expires_at > now()
        returning *
      )
      select t.user_id as "userId", t.credential_version as "credentialVersion",
        t.passkey_challenge as "passkeyChallenge", t.device, t.failures, t.expires_at as "expiresAt",
        u.role, s.secret as "totpSecret",
        (
          select ${storedPasskey} from ${passkeys} p
          where p.user_id = t.user_id and p.credential_id = ${credentialId}
        ) as passkey
      from taken t join ${users} u on u.id = t.user_id
        left join ${totpSecrets} s on s.user_id = t.user_id`,
  )
  return taken
}

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

/** Begins a sign-in or step-up with a passkey. */
export const askPasskey = (
  db: Database,
  { hash, passkeyChallenge }: NewChallenge,
): Promise<unknown> =>
  rows(
    db,
    sql`with expired as (${removeExpired})
      insert into ${challenges} (purpose, hash, passkey_challenge, expires_at)
      values ('passkey', ${hash}, ${passkeyChallenge}, now() + ${LIFETIME})`,
  )

/** A passkey that answers, with its account. */
export interface AnsweringPasskey extends StoredPasskey {
  email: string
  role: Role
}

/** Takes a challenge for a passkey; `passkey` is null where nobody has the one that the answer names. */
export const takePasskeyChallenge = async (
  db: Database,
  hash: string,
  credentialId: string,
): Promise<{ passkeyChallenge: string; passkey: AnsweringPasskey | null } | undefined> => {
  const [taken] = await rows<{ passkeyChallenge: string; passkey: AnsweringPasskey | null }>(
    db,
    sql`with taken as (
        delete from ${challenges}
        where hash = ${hash} and purpose = 'passkey' and expires_at > now()
        returning passkey_challenge
      )
      select t.passkey_challenge as "passkeyChallenge",
        (
          select (${storedPasskey})::jsonb || jsonb_build_object('email', u.email, 'role', u.role)
          from ${passkeys} p join ${users} u on u.id = p.user_id
          where p.credential_id = ${credentialId}
        ) as passkey
      from taken t`,
  )
  return taken
}

/** Begins to add a passkey; answers those that the account has. */
export const askNewPasskey = async (
  db: Database,
  userId: string,
  { hash, passkeyChallenge }: NewChallenge,
): Promise<{ credentialId: string; transports: string[] }[]> => {
  const [asked] = await rows<Pick<SecondFactors, 'passkeys'>>(
    db,
    sql`with
      expired as (${removeExpired}),
      asked as (
        insert into ${challenges} (purpose, hash, passkey_challenge, user_id, expires_at)
        values ('new_passkey', ${hash}, ${passkeyChallenge}, ${userId}::uuid, now() + ${LIFETIME})
        returning user_id
      )
      select ${passkeysOf(sql`asked.user_id`)} as passkeys from asked`,
  )
  return asked?.passkeys ?? []
}

/** Takes the account's own challenge for a new passkey; answers what was to be signed. */
export const takeNewPasskeyChallenge = async (
  db: Database,
  userId: string,
  hash: string,
): Promise<string | undefined> => {
  const [taken] = await rows<{ passkeyChallenge: string }>(
    db,
    sql`delete from ${challenges}
      where hash = ${hash} and purpose = 'new_passkey' and user_id = ${userId}::uuid
        and expires_at > now()
      returning passkey_challenge as "passkeyChallenge"`,
  )
  return taken?.passkeyChallenge
}
