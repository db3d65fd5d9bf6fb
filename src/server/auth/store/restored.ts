import { notInArray } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { isTableMissing, run } from '#server/db/rows.ts'
import { accountLinks, apiTokens, challenges } from '#server/db/schema/accounts/factors.ts'
import { sessions } from '#server/db/schema/accounts/users.ts'

/** Ids of sessions, tokens and links that a database holds: what it lacks has ended. */
export interface OpenSignIns {
  sessions: string[]
  links: string[]
  tokens: string[]
}

const idsIn = async (
  db: Database,
  table: typeof sessions | typeof accountLinks | typeof apiTokens,
): Promise<string[]> => {
  try {
    return (await run(db.select({ id: table.id }).from(table))).map(({ id }) => id)
  } catch (error) {
    // The database is older than the table.
    if (isTableMissing(error)) return []
    throw error
  }
}

export const readOpenSignIns = async (db: Database): Promise<OpenSignIns> => ({
  sessions: await idsIn(db, sessions),
  links: await idsIn(db, accountLinks),
  tokens: await idsIn(db, apiTokens),
})

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
  const ended = await run(
    db
      .delete(sessions)
      .where(notInArray(sessions.id, open.sessions))
      .returning({ id: sessions.id }),
  )
  const used = await run(
    db
      .delete(accountLinks)
      .where(notInArray(accountLinks.id, open.links))
      .returning({ id: accountLinks.id }),
  )
  const tokens = await run(
    db
      .delete(apiTokens)
      .where(notInArray(apiTokens.id, open.tokens))
      .returning({ id: apiTokens.id }),
  )
  return ended.length + used.length + tokens.length
}
