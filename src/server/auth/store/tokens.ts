import * as z from 'zod/mini'
import type { Token } from '#contract/accounts/tokens.ts'
import { scopes } from '#contract/http/access.ts'
import { limits } from '#contract/limits.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { recordEventOf } from '#server/db/events/record-event.ts'
import { iso } from '#server/db/json.ts'
import { countAttempt, perHour } from '#server/db/rate-limit.ts'
import { checkedRow, oneValue } from '#server/db/rows.ts'
import { apiTokens } from '#server/db/schema/accounts/factors.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { writeOne, writeValue } from '#server/db/write.ts'
import { orRateLimited } from '#server/http/rate-limited.ts'
import type { Actor } from '#server/http/route.ts'
import { storedAccount } from './accounts.ts'

const TOUCH = sql`interval '1 minute'`

/** Neither expired, nor from before the last change of the account `u`. */
const isAlive = sql`t.expires_at > now() and t.credential_version = u.credential_version`

const shown = sql`t.id as "_id", t.name, t.scopes, ${iso(sql`t.created_at`)} as "createdAt",
  ${iso(sql`t.expires_at`)} as "expiresAt", ${iso(sql`t.last_used_at`)} as "lastUsedAt"`

/** Undefined where there is no such user. */
export const listTokens = (db: Database, userId: string) =>
  oneValue<Token[]>(
    db,
    sql`select coalesce((
        select json_agg(l) from (
          select ${shown} from ${apiTokens} t where t.user_id = u.id and ${isAlive} order by t.id desc
        ) as l
      ), '[]')
      from ${users} u where u.id = ${userId}::uuid`,
  )

type NewToken = Pick<Token, 'name' | 'scopes' | 'expiresAt'> & { hash: string }

/** Undefined where the account has as many as it may. */
export const addToken = (db: Database, actor: Actor, { name, scopes, expiresAt, hash }: NewToken) =>
  writeOne<Token>(
    db,
    sql`
      -- Two calls at once wait for each other here. The lock is asked for first, so that the count sees what the other has added.
      u as materialized (select * from ${users} where id = ${actor.id}::uuid for no key update),
      t as (
        insert into ${apiTokens} (user_id, name, scopes, token_hash, credential_version, expires_at)
        select u.id, ${name}, ${sql.param(scopes)}::text[], ${hash}, u.credential_version, ${expiresAt}::timestamptz
        from u where tokens_now(u.id, u.credential_version) < ${limits.tokens}
        returning *
      ),
      event as (
        ${recordEventOf('t', { by: actor, kind: 'token.create', targetKind: 'tokens', fields: sql`scopes` })}
      )`,
    sql`select ${shown} from t`,
  )

/** Ends a user's tokens, or one of them. Undefined where there is no such user. */
export const endTokens = (
  db: Database,
  actor: Actor,
  { userId, tokenId }: { userId: string; tokenId?: string },
): Promise<number | undefined> =>
  writeValue(
    db,
    sql`
      ended as (
        delete from ${apiTokens} t using ${users} u
        where u.id = t.user_id and t.user_id = ${userId}::uuid and ${isAlive}
          and (${tokenId ?? null}::uuid is null or t.id = ${tokenId ?? null}::uuid)
        returning t.id
      ),
      event as (${recordEventOf('ended', { by: actor, kind: 'token.end', targetKind: 'tokens' })})`,
    sql`select (select count(*) from ended)::int as ended from ${users} where id = ${userId}::uuid`,
  )

const tokenActor = z.extend(storedAccount, {
  mustChangePassword: z.boolean(),
  factorCount: z.int(),
  token: z.object({ id: z.string(), name: z.string(), scopes: z.array(z.enum(scopes)) }),
})

/**
 * The maker of a token that still counts. The call is counted.
 *
 * @throws HttpError `rate_limited`
 */
export const findTokenActor = (db: Database, hash: string) => {
  const limit = { key: `token-calls:${hash}`, ...perHour(limits.tokenCallsPerHour) }
  const alive: SQL = sql`
    select t.id, t.name, t.scopes, t.user_id, t.last_used_at
    from ${apiTokens} t join ${users} u on u.id = t.user_id
    where t.token_hash = ${hash} and ${isAlive}`
  return orRateLimited(db, [limit], () =>
    checkedRow(
      db,
      tokenActor,
      sql`with
        alive as (${alive}),
        counted as (${countAttempt([limit], sql`exists (select from alive)`)}),
        touched as (
          update ${apiTokens} set last_used_at = now()
          where id in (select id from alive where coalesce(last_used_at < now() - ${TOUCH}, true))
        )
        select u.id, u.username, u.email, u.role, u.must_change_password as "mustChangePassword",
          u.factor_count as "factorCount",
          json_build_object('id', alive.id, 'name', alive.name, 'scopes', alive.scopes) as token
        from alive join ${users} u on u.id = alive.user_id`,
    ),
  )
}
