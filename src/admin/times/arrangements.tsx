import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import buttons from '../components/button.module.css'
import { RecordOffers } from '../offers/record-offers.tsx'
import { isConsultation } from '../record/consultation.ts'
import type { RecordDetail } from '../record/record.ts'
import { Link } from '../router/link.tsx'
import { OfferTimes } from './offer-times.tsx'
import { Talk } from './talk.tsx'
import styles from './times.module.css'

/** From a request to a yes: the talk, the offers, and how to begin either. */
export function Arrangements({
  record,
  now,
  mayWrite,
}: {
  record: RecordDetail
  now: number
  /** True if this person may write to the sender here. */
  mayWrite: boolean
}) {
  const [isOffering, setOffering] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  if (!isConsultation(record)) return null
  const { appointment, offers } = record
  return (
    <section className={styles.arrangements} aria-label="Talk and offer">
      {appointment && (
        <Talk record={record} appointment={appointment} now={now} mayChange={mayWrite} />
      )}
      {offers.length > 0 && <RecordOffers record={record} />}
      {mayWrite && isOffering && (
        <OfferTimes
          record={record}
          onClose={() => {
            flushSync(() => setOffering(false))
            opener.current?.focus()
          }}
        />
      )}
      {mayWrite && !isOffering && (
        <div className={styles.actions}>
          <button
            ref={opener}
            type="button"
            className={buttons.outlined}
            onClick={() => setOffering(true)}
          >
            Offer times
          </button>
          <Link className={buttons.outlined} to="/admin/offers" search={{ record: record._id }}>
            Offer a price
          </Link>
        </div>
      )}
    </section>
  )
}
