import { setImmediate } from 'node:timers/promises'
import type { Deps } from '#server/deps.ts'
import { download } from '#server/http/answer.ts'
import { BYTE_ORDER_MARK, csvLine } from '#server/http/csv.ts'
import type { Actor, CallRequest } from '#server/http/route.ts'
import type { Fields, Kind } from '#server/kinds/kind.ts'
import { refuseUnknownChoice } from '#server/kinds/store/choice.ts'
import { blindReader } from '#server/kinds/store/hidden.ts'
import type { ExportQuery } from './contract.ts'
import { BATCH, logExport, nextBatch } from './store/export.ts'
import { toFilter } from './store/filter.ts'
import { blindFilter } from './store/shown.ts'

/** The columns: a kind's own fields as its form sends them, then what every record has. */
const csvColumns = (
  { fields, hidden, who, at }: Kind,
  blind: ExportQuery['blind'],
): readonly string[] => [
  ...fields.filter((name) => blind !== '1' || !hidden.includes(name)),
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
  ...(hidden.length > 0 && blind ? ['candidate'] : []),
]

const commonLabels: Readonly<Record<string, string>> = {
  _id: 'Id',
  createdAt: 'Received',
  updatedAt: 'Changed',
  status: 'Status',
  assignee: 'Assigned to',
  box: 'Box',
  spam: 'Why it is spam',
  source: 'Source',
  consent: 'Consent',
  version: 'Version',
  candidate: 'Candidate',
}

/** In the words that people see. */
const labelled = (kind: Kind) => ({
  column: (name: string): string => {
    if (name === kind.who) return 'Status set by'
    if (name === kind.at) return 'Status set'
    return kind.labels[name] ?? commonLabels[name] ?? name
  },
  value: (record: Record<string, unknown>, name: string): unknown => {
    if (name === 'status') return kind.statusLabels[String(record.status)] ?? record.status
    const shown: Readonly<Record<string, unknown>> = kind.shown?.(record as Fields) ?? {}
    return shown[name] ?? record[name]
  },
})

/** The filtered list as a stream of CSV, read in batches: any length, little memory. */
export const exportCsv = async (
  kind: Kind,
  query: ExportQuery,
  { actor, request }: { actor: Actor; request: CallRequest },
  deps: Deps,
): Promise<Response> => {
  const { db } = deps
  const wanted = toFilter(query)
  await refuseUnknownChoice(db, kind, wanted.own)
  const filter = blindFilter(kind, blindReader({ actor, query }), wanted)
  await deps.scheduleDelivery()
  await logExport(db, kind, filter, actor)
  request.afterResponse(deps.deliver())
  const columns = csvColumns(kind, query.blind)
  const { column, value } = query.labels
    ? labelled(kind)
    : {
        column: (name: string) => name,
        value: (record: Record<string, unknown>, name: string) => record[name],
      }
  const encoder = new TextEncoder()
  // The first batch is awaited here, so that a failure can still be answered as one.
  let batch = await nextBatch(db, kind, filter, undefined)
  let isFirst = true

  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!isFirst) {
        // The embedded database answers without returning to the event loop, which reads new requests.
        await setImmediate()
        batch = await nextBatch(db, kind, filter, batch.at(-1))
      }
      const head = isFirst ? BYTE_ORDER_MARK + csvLine(columns.map(column)) : ''
      isFirst = false
      const lines = batch.map(({ record }) => csvLine(columns.map((name) => value(record, name))))
      controller.enqueue(encoder.encode(head + lines.join('')))
      if (batch.length < BATCH) controller.close()
    },
  })
  const day = new Date().toISOString().slice(0, 10)
  return download(`${kind.path}-${day}.csv`, 'text/csv', body)
}
