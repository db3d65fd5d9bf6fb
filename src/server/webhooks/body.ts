import type { WebhookEvent } from '#contract/programs/endpoints.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { isBlindRecord } from '#server/kinds/store/hidden.ts'
import type { ClaimedDelivery } from './store/deliveries.ts'

const MOST_BYTES = 20 * 1_024

/** The texts of a record's sender and staff. Applicants for positions that are judged blind stay hidden. */
const detailsOf = (kind: Kind, { record, event }: Pick<ClaimedDelivery, 'record' | 'event'>) => {
  const fields = record?.fields ?? {}
  const isBlind = isBlindRecord(kind, fields)
  const shown = Object.entries(fields).filter(([name]) => !(isBlind && kind.hidden.includes(name)))
  return {
    ...Object.fromEntries(shown),
    ...(event?.text && !isBlind ? { text: event.text } : {}),
  }
}

const cut = (value: object, most: number): object =>
  JSON.parse(JSON.stringify(value), (_, one: unknown) =>
    typeof one === 'string' ? [...one].slice(0, most).join('') : one,
  )

const statusAfter = (after: unknown): string | undefined => {
  const { status } = (after ?? {}) as { status?: unknown }
  return typeof status === 'string' ? status : undefined
}

/** The start of a talk before and after the event, or the id of an offer. */
const factsOf = (type: WebhookEvent, after: unknown): object => {
  const { from = null, to = null, offer } = (after ?? {}) as Record<string, unknown>
  if (type.startsWith('appointment.')) return { from, to }
  return type.startsWith('offer.') ? { offer } : {}
}

/** The body of a delivery by Standard Webhooks: ids and facts, and what people wrote where the endpoint asks for it. */
export const webhookBody = (
  { type, at, record, event, endpoint }: ClaimedDelivery,
  siteUrl: string,
): string => {
  const write = (data: object): string => JSON.stringify({ type, timestamp: at, data })
  if (!record) return write(event ? { event: event.id, adminUrl: `${siteUrl}/admin` } : {})
  const { fields: _, ...facts } = record
  const data = {
    ...facts,
    status: statusAfter(event?.after) ?? facts.status,
    ...(event ? { event: event.id, change: event.kind, ...factsOf(type, event.after) } : {}),
    adminUrl: `${siteUrl}/admin/${record.kind}?id=${record._id}`,
  }
  if (!endpoint.details) return write(data)
  const details = detailsOf(kindByPath[record.kind], { record, event })
  for (let most = 10_000; ; most = Math.floor(most / 2)) {
    const body = write({ ...data, details: cut(details, most) })
    if (Buffer.byteLength(body) <= MOST_BYTES || most < 10) return body
  }
}
