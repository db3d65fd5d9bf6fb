import type { Role } from '#contract/http/access.ts'
import type { StoredAccount } from '#server/auth/store/accounts.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { sessions, users } from '#server/db/schema/accounts/users.ts'
import type { Deps } from '#server/deps.ts'
import { newTokenSecret } from '#server/secrets/token-secret.ts'
import type { TestApi } from '#server/testing.ts'
import { signToken } from './token.ts'

/** The password of every user that {@link makeUser} makes. */
export const testPassword = 'a plain test passphrase'

const testPasswordHash =
  '$argon2id$v=19$m=19456,p=1,t=2$FZ30gKxj0pqZq6uVsYEqbw$didQv9NVQ8gOhZ+L/7hZG2pk7JnUVBDV1r6BgTFuJX0'

export type TestUser = StoredAccount

/** A stored account; its e-mail is the username at `staff.test`. */
export const makeUser = async (db: Database, username: string, role: Role): Promise<TestUser> => {
  const email = `${username}@staff.test`
  const [made] = await rows<{ id: string }>(
    db,
    sql`insert into ${users} (username, email, password_hash, role)
      values (${username}, ${email}, ${testPasswordHash}, ${role}) returning id`,
  )
  if (!made) throw new Error('No user was made')
  return { id: made.id, username, email, role }
}

/** A token with a living session, without the cost of signing in. */
export const tokenOf = async (
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { id }: Pick<TestUser, 'id'>,
): Promise<string> => {
  const { secret, hash } = newTokenSecret()
  const [made] = await rows<{ expiresAt: string }>(
    db,
    sql`insert into ${sessions} (user_id, token_hash, credential_version, step_up_until, expires_at)
      select id, ${hash}, credential_version, now() + interval '15 minutes', now() + interval '12 hours'
      from ${users} where id = ${id}::uuid
      returning expires_at as "expiresAt"`,
  )
  if (!made) throw new Error('No session was made')
  return signToken(config.authSecret, { userId: id, secret, expiresAt: made.expiresAt })
}

/** The status of a call with a token: 200 while it counts. */
export const meStatus = async (api: TestApi, token: string): Promise<number> =>
  (await api.request('/api/auth/me', { token })).status

/** Counts further failures for one limit of sign-ins by SQL: each by a call costs a hash. */
export const moreFailures = async (
  { deps: { db } }: TestApi,
  { max, before, after }: { max: number; before: number; after: number },
): Promise<void> => {
  const counted = await rows(
    db,
    sql`update rate_limits set hits = array_fill(now()::timestamptz(3), array[${after}::int])
      where max = ${max}::int and cardinality(hits) = ${before}::int and key like 'sign-in-%' returning 1`,
  )
  if (counted.length !== 1) throw new Error(`${counted.length} limits had counted ${before}`)
}

/** A user of the role, named after it, and their token. */
export const signInAs = async (
  deps: Pick<Deps, 'db' | 'config'>,
  role: Role,
  username: string = role,
): Promise<TestUser & { token: string }> => {
  const made = await makeUser(deps.db, username, role)
  return { ...made, token: await tokenOf(deps, made) }
}
