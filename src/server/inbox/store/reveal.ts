import type { Database } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { rows } from '#server/db/rows.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { type BlindReader, hiddenFrom } from '#server/kinds/store/hidden.ts'
import { logOnRecord } from './log-on-record.ts'

/** Logs that somebody revealed the sender of a record; false where there is none outside the trash. */
export const logReveal = (db: Database, kind: Kind, id: string, actor: Actor): Promise<boolean> =>
  logOnRecord(db, kind, id, { by: actor, kind: 'revealed', fields: kind.hidden })

/** Logs that somebody read a record of which a blind answer would have hidden the sender from them. */
export const logPlainRead = async (
  db: Database,
  kind: Kind,
  id: string,
  { actor, reader }: { actor: Actor; reader: BlindReader },
): Promise<void> => {
  const hidden = hiddenFrom(kind, { ...reader, blind: 'auto' }) ?? sql`false`
  await rows(
    db,
    sql`with
      r as materialized (
        select r.id, r.version from ${kind.table} r where r.id = ${id}::uuid and ${hidden}
        for key share
      )
      ${recordEvent({
        from: sql`r`,
        by: actor,
        kind: 'revealed',
        targetKind: kind.path,
        targetId: sql`r.id`,
        fields: kind.hidden,
        version: sql`r.version`,
      })}`,
  )
}
