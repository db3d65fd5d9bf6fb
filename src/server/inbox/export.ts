import { setImmediate } from 'node:timers/promises'
import type { Deps } from '#server/deps.ts'
import { download } from '#server/http/answer.ts'
import { BYTE_ORDER_MARK, csvLine } from '#server/http/csv.ts'
import type { Actor, CallRequest } from '#server/http/route.ts'
import type { Fields, Kind } from '#server/kinds/kind.ts'
import { refuseUnknownChoice } from '#server/kinds/store/choice.ts'
import { blindReader } from '#server/kinds/store/hidden.ts'
import { logExport } from '#server/mail-out/store/account.ts'
import type { ExportQuery } from './contract.ts'
import { filterNames, toFilter } from './store/filter.ts'
import { BATCH, nextBatch } from './store/list.ts'
import { blindFilter } from './store/shown.ts'

/** The columns that every record has after its kind's own fields, each with its label. */
const commonColumns = (
  { hidden, who, at }: Kind,
  blind: ExportQuery['blind'],
): Readonly<Record<string, string>> => ({
  _id: 'Id',
  createdAt: 'Received',
  updatedAt: 'Changed',
  status: 'Status',
  [who]: 'Status set by',
  [at]: 'Status set',
  assignee: 'Assigned to',
  box: 'Box',
  spam: 'Why it is spam',
  source: 'Source',
  consent: 'Consent',
  version: 'Version',
  ...(hidden.length > 0 && blind ? { candidate: 'Candidate' } : {}),
})

const inWords = (kind: Kind, record: Record<string, unknown>): Record<string, unknown> => ({
  ...record,
  ...kind.shown?.(record as Fields),
  status: kind.statusLabels[String(record.status)] ?? record.status,
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
  await logExport(db, actor, { target: kind.path, filters: filterNames(filter) })
  request.afterResponse(deps.deliver())
  const common = commonColumns(kind, query.blind)
  const own = kind.fields.filter((name) => query.blind !== '1' || !kind.hidden.includes(name))
  const columns = [...own, ...Object.keys(common)]
  const names = query.labels ? columns.map((name) => common[name] ?? kind.labels[name]) : columns
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
      const head = isFirst ? BYTE_ORDER_MARK + csvLine(names) : ''
      isFirst = false
      const lines = batch.map(({ record }) => {
        const values = query.labels ? inWords(kind, record) : record
        return csvLine(columns.map((name) => values[name]))
      })
      controller.enqueue(encoder.encode(head + lines.join('')))
      if (batch.length < BATCH) controller.close()
    },
  })
  const day = new Date().toISOString().slice(0, 10)
  return download(`${kind.path}-${day}.csv`, 'text/csv', body)
}
