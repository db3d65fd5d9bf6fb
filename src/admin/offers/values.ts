import { dayFrom } from '#contract/fields.ts'
import { digitsOf } from '#contract/offers/money.ts'
import type { Offer } from '#contract/offers/offer.ts'
import type { OfferTerms } from '#contract/offers/offers.ts'
import { keepForm } from '../record/composer/drafts.ts'
import type { ConsultationDetail } from '../record/record.ts'
import { site } from '../site.ts'
import { shownAmount } from './amount.ts'

export interface Line {
  /** Tells the lines apart while they are typed. */
  id: number
  label: string
  /** As it is typed. */
  amount: string
  per: 'once' | 'month'
}

export const emptyLine = { label: '', amount: '', per: 'once' } as const

export interface Values extends Omit<OfferTerms, 'lines' | 'startsOn'> {
  lines: readonly Line[]
  startsOn: string
  message: string
}

/** Keeps the fields that were typed and are not stored, in the tab. */
export const keepTyped = (draft: string, typed: Partial<Values>): void =>
  keepForm(draft, Object.keys(typed).length > 0 ? typed : null)

export const inDays = (days: number): string => dayFrom(new Date(), { days })

/** The stored fields. A new offer has the service asked for and the terms of the newest one. */
export const valuesOf = (
  record: ConsultationDetail,
  offer: Offer | null,
  newest: Offer | null,
): Values => {
  const asked = site.services.find(({ id }) => id === record.service)
  const digits = digitsOf(offer?.currency ?? site.currency)
  const askedLine = asked?.monthly
    ? ({
        label: asked.title ?? '',
        amount: `${asked.monthly}`,
        per: asked.once ? 'once' : 'month',
      } as const)
    : undefined
  return {
    title: offer?.title ?? asked?.title ?? '',
    text: offer?.text ?? '',
    lines: offer?.lines.map((line, id) => ({
      ...line,
      id,
      amount: shownAmount(line.amount, digits),
    })) ?? [{ ...emptyLine, ...askedLine, id: 0 }],
    currency: offer?.currency ?? site.currency,
    startsOn: offer?.startsOn ?? '',
    validUntil: offer?.validUntil ?? inDays(14),
    terms: offer?.terms ?? newest?.terms ?? '',
    message: `Hello ${record.name}, here is our offer. Take your time, and ask us anything.`,
  }
}
