import { type Database, sql } from '#server/db/drizzle.ts'
import { run } from './rows.ts'
import { users } from './schema/accounts/users.ts'

/** The e-mail or username that another account than `exceptId` has already. */
export const takenFields = async (
  db: Database,
  { email, username }: { email?: string | undefined; username?: string | undefined },
  exceptId: string | null = null,
) => {
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
  return (['username', 'email'] as const).filter((field) => found?.[field])
}
