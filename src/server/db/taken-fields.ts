import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { run } from './rows.ts'
import { users } from './schema/accounts/users.ts'

export type TakenField = 'email' | 'username'

/** Which of e-mail and username an account has already, other than the one of `exceptId`. */
export const takenFields = async (
  db: Database,
  { email, username }: { email?: string | undefined; username?: string | undefined },
  exceptId: string | null = null,
): Promise<TakenField[]> => {
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
