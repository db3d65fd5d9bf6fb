import type { ActivityEntry } from '#contract/inbox.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { type NewEvent, recordEvent } from '#server/db/events/record-event.ts'
import { rows } from '#server/db/rows.ts'
import { recordLinks } from '#server/db/schema/record-links.ts'
import { writesAny, writeValue } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { activityJson } from '#server/kinds/store/activity.ts'
import { type BlindReader, hiddenFrom } from '#server/kinds/store/hidden.ts'

/** Entries about a record whose version stays. */

type Done = Pick<NewEvent, 'by' | 'kind' | 'fields' | 'text'>

const entry = (kind: Kind, done: Done, from: SQL = sql`r`): SQL =>
  recordEvent({
    from,
    ...done,
    targetKind: kind.path,
    targetId: sql`r.id`,
    version: sql`r.version`,
  })

/** The CTE `r`: the record, unless it is in the trash. Locked, so that nothing is logged on one that is being erased. */
const record = ({ table }: Kind, id: string): SQL => sql`
  r as materialized (
    select id, version from ${table} where id = ${id}::uuid and box <> 'trash' for key share
  )`

/** Writes a note on a record; undefined where there is none outside the trash. */
export const writeNote = (
  db: Database,
  kind: Kind,
  id: string,
  text: string,
  by: Actor,
): Promise<ActivityEntry | undefined> => {
  const note = entry(kind, { by, kind: 'note', fields: ['note'], text })
  return writeValue(
    db,
    sql`${record(kind, id)}, e as (${note} returning *)`,
    sql`select ${activityJson} as entry from e`,
  )
}

/** Ends a record's links; false where there is no record outside the trash. Logged where one ended. */
export const endLinks = (db: Database, kind: Kind, id: string, by: Actor): Promise<boolean> =>
  writesAny(
    db,
    sql`
      ${record(kind, id)},
      ended as (
        update ${recordLinks} l set ended_at = now() from r
        where l.record_kind = ${kind.path} and l.record_id = r.id and l.ended_at is null
        returning l.id
      ),
      logged as (
        ${entry(kind, { by, kind: 'link_ended', fields: ['link'] }, sql`r where exists (select from ended)`)}
      )`,
    sql`select id from r`,
  )

/** Logs that somebody revealed the sender of a record; false where there is none outside the trash. */
export const logReveal = (db: Database, kind: Kind, id: string, by: Actor): Promise<boolean> =>
  writesAny(
    db,
    sql`
      ${record(kind, id)},
      logged as (${entry(kind, { by, kind: 'revealed', fields: kind.hidden })})`,
    sql`select id from r`,
  )

/** Logs that somebody read a record of which a blind answer would have hidden the sender from them. */
export const logPlainRead = async (
  db: Database,
  kind: Kind,
  id: string,
  { actor: by, reader }: { actor: Actor; reader: BlindReader },
): Promise<void> => {
  const hidden = hiddenFrom(kind, { ...reader, blind: 'auto' }) ?? sql`false`
  await rows(
    db,
    sql`with
      r as materialized (
        select r.id, r.version from ${kind.table} r where r.id = ${id}::uuid and ${hidden}
        for key share
      )
      ${entry(kind, { by, kind: 'revealed', fields: kind.hidden })}`,
  )
}
