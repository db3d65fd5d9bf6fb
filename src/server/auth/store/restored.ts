import { type Database, sql } from '#server/db/drizzle.ts'
import { isTableMissing, rows, run, valuesOf } from '#server/db/rows.ts'
import { accountLinks, apiTokens, challenges } from '#server/db/schema/accounts/factors.ts'
import { calendarLinks, sessions } from '#server/db/schema/accounts/users.ts'

/** Each kind of sign-in, and what tells one from another. */
const kinds = [
  { name: 'sessions', table: sessions, key: sessions.id },
  { name: 'links', table: accountLinks, key: accountLinks.id },
  { name: 'tokens', table: apiTokens, key: apiTokens.id },
  { name: 'calendars', table: calendarLinks, key: calendarLinks.tokenHash },
] as const

/** Keys of sessions, tokens and links that a database holds: what it lacks has ended. */
type OpenSignIns = Partial<Record<(typeof kinds)[number]['name'], string[]>>

export const readOpenSignIns = async (db: Database): Promise<OpenSignIns> => {
  const open: OpenSignIns = {}
  for (const { name, table, key } of kinds) {
    try {
      open[name] = await valuesOf<string>(db, sql`select ${key} from ${table}`)
    } catch (error) {
      // The database is older than the table.
      if (!isTableMissing(error)) throw error
    }
  }
  return open
}

/**
 * Ends in a restored database every session, token and link that is not `open` any more, and every challenge: a backup
 * must not bring back what was signed out, used or taken back since.
 *
 * @returns how many sessions, tokens and links were ended
 */
export const endOtherSignIns = async (db: Database, open: OpenSignIns = {}) => {
  await run(db.delete(challenges))
  let ended = 0
  for (const { name, table, key } of kinds) {
    const isOpen = sql`${key}::text = any(${sql.param(open[name] ?? [])}::text[])`
    ended += (await rows(db, sql`delete from ${table} where not ${isOpen} returning 1`)).length
  }
  return ended
}
