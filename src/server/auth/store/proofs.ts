import * as z from 'zod/mini'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { recordEventOf } from '#server/db/events/record-event.ts'
import { checkedRow } from '#server/db/rows.ts'
import { passkeys, recoveryCodes, totpSecrets } from '#server/db/schema/accounts/factors.ts'
import { sessions, users } from '#server/db/schema/accounts/users.ts'
import type { Actor } from '#server/http/route.ts'
import type { Rendered } from '#server/mail-out/render/render.ts'
import { queueAccountMail } from '#server/mail-out/store/account.ts'
import type { PasskeyUse } from '../factors/passkey.ts'
import { type Attempt, attemptGivenBack, settleAttempt } from './attempts.ts'
import {
  accountColumns,
  beginSession,
  type NewSession,
  STEP_UP,
  signInSteps,
  startedColumns,
} from './sessions.ts'

/**
 * A proof of identity beside the password. The statement that acts on it uses it up, so that of
 * many identical answers one counts.
 */
export interface Proof {
  /** A step that answers `user_id`, once. */
  use: SQL
  /** As the audit log names it. */
  method: 'totp' | 'recoveryCode' | 'passkey'
}

/** A step of the authenticator app's clock. */
export const totpProof = (userId: string, step: number): Proof => ({
  method: 'totp',
  use: sql`
    update ${totpSecrets} set used_steps = array(
      select s from unnest(used_steps) as s where s > ${step}::bigint - 10
    ) || ${step}::bigint
    where user_id = ${userId}::uuid and secret is not null and not ${step}::bigint = any(used_steps)
    returning user_id`,
})

export const recoveryProof = (userId: string, hash: string): Proof => ({
  method: 'recoveryCode',
  use: sql`
    delete from ${recoveryCodes} where user_id = ${userId}::uuid and hash = ${hash}
    returning user_id`,
})

/** A key that is not backed up and counts its uses must have counted on: otherwise there is a copy of it. */
export const passkeyProof = ({ id, counter, backedUp }: PasskeyUse): Proof => ({
  method: 'passkey',
  use: sql`
    update ${passkeys} set counter = ${counter}::bigint, backed_up = ${backedUp}, last_used_at = now()
    where id = ${id}::uuid and (${backedUp} or counter = 0 or ${counter}::bigint > counter)
    returning user_id`,
})

interface SignIn {
  session: NewSession
  newDevice: Rendered
  recoveryCodeUsed: Rendered
  attempt?: Attempt
  /** The account's when the password was verified, where it was. */
  credentialVersion?: number
}

/** Finishes a sign-in, if the proof still counts. */
export const signInWith = (
  db: Database,
  { use, method }: Proof,
  { session, newDevice, recoveryCodeUsed, attempt, credentialVersion }: SignIn,
) =>
  beginSession(
    db,
    sql`with
      used as (${use}),
      account as (
        select ${accountColumns} from ${users}
        where id = (select user_id from used)
          ${credentialVersion === undefined ? sql`` : sql`and credential_version = ${credentialVersion}::int`}
        for share
      ),
      ${signInSteps(session, { fields: [method], notice: newDevice })}
      ${method === 'recoveryCode' ? sql`, code_noticed as (${queueAccountMail(recoveryCodeUsed, sql`email`, sql`account`)})` : sql``}
      ${attempt ? sql`, ${settleAttempt(attempt)}` : sql``}
      select ${startedColumns} from account, session`,
  )

/** Notes a step-up of the actor's session; undefined where the proof does not count, or is another's. */
export const stepUpWith = async (
  db: Database,
  actor: Actor,
  proof: Proof | undefined,
  attempt?: Attempt,
): Promise<string | undefined> => {
  const use = proof?.use ?? sql`select ${actor.id}::uuid as user_id`
  const stepped = await checkedRow(
    db,
    z.object({ until: z.string() }),
    sql`with
      used as (${use}),
      stepped as (
        update ${sessions} set step_up_until = now() + ${STEP_UP}
        where id = ${actor.sessionId}::uuid and user_id = ${actor.id}::uuid
          and user_id = (select user_id from used)
        returning id, step_up_until
      ),
      event as (
        ${recordEventOf('stepped', {
          by: actor,
          kind: 'step_up',
          targetKind: 'sessions',
          fields: [proof?.method ?? 'password'],
        })}
      )
      ${attempt ? sql`, given_back as (${attemptGivenBack(attempt)})` : sql``}
      select step_up_until as until from stepped`,
  )
  return stepped?.until
}
