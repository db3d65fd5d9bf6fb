import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { recordEvent } from '#server/db/record-event.ts'
import { rows } from '#server/db/rows.ts'
import type { Cursor } from '#server/http/cursor.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { recordJson } from '#server/kinds/store.ts'
import { type Filter, filterNames, sortOrder } from './filter.ts'
import { pageRows } from './list.ts'

/** Records in one batch of an export. */
export const BATCH = 1_000

interface Row extends Cursor {
  record: Record<string, unknown>
}

/** The next batch after a cursor, or the first. */
export const nextBatch = (
  db: Database,
  kind: Kind,
  filter: Filter,
  cursor: Cursor | undefined,
): Promise<Row[]> => {
  const order = sortOrder(filter.sort)
  return rows<Row>(
    db,
    sql`with page as (${pageRows(kind, filter, { count: BATCH, cursor })})
      select ${recordJson(kind)} as record, r.id, ${order.text} as key from page r
      order by ${order.key} ${order.direction}, r.id ${order.direction}`,
  )
}

export const logExport = (
  db: Database,
  kind: Kind,
  filter: Filter,
  actor: Actor,
): Promise<unknown> =>
  rows(
    db,
    recordEvent({ by: actor, kind: 'export', targetKind: kind.path, fields: filterNames(filter) }),
  )
