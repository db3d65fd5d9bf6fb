import { and, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { isTableMissing, run } from '#server/db/rows.ts'
import { recordLinks } from '#server/db/schema/record-links.ts'

/** Hashes of the tokens of sender's pages that staff have ended. */
export const readEndedLinks = async (db: Database): Promise<string[]> => {
  try {
    const ended = await run(
      db
        .select({ hash: recordLinks.tokenHash })
        .from(recordLinks)
        .where(isNotNull(recordLinks.endedAt)),
    )
    return ended.map(({ hash }) => hash)
  } catch (error) {
    // The database is older than the table.
    if (isTableMissing(error)) return []
    throw error
  }
}

/**
 * Ends, in a restored database, the links that staff have ended since the backup. All others stay valid:
 * senders have them in their mail.
 *
 * @returns how many were ended
 */
export const endLinksAgain = async (db: Database, hashes: readonly string[]): Promise<number> => {
  const ended = await run(
    db
      .update(recordLinks)
      .set({ endedAt: sql`now()` })
      .where(and(inArray(recordLinks.tokenHash, [...hashes]), isNull(recordLinks.endedAt)))
      .returning({ id: recordLinks.id }),
  )
  return ended.length
}
