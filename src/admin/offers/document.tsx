import { isStoredDay } from '#contract/fields.ts'
import { moneyText, totalsOf } from '#contract/offers/money.ts'
import type { Offer } from '#contract/offers/offer.ts'
import type { OfferTerms } from '#contract/offers/offers.ts'
import { calendarDayText } from '#contract/times/moments.ts'
import { site } from '../site.ts'
import styles from './offers.module.css'

export type ShownOffer = Omit<OfferTerms, 'startsOn'> & { startsOn?: string | null | undefined }

interface OfferDocumentProps {
  offer: ShownOffer
  name: string
  isOver?: boolean
}

/** A day in words; a day that is being typed may be none yet. */
export const dayText = (value: string): string =>
  isStoredDay(value) ? calendarDayText(value) : value

/** An offer as its sender reads it. */
export function OfferDocument({ offer, name, isOver = false }: OfferDocumentProps) {
  const { title, text, lines, currency, startsOn, validUntil, terms } = offer
  const totals = totalsOf(lines)
  return (
    <article
      className={styles.document}
      data-over={isOver ? '' : undefined}
      aria-label="The offer as the sender reads it"
    >
      <p className={styles.brand}>{site.name}</p>
      <h2 dir="auto">{title || 'Without a title'}</h2>
      <p className="secondary">
        For <bdi>{name}</bdi>
      </p>
      <p className="typed" dir="auto">
        {text}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Price</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ label, amount, per }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity here
            <tr key={index}>
              <td dir="auto">{label}</td>
              <td>
                {moneyText(amount, currency)}
                {per === 'month' && <span className="secondary"> a month</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Totals totals={totals} currency={currency} />
      {startsOn && <p>Start: {dayText(startsOn)}</p>}
      {validUntil && <p>Valid until: {dayText(validUntil)}</p>}
      {terms && (
        <p className="typed" dir="auto">
          <b>Terms.</b> {terms}
        </p>
      )}
    </article>
  )
}

/** Both sums side by side: they are never added up. */
export function Totals({ totals, currency }: Pick<Offer, 'totals' | 'currency'>) {
  return (
    <dl className={styles.totals}>
      {(['once', 'month'] as const)
        .filter((per) => totals[per] > 0)
        .map((per) => (
          <div key={per}>
            <dt className="caption">Together, {per === 'once' ? 'once' : 'a month'}</dt>
            <dd>{moneyText(totals[per], currency)}</dd>
          </div>
        ))}
    </dl>
  )
}
