import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { recordEvent } from '#server/db/record-event.ts'
import { rows } from '#server/db/rows.ts'
import type { Deps } from '#server/deps.ts'
import type { Cursor } from '#server/http/cursor.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { recordJson } from '#server/kinds/record.ts'
import type { ExportQuery } from './contract.ts'
import { BYTE_ORDER_MARK, csvLine } from './csv.ts'
import { type Filter, filterNames, sortOrder, toFilter } from './filter.ts'
import { pageRows } from './list.ts'

const BATCH = 1_000

/** The columns: a kind's own fields as its form sends them, then what every record has. */
const csvColumns = ({ fields, who, at }: Kind): readonly string[] => [
  ...fields,
  '_id',
  'createdAt',
  'updatedAt',
  'status',
  who,
  at,
  'assignee',
  'box',
  'spam',
  'source',
  'consent',
  'version',
]

interface Row extends Cursor {
  record: Record<string, unknown>
}

const nextBatch = (
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

const logExport = (db: Database, kind: Kind, filter: Filter, actor: Actor): Promise<unknown> =>
  rows(
    db,
    recordEvent({ by: actor, kind: 'export', targetKind: kind.path, fields: filterNames(filter) }),
  )

/** The filtered list as a stream of CSV, read in batches: any length, little memory. */
export const exportCsv = async (
  kind: Kind,
  query: ExportQuery,
  actor: Actor,
  { db }: Deps,
): Promise<Response> => {
  const filter = toFilter(query)
  await logExport(db, kind, filter, actor)
  const columns = csvColumns(kind)
  const encoder = new TextEncoder()
  // The first batch is awaited here, so that a failure can still be answered as one.
  let batch = await nextBatch(db, kind, filter, undefined)
  let isFirst = true

  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!isFirst) batch = await nextBatch(db, kind, filter, batch.at(-1))
      const head = isFirst ? BYTE_ORDER_MARK + csvLine(columns) : ''
      isFirst = false
      const lines = batch.map(({ record }) => csvLine(columns.map((name) => record[name])))
      controller.enqueue(encoder.encode(head + lines.join('')))
      if (batch.length < BATCH) controller.close()
    },
  })
  const day = new Date().toISOString().slice(0, 10)
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${kind.path}-${day}.csv"`,
    },
  })
}
