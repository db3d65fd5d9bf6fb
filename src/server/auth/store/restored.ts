import type { Database } from '#server/db/database.ts'
import { notInArray } from '#server/db/drizzle.ts'
import { isTableMissing, run } from '#server/db/rows.ts'
import { accountLinks, apiTokens, challenges } from '#server/db/schema/accounts/factors.ts'
import { sessions } from '#server/db/schema/accounts/users.ts'

const tables = { sessions, links: accountLinks, tokens: apiTokens }
const names = ['sessions', 'links', 'tokens'] as const

/** Ids of sessions, tokens and links that a database holds: what it lacks has ended. */
export type OpenSignIns = Record<keyof typeof tables, string[]>

export const readOpenSignIns = async (db: Database): Promise<OpenSignIns> => {
  const open: OpenSignIns = { sessions: [], links: [], tokens: [] }
  for (const name of names) {
    try {
      const found = await run(db.select({ id: tables[name].id }).from(tables[name]))
      open[name] = found.map(({ id }) => id)
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
export const endOtherSignIns = async (
  db: Database,
  open: OpenSignIns = { sessions: [], links: [], tokens: [] },
): Promise<number> => {
  await run(db.delete(challenges))
  let ended = 0
  for (const name of names) {
    const { id } = tables[name]
    const gone = db.delete(tables[name]).where(notInArray(id, open[name])).returning({ id })
    ended += (await run(gone)).length
  }
  return ended
}
