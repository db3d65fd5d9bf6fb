import * as z from 'zod/mini'
import { factorList, type Passkey, passkey } from '#contract/accounts/second-factor.ts'
import { type Database, eq, type SQL, sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { iso } from '#server/db/json.ts'
import { anyRow, checkedRow, oneCheckedRow, run, runOne } from '#server/db/rows.ts'
import { passkeys, recoveryCodes, totpSecrets } from '#server/db/schema/accounts/factors.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { write, writeOne } from '#server/db/write.ts'
import { HttpError } from '#server/http/http-error.ts'
import type { Actor } from '#server/http/route.ts'
import type { Rendered } from '#server/mail-out/render/render.ts'
import { queueAccountMail } from '#server/mail-out/store/account.ts'
import type { NewPasskey } from '../factors/passkey.ts'

const passkeyColumns = sql`id as "_id", name, ${iso(sql`created_at`)} as "createdAt",
  ${iso(sql`last_used_at`)} as "lastUsedAt", backed_up as synced`

export const listFactors = (db: Database, userId: string) =>
  oneCheckedRow(
    db,
    z.omit(factorList, { required: true }),
    sql`select
      (
        select coalesce(json_agg(p), '[]') from (
          select ${passkeyColumns} from ${passkeys} where user_id = ${userId}::uuid order by id
        ) as p
      ) as passkeys,
      (
        select json_build_object('confirmedAt', ${iso(sql`confirmed_at`)}) from ${totpSecrets}
        where user_id = ${userId}::uuid and confirmed_at is not null
      ) as totp,
      (select count(*) from ${recoveryCodes} where user_id = ${userId}::uuid) as "recoveryCodes"`,
  )

const factorEvent = (
  kind: 'factor_added' | 'factor_removed' | 'factor_renamed',
  actor: Actor,
  field: 'passkey' | 'totp' | 'recoveryCodes',
  from: SQL,
): SQL =>
  recordEvent({
    from,
    by: actor,
    kind,
    targetKind: 'users',
    targetId: sql`${actor.id}::uuid`,
    fields: [field],
  })

/** Stores new recovery codes where the row `counted` says that this was the first factor. */
const firstRecoveryCodes = (userId: string, hashes: readonly string[]): SQL => sql`
  insert into ${recoveryCodes} (user_id, hash)
  select ${userId}::uuid, unnest(${sql.param(hashes)}::text[]) from counted where factor_count = 1`

const countFactor = (added: SQL): SQL => sql`
  update ${users} set factor_count = factor_count + 1
  where id in (select user_id from ${added})
  returning factor_count, email`

/** Recovery codes to store if it is the first factor, and the mail that tells of it. */
interface WithFactor {
  hashes: readonly string[]
  notice: Rendered
}

/** Adds a passkey; undefined where somebody has it already. */
export const insertPasskey = (
  db: Database,
  actor: Actor,
  { name, ...key }: NewPasskey & { name: string },
  { hashes, notice }: WithFactor,
): Promise<(Passkey & { isFirst: boolean }) | undefined> =>
  checkedRow(
    db,
    z.extend(passkey, { isFirst: z.boolean() }),
    sql`with
      added as (
        insert into ${passkeys}
          (user_id, name, credential_id, public_key, counter, backup_eligible, backed_up, transports)
        values (${actor.id}::uuid, ${name}, ${key.credentialId}, ${key.publicKey}, ${key.counter}::bigint,
          ${key.backupEligible}, ${key.backedUp}, ${sql.param(key.transports)}::text[])
        on conflict (credential_id) do nothing
        returning *
      ),
      counted as (${countFactor(sql`added`)}),
      codes as (${firstRecoveryCodes(actor.id, hashes)}),
      event as (${factorEvent('factor_added', actor, 'passkey', sql`added`)}),
      noticed as (${queueAccountMail(notice, sql`email`, sql`counted`)})
      select ${passkeyColumns}, factor_count = 1 as "isFirst" from added, counted`,
  )

export const passkeyExists = (db: Database, actor: Pick<Actor, 'id'>, id: string) =>
  anyRow(db, sql`select from ${passkeys} where id = ${id}::uuid and user_id = ${actor.id}::uuid`)

export const renamePasskey = (db: Database, actor: Actor, id: string, name: string) =>
  writeOne<Passkey>(
    db,
    sql`
      renamed as (
        update ${passkeys} set name = ${name} where id = ${id}::uuid and user_id = ${actor.id}::uuid
        returning *
      ),
      event as (${factorEvent('factor_renamed', actor, 'passkey', sql`renamed`)})`,
    sql`select ${passkeyColumns} from renamed`,
  )

/**
 * Removes a passkey, or the authenticator app for null; but not the last factor where the role needs one.
 * A second removal at the same time waits for the account's row and reads its new count.
 *
 * @throws HttpError `not_found`, `conflict`
 */
export const removeFactor = async (
  db: Database,
  actor: Actor,
  passkeyId: string | null,
  { isRequired, notice }: { isRequired: boolean; notice: Rendered },
): Promise<void> => {
  const [table, condition] = passkeyId
    ? [passkeys, sql`id = ${passkeyId}::uuid`]
    : [totpSecrets, sql`secret is not null`]
  const [found] = await write<{ known: boolean; removed: boolean; count: number }>(
    db,
    sql`
      account as materialized (
        select id, email, factor_count from ${users} where id = ${actor.id}::uuid for no key update
      ),
      known as materialized (
        select from ${table} where user_id in (select id from account) and ${condition} for update
      ),
      removed as (
        delete from ${table} where user_id = ${actor.id}::uuid and ${condition}
          and exists (select from known)
          and exists (select from account where factor_count > 1 or not ${isRequired})
        returning user_id
      ),
      counted as (
        update ${users} set factor_count = factor_count - 1
        where id in (select user_id from removed)
        returning id, email, factor_count
      ),
      no_codes as (
        delete from ${recoveryCodes}
        where user_id in (select id from counted where factor_count = 0)
      ),
      event as (${factorEvent('factor_removed', actor, passkeyId ? 'passkey' : 'totp', sql`counted`)}),
      noticed as (${queueAccountMail(notice, sql`email`, sql`counted`)})`,
    sql`select exists (select from known) as known, exists (select from removed) as removed,
      factor_count as count from account`,
  )
  if (found?.removed) return
  if (!(found?.known && isRequired && found.count === 1)) throw new HttpError('not_found')
  const message = 'Your role needs a second factor. Add another one before you remove this.'
  throw new HttpError('conflict', message)
}

/** The authenticator app's secrets, encrypted. */
export const findTotp = (db: Database, userId: string) =>
  runOne(
    db
      .select({ secret: totpSecrets.secret, pending: totpSecrets.pending })
      .from(totpSecrets)
      .where(eq(totpSecrets.userId, userId)),
  )

/** Keeps a secret until it is confirmed; the one in force stays. */
export const proposeTotp = (db: Database, userId: string, pending: string): Promise<unknown> =>
  run(
    db
      .insert(totpSecrets)
      .values({ userId, pending })
      .onConflictDoUpdate({ target: totpSecrets.userId, set: { pending } }),
  )

/** Puts the proposed secret in force, if it is still the proposed one. */
export const confirmTotp = (
  db: Database,
  actor: Actor,
  { pending, step, hashes, notice }: WithFactor & { pending: string; step: number },
): Promise<{ isFirst: boolean } | undefined> =>
  checkedRow(
    db,
    z.object({ isFirst: z.boolean() }),
    sql`with
      stored as materialized (
        select user_id, secret from ${totpSecrets}
        where user_id = ${actor.id}::uuid and pending = ${pending} for update
      ),
      confirmed as (
        update ${totpSecrets} as t set secret = t.pending, pending = null, confirmed_at = now(),
          used_steps = array[${step}::bigint]
        from stored where t.user_id = stored.user_id
        returning t.user_id, stored.secret is null as is_new
      ),
      new_factor as (select user_id from confirmed where is_new),
      counted as (${countFactor(sql`new_factor`)}),
      codes as (${firstRecoveryCodes(actor.id, hashes)}),
      event as (${factorEvent('factor_added', actor, 'totp', sql`confirmed`)}),
      noticed as (${queueAccountMail(notice, sql`${actor.email}::text`, sql`confirmed`)})
      select coalesce((select factor_count = 1 from counted), false) as "isFirst" from confirmed`,
  )

/** Replaces the recovery codes; false where the account has no factor that they could stand for. */
export const replaceRecoveryCodes = (db: Database, actor: Actor, { hashes, notice }: WithFactor) =>
  anyRow(
    db,
    sql`with
      account as materialized (
        select id, email from ${users} where id = ${actor.id}::uuid and factor_count > 0
        for no key update
      ),
      old as (delete from ${recoveryCodes} where user_id in (select id from account)),
      new as (
        insert into ${recoveryCodes} (user_id, hash)
        select id, unnest(${sql.param(hashes)}::text[]) from account
      ),
      event as (${factorEvent('factor_added', actor, 'recoveryCodes', sql`account`)}),
      noticed as (${queueAccountMail(notice, sql`email`, sql`account`)})
      select id from account`,
  )
