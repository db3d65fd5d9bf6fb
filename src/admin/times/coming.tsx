import { useQuery } from '@tanstack/react-query'
import { totalsText } from '#contract/offers/money.ts'
import type { OfferState } from '#contract/offers/offer.ts'
import type { Stats } from '#contract/stats.ts'
import { TextLink } from '../components/text-link.tsx'
import { When } from '../components/when.tsx'
import { Link } from '../router/link.tsx'
import { appointmentsQuery } from './queries.ts'
import styles from './times.module.css'

const SHOWN = 5

export const hoursText = (hours: number): string =>
  hours <= 1
    ? 'an hour'
    : hours < 48
      ? `${Math.ceil(hours)} hours`
      : `${Math.ceil(hours / 24)} days`

/** The next talks, and what became of the times and offers of the days shown. */
export function Coming({ figures }: { figures: Stats }) {
  const { data } = useQuery(appointmentsQuery())
  const booked = (data ?? []).filter(({ state }) => state === 'booked')
  const { sent, accepted, declined, expired, value } = figures.offers
  const { offered, booked: took, medianHoursToBooking: hours } = figures.times
  const days = `these ${figures.days.length} days`
  const count = (n: number, state?: OfferState) =>
    n === 0 ? (
      0
    ) : (
      <Link to="/admin/offers" search={{ state, days: figures.days.length }}>
        {n}
      </Link>
    )
  if (booked.length + sent + offered === 0) return null
  return (
    <section aria-labelledby="coming">
      <h2 id="coming">Talks and offers</h2>
      {booked.length === 0 ? (
        data && <p className="secondary">No talk is booked for the next 31 days.</p>
      ) : (
        <ul className={styles.coming}>
          {booked.slice(0, SHOWN).map(({ _id, record, name, start, host }) => (
            <li key={_id} className="wrapping-row">
              <When at={start} />
              <Link to={`/admin/${record.kind}`} search={{ id: record._id }}>
                <bdi>{name}</bdi>
              </Link>
              <span className="secondary">with {host ?? 'nobody'}</span>
            </li>
          ))}
        </ul>
      )}
      {offered > 0 && (
        <p>
          <b>{offered}</b> {offered === 1 ? 'person was' : 'people were'} offered times in {days}:{' '}
          <b>{took}</b> booked one
          {hours !== null && `, ${took === 1 ? '' : 'half of them '}within ${hoursText(hours)}`}.
        </p>
      )}
      {sent > 0 && (
        <p>
          {count(sent)} {sent === 1 ? 'offer' : 'offers'} sent in {days}:{' '}
          {count(accepted, 'accepted')} accepted, {count(declined, 'declined')} declined,{' '}
          {count(expired, 'expired')} expired.{' '}
          {value.map(({ currency, ...totals }) => totalsText(totals, currency)).join(', ')}
        </p>
      )}
      <p className={styles.actions}>
        <TextLink to="/admin/appointments">All talks</TextLink>
        <TextLink to="/admin/offers">All offers</TextLink>
      </p>
    </section>
  )
}
