import * as z from 'zod/mini'
import { cursor, isStoredDay, version } from '#contract/fields.ts'
import { endpoint } from '#contract/http/endpoint.ts'
import * as inbox from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { longText, oneLine, plainText } from '#contract/text.ts'
import { offer, offerStates, shownOffer } from './offer.ts'

/** Offers: what a consultation ends in, and the sender's yes or no. */

const day = (label: string) =>
  z
    .string({ error: `${label} is missing.` })
    .check(z.refine(isStoredDay, { error: `${label} is a day such as 2026-12-01.` }))

const amountMessage = `The amount is a whole number from 0 to ${limits.offer.amount}, in the currency’s smallest unit.`

const line = z.object({
  label: oneLine('The label', { max: limits.offer.label }),
  amount: z
    .int({ error: amountMessage })
    .check(z.gte(0, amountMessage), z.lte(limits.offer.amount, amountMessage)),
  per: z.enum(['once', 'month'], { error: 'Say once or month.' }),
})
export type OfferLine = z.output<typeof line>

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** The terms that staff write; a sent offer never changes. */
const terms = {
  title: oneLine('The title', { max: limits.offer.title }),
  text: longText('The text', { max: limits.offer.text }),
  lines: z
    .array(line, { error: 'Send the lines as a list.' })
    .check(
      z.minLength(1, 'An offer has at least one line.'),
      z.maxLength(limits.offer.lines, `At most ${limits.offer.lines} lines.`),
    ),
  currency: z
    .string({ error: 'The currency is missing.' })
    .check(
      z.refine((value) => currencies.has(value), { error: 'The currency is a code such as USD.' }),
    ),
  startsOn: inbox.absentIfBlank(day('The start')),
  validUntil: day('The last day').check(
    z.refine((value) => value >= new Date().toISOString().slice(0, 10), {
      error: 'The last day is today or later.',
    }),
  ),
  terms: z._default(longText('The terms', { min: 0, max: limits.offer.terms }), ''),
}
export const offerBody = z.object(terms)
export type OfferTerms = z.output<typeof offerBody>

const one = z.object({ data: offer })
const sent = z.object({ data: offer, meta: inbox.eventMeta })

export const draftOffer = endpoint('POST /api/consultations/:id/offers', {
  summary: 'Draft an offer',
  access: 'records.change',
  body: offerBody,
  output: one,
  status: 201,
  repeatable: true,
})

export const changeOffer = endpoint('PUT /api/offers/:id', {
  summary: 'Change a draft; what is left out stays',
  access: 'records.change',
  body: z.extend(z.partial(offerBody), {
    startsOn: z.optional(z.nullable(day('The start'))),
    terms: z.optional(longText('The terms', { min: 0, max: limits.offer.terms })),
    version: z.optional(version),
  }),
  output: one,
})

export const deleteOffer = endpoint('DELETE /api/offers/:id', {
  summary: 'Delete a draft, or, as a superuser, an accepted offer whose request was erased',
  access: 'records.change',
  body: z.object({ version: z.optional(version) }),
  bodyOptional: true,
})

export const sendOffer = endpoint('POST /api/offers/:id/send', {
  summary: `Send a draft; the mail leaves ${limits.messageDelaySeconds} seconds later`,
  access: 'records.change',
  body: z.object({
    text: inbox.absentIfBlank(inbox.messageText),
    version: z.optional(version),
  }),
  bodyOptional: true,
  output: sent,
  repeatable: true,
})

export const replaceOffer = endpoint('POST /api/offers/:id/replace', {
  summary: 'A new draft from an offer; sending it ends the older one',
  access: 'records.change',
  output: one,
  status: 201,
  repeatable: true,
})

const listed = z.object({ ...offer.shape, name: z.string() })

export const findOffer = endpoint('GET /api/offers/:id', {
  summary: 'An offer, also an accepted one whose request was erased',
  access: 'records.read',
  output: z.object({ data: listed }),
})

export const listOffers = endpoint('GET /api/offers', {
  summary: 'Offers, newest first unless `sort` is `createdAt`',
  access: 'records.read',
  query: z.object({
    state: inbox.absentIfBlank(z.enum(offerStates, { error: 'Unknown state.' })),
    days: inbox.absentIfBlank(
      inbox.periodDays('Sent in the last days, neither replaced nor taken back'),
    ),
    q: inbox.absentIfBlank(plainText('The search text', limits.search)),
    from: inbox.absentIfBlank(inbox.dayOrTime),
    to: inbox.absentIfBlank(inbox.dayOrTime),
    sort: inbox.absentIfBlank(z.enum(['createdAt', '-createdAt'], { error: 'Unknown sort key.' })),
    limit: inbox.absentIfBlank(inbox.pageSize),
    cursor: inbox.absentIfBlank(cursor),
  }),
  output: z.object({
    data: z.array(listed),
    meta: z.object({
      /** All there are; `matching` counts those of the filter. */
      total: z.int(),
      matching: z.int(),
      counts: z.record(z.string(), z.int()),
      nextCursor: z.nullable(z.string()),
    }),
  }),
})

const senderOffer = z.object(shownOffer)
export type SenderOffer = z.output<typeof senderOffer>

export const readOffer = endpoint('GET /api/status/:token/offers/:id', {
  summary: 'An offer as its sender reads it',
  access: 'public',
  output: z.object({ data: senderOffer }),
})

export const answerOffer = endpoint('POST /api/status/:token/offers/:id', {
  summary: 'Accept or decline an offer',
  access: 'public',
  body: z
    .object({
      answer: z.enum(['accept', 'decline'], { error: 'Say accept or decline.' }),
      hash: z.string({ error: 'The hash of the text is missing.' }),
      name: inbox.absentIfBlank(oneLine('Name', { max: limits.name })),
      agree: z.optional(z.unknown()),
      text: inbox.absentIfBlank(longText('The message', { max: limits.reply })),
    })
    .check(({ value, issues }) => {
      if (value.answer !== 'accept') return
      const refuse = (field: string, message: string) =>
        issues.push({ code: 'custom', input: value, message, path: [field] })
      if (value.name === undefined) refuse('name', 'Name is missing.')
      if (value.agree !== true) refuse('agree', 'Tick the box to accept the offer.')
    }),
  output: z.object({ data: senderOffer }),
  form: true,
  repeatable: true,
})

/** The canonical form that the hash is made over: one line of JSON, its keys in this order. */
export const canonicalOffer = ({
  title,
  text,
  lines,
  currency,
  startsOn,
  validUntil,
  terms: conditions,
}: Pick<
  SenderOffer,
  'title' | 'text' | 'lines' | 'currency' | 'startsOn' | 'validUntil' | 'terms'
>) =>
  JSON.stringify({
    title,
    text,
    lines: lines.map(({ label, amount, per }) => ({ label, amount, per })),
    currency,
    startsOn,
    validUntil,
    terms: conditions,
  })
