import type { Database } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { run } from '#server/db/rows.ts'
import type { Cursor } from '#server/http/cursor.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { recordJson } from '#server/kinds/store/record.ts'
import { type Filter, sortOrder } from './filter.ts'
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
