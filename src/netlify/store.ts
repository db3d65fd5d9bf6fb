import { count, type Database, sql } from '#server/db/drizzle.ts'
import { run } from '#server/db/rows.ts'
import { keyedCalls } from '#server/db/schema/calls.ts'
import {
  contentDrafts,
  contentFiles,
  contentImages,
  contentPreviews,
  contentReleases,
  contentSites,
} from '#server/db/schema/content.ts'
import { events } from '#server/db/schema/events.ts'
import { mail } from '#server/db/schema/mail.ts'
import { offers } from '#server/db/schema/offers.ts'
import { pushes } from '#server/db/schema/pushes.ts'
import { webhookDeliveries } from '#server/db/schema/webhooks.ts'
import { kinds } from '#server/kinds/kinds.ts'

/**
 * Deletes every record with all that belongs to it, and what was edited of the site. What staff did stays in the audit log, whose chain covers
 * it, without texts and values.
 */
export async function deleteRecords(db: Database): Promise<void> {
  const tables = [
    // The trigger `purge_late` takes what belongs to a record alone.
    ...kinds.map(({ table }) => table),
    offers,
    webhookDeliveries,
    mail,
    pushes,
    keyedCalls,
    contentDrafts,
    contentReleases,
    contentSites,
    contentFiles,
    contentImages,
    contentPreviews,
  ]
  for (const table of tables) await run(db.delete(table))
  await run(
    db
      .delete(events)
      .where(sql`kind = 'note' or (by is null and via is null and kind <> 'sign_in_refused')`),
  )
  await run(
    db
      .update(events)
      .set({ before: null, after: null, text: null })
      .where(sql`before is not null or after is not null or text is not null`),
  )
}

export async function countRecords(db: Database): Promise<number> {
  const counts = await Promise.all(
    kinds.map(({ table }) => run(db.select({ n: count() }).from(table))),
  )
  return counts.flat().reduce((sum, { n }) => sum + n, 0)
}
