import * as z from 'zod/mini'
import { id, isoTimestamp } from '#contract/fields.ts'
import { kindPaths } from '#contract/inbox.ts'

export const offerStates = [
  'draft',
  'sent',
  'accepted',
  'declined',
  'expired',
  'replaced',
  'recalled',
] as const
export type OfferState = (typeof offerStates)[number]

const totals = z.object({ once: z.int(), month: z.int() })
export type OfferTotals = z.output<typeof totals>

export const shownOffer = {
  title: z.string(),
  text: z.string(),
  lines: z.array(z.object({ label: z.string(), amount: z.int(), per: z.enum(['once', 'month']) })),
  totals,
  currency: z.string(),
  startsOn: z.nullable(z.string()),
  validUntil: z.string(),
  terms: z.string(),
  state: z.enum(offerStates),
  /** The hash of the text; null for a draft. */
  hash: z.nullable(z.string()),
  sentAt: z.nullable(isoTimestamp),
  answeredAt: z.nullable(isoTimestamp),
}

const answer = z.object({
  /** The name of the person who accepted; null for a refusal. */
  name: z.nullable(z.string()),
  text: z.nullable(z.string()),
})

export const offer = z.object({
  _id: id,
  record: z.object({ kind: z.enum(kindPaths), _id: id }),
  version: z.int(),
  ...shownOffer,
  by: z.nullable(z.string()),
  answer: z.nullable(answer),
})
export type Offer = z.output<typeof offer>
