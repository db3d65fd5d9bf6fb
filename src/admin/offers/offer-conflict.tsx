import { moneyText } from '#contract/offers/money.ts'
import type { Offer } from '#contract/offers/offer.ts'
import type { OfferTerms } from '#contract/offers/offers.ts'
import { Conflict } from '../components/conflict.tsx'
import { dayText, type ShownOffer } from './document.tsx'

interface Props {
  stored: Offer
  wanted: OfferTerms
  onKeep: () => void
  onSave: () => void
  onClose: () => void
}

/** Somebody else has changed a draft meanwhile: both versions, and a choice. */
export function OfferConflict({ stored, wanted, ...choice }: Props) {
  const mine = textsOf(wanted)
  return (
    <Conflict
      name={stored.title}
      sides={textsOf(stored).map(([name, text], at) => [name, text, mine[at]?.[1] ?? ''])}
      {...choice}
    />
  )
}

const textsOf = ({ title, text, lines, currency, startsOn, validUntil, terms }: ShownOffer) =>
  [
    ['Title', title],
    ['Text', text],
    [
      'Lines',
      lines
        .map(
          ({ label, amount, per }) =>
            `${label}: ${moneyText(amount, currency)}${per === 'month' ? ' a month' : ''}`,
        )
        .join('; '),
    ],
    ['Valid until', dayText(validUntil)],
    ['Starts on', dayText(startsOn ?? '')],
    ['Terms', terms],
  ] as const
