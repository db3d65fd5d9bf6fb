import type { ActivityEntry } from '#contract/inbox.ts'
import type { Database } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { write } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { activityJson } from '#server/kinds/store/activity.ts'

/**
 * Writes a note on a record that is not in the trash; undefined when there is none. The record is
 * locked, so that none is written to one that is being erased.
 */
export const writeNote = async (
  db: Database,
  kind: Kind,
  id: string,
  text: string,
  actor: Actor,
): Promise<ActivityEntry | undefined> => {
  const [written] = await write<{ entry: ActivityEntry }>(
    db,
    sql`e as (
        ${recordEvent({
          from: sql`(
            select id, version from ${kind.table} where id = ${id}::uuid and box <> 'trash' for key share
          ) r`,
          by: actor,
          kind: 'note',
          targetKind: kind.path,
          targetId: sql`r.id`,
          fields: ['note'],
          text,
          version: sql`r.version`,
        })}
        returning *
      )`,
    sql`select ${activityJson} as entry from e`,
  )
  return written?.entry
}
