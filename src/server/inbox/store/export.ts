import type { Database } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { rows, run } from '#server/db/rows.ts'
import type { Cursor } from '#server/http/cursor.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { recordJson } from '#server/kinds/store/record.ts'
import { renderExportNotice } from '#server/mail-out/render/account.ts'
import { tellSuperusers } from '#server/mail-out/store/account.ts'
import { type Filter, filterNames, sortOrder } from './filter.ts'
import { pageRows } from './list.ts'
import { withoutPerson } from './shown.ts'

export const BATCH = 1_000

export const nextBatch = async (
  db: Database,
  kind: Kind,
  filter: Filter,
  cursor: Cursor | undefined,
): Promise<(Cursor & { record: Record<string, unknown> })[]> => {
  const order = sortOrder(filter)
  const found = await run(
    db
      .select({
        record: recordJson(kind),
        isHidden: sql<boolean>`${filter.hidden ?? sql`false`}`,
        id: sql<string>`r.id`,
        key: order.text,
      })
      .from(sql`(${pageRows(kind, filter, { count: BATCH, cursor })}) as r`)
      .orderBy(sql`${order.key} ${order.direction}`, order.ties),
  )
  return found.map(({ id, key, record, isHidden }) => ({
    id,
    key,
    record: isHidden ? withoutPerson(kind, record) : record,
  }))
}

/** Logs an export and tells every superuser. */
export const logExport = (db: Database, kind: Kind, filter: Filter, actor: Actor) => {
  const fields = filterNames(filter)
  const notice = renderExportNotice(actor.username, kind.path, fields)
  return rows(
    db,
    sql`with
      logged as (${recordEvent({ by: actor, kind: 'export', targetKind: kind.path, fields })}),
      noticed as (${tellSuperusers(notice)})
      select`,
  )
}
