import { useState } from 'react'
import type { ActivityEntry } from '#contract/inbox.ts'
import { retryMail } from '#contract/mail/mail.ts'
import { useNow } from '../../browser/use-now.ts'
import { LinkButton } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { When } from '../../components/when.tsx'
import { lazyComponent } from '../../router/lazy-component.tsx'
import { queryClient } from '../../session/query-client.ts'
import { askOnce } from '../../session/session.ts'
import { notify, useAction } from '../../shell/notices.tsx'
import { inZone, longMomentIn, ownZone } from '../../times/zone-time.ts'
import { blind } from '../blind.ts'
import { keys } from '../keys.ts'
import { isConsultation } from '../record.ts'
import { CopyButton } from './copy-button.tsx'
import { CutText, readText, type TextProps } from './cut-text.tsx'
import styles from './thread.module.css'

const CorrectAddress = lazyComponent(() =>
  import('./correct-address.tsx').then((m) => m.CorrectAddress),
)

type Delivery = NonNullable<ActivityEntry['delivery']>

const deliveryLabels: Record<Delivery, string> = {
  waiting: 'Not sent yet',
  sent: 'Sent',
  delivered: 'Delivered',
  bounced: 'Bounced: the address is wrong.',
  failed: 'Not sent: the mail service refused it.',
  recalled: 'Recalled, never sent',
}

const looks: Partial<Record<Delivery, string | undefined>> = {
  waiting: styles.waiting,
  recalled: styles.waiting,
  bounced: styles.refused,
  failed: styles.refused,
}

export interface EntryProps extends TextProps {
  mayWrite: boolean
}

export const Moment = ({ at }: { at: string }) => (
  <span className={`caption ${styles.moment}`}>
    <When at={at} />
  </span>
)

/** A message of staff to the sender, and the progress of its mail. */
export function Message(props: EntryProps) {
  const { view, record, entry, mayWrite } = props
  const { at, by, delivery = 'sent' } = entry
  const mail = record.mail.findLast((one) => one.entry === entry._id)
  const isLost = delivery === 'bounced' || delivery === 'failed'
  return (
    <li className={`${styles.out} ${looks[delivery] ?? ''}`}>
      <header className="wrapping-row">
        <b>Message by {by}</b>{' '}
        <span>
          to <bdi>{record.name}</bdi>
        </span>{' '}
        <Moment at={at} />
      </header>
      <CutText {...props} />
      {entry.slots && <OfferedTimes record={record} entry={entry} />}
      <footer className="wrapping-row secondary">
        {isLost && <Icon name="warn" />}
        {delivery === 'delivered' && <Icon name="check" />}
        <span>{deliveryLabels[delivery]}</span>
        {isLost && mayWrite && (
          <>
            <LostMail view={view} record={record} mail={mail?._id} state={delivery} />
            <CopyButton text={() => readText(props)} />
          </>
        )}
      </footer>
    </li>
  )
}

function OfferedTimes({ record, entry: { _id, slots } }: Pick<EntryProps, 'record' | 'entry'>) {
  const now = useNow()
  const zone = ownZone()
  const appointment = isConsultation(record) ? record.appointment : null
  const isReplaced = record.activity.findLast(({ kind }) => kind === 'times')?._id !== _id
  const standingOf = ({ start, taken }: { start: string; taken: boolean }): string => {
    if (appointment?.state === 'booked' && appointment.start === start) return 'chosen'
    if (Date.parse(start) <= now) return 'past'
    if (isReplaced) return 'replaced by newer times'
    return taken ? 'taken by another talk' : 'open'
  }
  return (
    <ul aria-label="Offered times" className={styles.slots}>
      {slots?.map((slot) => (
        <li key={slot.start}>
          <time dateTime={slot.start}>{longMomentIn(slot.start, zone)}</time> {inZone(zone)},{' '}
          {standingOf(slot)}
        </li>
      ))}
    </ul>
  )
}

type LostProps = Pick<EntryProps, 'view' | 'record'> & { mail: string | undefined; state: string }

/** Sends a mail that failed or bounced again, to the address that the record has now, and corrects that. */
export function LostMail({ view, record, mail, state }: LostProps) {
  const [correcting, setCorrecting] = useState(false)
  const isBounced = state === 'bounced'
  const retry = useAction(async (id: string) => {
    try {
      await askOnce(retryMail, { params: { id }, query: blind })
      notify({ text: 'The message will be sent again' })
    } finally {
      await queryClient.invalidateQueries({ queryKey: keys.detail(view.kind, record._id) })
    }
  }, 'The message could not be sent again.')
  return (
    <>
      {isBounced && (
        <LinkButton onClick={() => setCorrecting(true)}>Correct the address</LinkButton>
      )}
      {mail && (
        <LinkButton busy={retry.isPending} onClick={() => retry.mutate(mail)}>
          {isBounced ? 'Send again' : 'Try again'}
        </LinkButton>
      )}
      {correcting && (
        <CorrectAddress view={view} record={record} onClose={() => setCorrecting(false)} />
      )}
    </>
  )
}
