import { RecordOffers } from '../offers/record-offers.tsx'
import { isConsultation } from '../record/consultation.ts'
import type { RecordDetail } from '../record/record.ts'
import { Talk } from './talk.tsx'
import styles from './times.module.css'

/** From a request to a yes: the talk and the offers. */
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
  if (!isConsultation(record)) return null
  const { appointment, offers } = record
  if (!appointment && offers.length === 0) return null
  return (
    <section className={styles.arrangements} aria-label="Talk and offer">
      {appointment && (
        <Talk record={record} appointment={appointment} now={now} mayChange={mayWrite} />
      )}
      {offers.length > 0 && <RecordOffers record={record} />}
    </section>
  )
}
