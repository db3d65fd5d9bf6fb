import type { Offer, OfferState } from '#contract/offers/offer.ts'
import { counted } from '../format/count.ts'
import { dateOf } from '../format/dates.ts'

export const stateLabels: Readonly<Record<OfferState, string>> = {
  draft: 'Draft',
  sent: 'Sent',
  accepted: 'Accepted',
  declined: 'Declined',
  expired: 'Expired',
  replaced: 'Replaced',
  recalled: 'Recalled',
}

const daysLeft = (validUntil: string): string => {
  const days = Math.ceil((Date.parse(`${validUntil}T23:59:59Z`) - Date.now()) / 86_400_000) - 1
  return days < 1 ? 'until today' : `${counted(days, 'day')} left`
}

export const standingOf = ({ state, validUntil, answeredAt, answer }: Offer): string => {
  switch (state) {
    case 'draft':
      return 'Draft, only staff see it'
    case 'sent':
      return `Waiting for an answer, ${daysLeft(validUntil)}`
    case 'accepted':
      return `Accepted by ${answer?.name ?? 'the sender'} on ${answeredAt ? dateOf(answeredAt) : ''}`
    case 'declined':
      return `Declined on ${answeredAt ? dateOf(answeredAt) : ''}`
    case 'expired':
      return `Expired on ${dateOf(`${validUntil}T12:00:00Z`)}`
    case 'replaced':
      return 'Replaced by a newer one'
    case 'recalled':
      return 'Recalled, never sent'
  }
}
