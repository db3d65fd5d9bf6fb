import type { ReactNode } from 'react'
import type { ActivityEntry, RecordMail } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { useSentMessages } from '../../changes/change.ts'
import { Icon, StageMark } from '../../components/icon.tsx'
import { When } from '../../components/when.tsx'
import { type KindView, statusView } from '../kinds/kind-view.ts'
import { sayReason } from '../kinds/spam-reasons.ts'
import { CutText, MessageText } from './cut-text.tsx'
import { type EntryProps, LostMail, Message, Moment } from './message.tsx'
import { useOlder } from './older.ts'
import styles from './thread.module.css'

/** Messages and events of a record, oldest first. */
export function Thread({ view, record, mayWrite }: Omit<EntryProps, 'entry'>) {
  const unsent = useSentMessages(record._id).filter(({ isPending }) => isPending)
  const older = useOlder(view.kind, record)
  const entries = [...older.entries, ...record.activity].map((entry) => ({
    at: entry.at,
    line: <Entry key={entry._id} view={view} record={record} entry={entry} mayWrite={mayWrite} />,
  }))
  // To the sender alone: that staff were told is no news to staff.
  const confirmations = record.mail.filter(
    ({ kind, status }) => kind === 'acknowledgement' && status !== 'recalled',
  )
  const lastConfirmation = confirmations.at(-1)
  // The rest of what is sent by itself, about talks and offers, is news where the last of it was lost.
  const lastOther = record.mail.findLast(
    ({ kind, entry, status }) =>
      kind === 'message' && entry === null && ['sent', 'failed'].includes(status),
  )
  const automatic = [...confirmations, ...(lastOther && isLost(lastOther) ? [lastOther] : [])].map(
    (mail) => ({
      at: mail.at,
      line: (
        <Happened key={mail._id} at={mail.at} mark={<Icon name="dot" />}>
          <MailState mail={mail} />
          {/* An earlier confirmation has been sent again. */}
          {mayWrite && isLost(mail) && (mail === lastConfirmation || mail === lastOther) && (
            <span className="wrapping-row">
              <LostMail view={view} record={record} mail={mail._id} state={stateOf(mail)} />
            </span>
          )}
        </Happened>
      ),
    }),
  )
  return (
    <>
      {older.load && (
        <p role="status">
          <button type="button" className="btn line" onClick={older.load}>
            Show older entries
          </button>
          {older.hasFailed && ' They could not be loaded. Try again.'}
        </p>
      )}
      <ol className={styles.thread}>
        {[...entries, ...automatic]
          .sort((a, b) => a.at.localeCompare(b.at))
          .map(({ line }) => line)}
        {unsent.map(({ change, text }) => (
          <li key={change.mutationId} className={`${styles.out} ${styles.waiting}`}>
            <header className="wrapping-row">
              <span>Not sent yet</span>
            </header>
            <MessageText text={text} />
          </li>
        ))}
      </ol>
    </>
  )
}

const attendanceTexts = {
  accepted: 'their calendar accepted the talk',
  declined: 'their calendar declined the talk',
  tentative: 'their calendar may come to the talk',
} as const

/** A message as a block, an event as a line. */
function Entry({ view, record, entry, mayWrite }: EntryProps) {
  const { kind, at, by, from, subject, text = '' } = entry
  const body = <CutText view={view} record={record} entry={entry} />
  switch (kind) {
    case 'message':
    case 'times':
    case 'offer_sent':
      return <Message view={view} record={record} entry={entry} mayWrite={mayWrite} />
    case 'note':
      return (
        <li className={styles.note}>
          <header className="wrapping-row">
            <Icon name="lock" />
            <b>Note by {by}</b> <span>only staff see this</span> <Moment at={at} />
          </header>
          <MessageText text={text} />
        </li>
      )
    case 'reply':
    case 'auto':
      return (
        <li className="quote">
          <header className="wrapping-row">
            <b>
              <bdi>{record.name}</bdi>
            </b>{' '}
            <span>
              {kind === 'auto' ? 'Automatic mail' : 'replied'}
              {from && ` from ${from}`}
              {entry.attendance && `: ${attendanceTexts[entry.attendance]}`}
              {entry.verified === false && ', not confirmed: anybody may have written it'}
              {subject && (
                <>
                  : <bdi>{subject}</bdi>
                </>
              )}
            </span>{' '}
            <Moment at={at} />
          </header>
          {kind === 'auto' ? (
            <details>
              <summary>Show it</summary>
              {body}
            </details>
          ) : (
            body
          )}
        </li>
      )
    default:
      return (
        <Happened at={at} mark={<Mark view={view} entry={entry} />}>
          <EventText view={view} entry={entry} />
        </Happened>
      )
  }
}

function Happened({ at, mark, children }: { at: string; mark: ReactNode; children: ReactNode }) {
  return (
    <li className={`secondary ${styles.event}`}>
      {mark}
      <span>{children}</span>
      <Moment at={at} />
    </li>
  )
}

const confirmationTexts: Record<
  RecordMail['status'] | NonNullable<RecordMail['delivery']>,
  string
> = {
  bounced: 'The confirmation bounced: the address is wrong',
  complained: 'The sender marked the confirmation as spam',
  delivered: 'Confirmation e-mail delivered to the sender',
  sent: 'Confirmation e-mail sent to the sender',
  failed: 'The confirmation e-mail failed',
  held: 'The confirmation e-mail is held',
  waiting: 'The confirmation e-mail waits to be sent',
  recalled: '',
}

const lostTexts: Partial<typeof confirmationTexts> = {
  bounced: 'An automatic e-mail to the sender bounced: the address is wrong',
  failed: 'An automatic e-mail to the sender failed',
}

const stateOf = ({ status, delivery }: RecordMail) => delivery ?? status

const isLost = (mail: RecordMail): boolean => ['bounced', 'failed'].includes(stateOf(mail))

function MailState({ mail }: { mail: RecordMail }) {
  const state = stateOf(mail)
  const text = (mail.kind === 'acknowledgement' ? confirmationTexts : lostTexts)[state]
  return isLost(mail) || state === 'complained' ? <strong className="bad">{text}</strong> : text
}

function Mark({ view, entry }: { view: KindView; entry: ActivityEntry }) {
  if (entry.kind === 'status') return <StageMark stage={statusView(view, entry.to ?? '').stage} />
  return <Icon name={entry.kind === 'assign' ? 'triangle' : 'dot'} />
}

/** `name, preferred date` */
const fieldLabels = (view: KindView, fields: readonly string[]): string => {
  const labels: Readonly<Record<string, string>> = anyKind[view.kind].labels
  return fields.map((field) => (labels[field] ?? field).toLowerCase()).join(', ')
}

type Voice = 'message' | 'times' | 'offer_sent' | 'note' | 'reply' | 'auto'

/** Events without details, after the name of whoever acted. */
const deeds = {
  release: 'released this from spam',
  delete: 'moved this to the trash',
  restore: 'took this out of the trash',
  undo: 'undid a change',
  keep: 'changed how long this is kept',
  link_ended: 'ended the links of the sender’s page',
  snooze: 'changed the snooze',
  revealed: 'had the name shown',
} as const

function EventText({ view, entry }: { view: KindView; entry: ActivityEntry }) {
  const { from, to, text, subject } = entry
  const by = entry.by ?? 'The system'
  const whoActed = entry.by ?? 'The sender'
  const kind = entry.kind as Exclude<typeof entry.kind, Voice>
  switch (kind) {
    case 'created':
      if (subject === undefined) return <>Received from the website</>
      return (
        <>
          Received by mail{subject && ': '}
          <bdi>{subject}</bdi>
        </>
      )
    case 'status':
      return (
        <>
          {by} changed the status
          {from ? ` from ${statusView(view, from).label}` : ''} to{' '}
          <b>{statusView(view, to ?? '').label}</b>
        </>
      )
    case 'assign':
      return to ? (
        <>
          {by} assigned this to <b>{to}</b>
        </>
      ) : (
        <>{by} took the assignment back</>
      )
    case 'spam':
      return entry.by ? (
        <>{by} marked this as spam</>
      ) : (
        <>Set apart as spam{text ? `: ${text.split(/[, ]+/).map(sayReason).join(', ')}` : ''}</>
      )
    case 'corrected':
      return entry.by ? (
        <>{by} corrected the address</>
      ) : (
        <>The sender corrected {fieldLabels(view, entry.fields ?? [])}</>
      )
    case 'withdrawn':
      return <>The sender withdrew this</>
    case 'erasure_asked':
      return 'Erasure was asked for on the sender’s page, soon after the address was corrected: this is in the trash instead'
    case 'booked':
    case 'moved':
      return (
        <>
          {whoActed} {kind === 'booked' ? 'booked' : 'moved the talk to'}{' '}
          <b>{to && <When at={to} />}</b>
        </>
      )
    case 'cancelled':
      return (
        <>
          {whoActed} cancelled the talk of {from && <When at={from} />}
          {text && `: ${text}`}
        </>
      )
    case 'offer_accepted':
      return <>The sender accepted the offer{text && `: ${text}`}</>
    case 'offer_declined':
      return <>The sender declined the offer{text && `: ${text}`}</>
    default:
      return `${by} ${deeds[kind]}`
  }
}
