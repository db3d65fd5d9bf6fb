import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { run } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { HttpError } from '#server/http/http-error.ts'

/**
 * Names both fields at once where both are taken, which the database's own error does not.
 *
 * @throws HttpError `duplicate` where another account than `exceptId` has the e-mail or username already
 */
export const refuseTaken = async (
  db: Database,
  { email, username }: { email?: string | undefined; username?: string | undefined },
  exceptId: string | null = null,
): Promise<void> => {
  const isTaken = (column: typeof users.email | typeof users.username, wanted?: string) =>
    sql`coalesce(bool_or(lower(${column}) = lower(${wanted ?? null}::text)), false)`.mapWith(
      Boolean,
    )
  const [found] = await run(
    db
      .select({
        username: isTaken(users.username, username),
        email: isTaken(users.email, email),
      })
      .from(users)
      .where(sql`${users.id} is distinct from ${exceptId}::uuid`),
  )
  const taken = (['username', 'email'] as const).filter((field) => found?.[field])
  if (taken.length === 0) return
  const messageOf = (what: string) => `A user with this ${what} already exists.`
  const fields = Object.fromEntries(taken.map((field) => [field, [messageOf(field)]]))
  throw new HttpError('duplicate', { fields, message: messageOf(taken.join(' and ')) })
}
