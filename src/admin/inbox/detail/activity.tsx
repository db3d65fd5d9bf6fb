import type { ActivityEntry, RecordMail } from '#contract/inbox.ts'
import { StageMark, Waypoint } from '../../components/icon.tsx'
import { When } from '../../components/when.tsx'
import { type KindView, statusView } from '../kinds/kind-view.ts'
import { sayReason } from '../kinds/spam-reasons.ts'
import styles from './detail.module.css'

/** What happened to a record and to the mail about it, newest first. */
export function Activity({
  view,
  entries,
  mail,
}: {
  view: KindView
  entries: readonly ActivityEntry[]
  mail: readonly RecordMail[]
}) {
  const lines = [
    ...entries.map((entry) => ({
      key: entry._id,
      at: entry.at,
      mark: <Mark view={view} entry={entry} />,
      text: <EntryText view={view} entry={entry} />,
    })),
    // To the sender alone: that staff were told is no news to staff.
    ...mail
      .filter(({ kind }) => kind === 'acknowledgement')
      .map((message) => ({
        key: message.at + message.kind,
        at: message.at,
        mark: <Waypoint shape="dot" />,
        text: <Confirmation message={message} />,
      })),
  ]
  lines.sort((a, b) => b.at.localeCompare(a.at))
  return (
    <ul className={styles.log}>
      {lines.map(({ key, at, mark, text }) => (
        <li key={key}>
          {mark}
          <span>{text}</span>
          <span className={styles.moment}>
            <When at={at} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Confirmation({ message: { status, delivery } }: { message: RecordMail }) {
  if (delivery === 'bounced')
    return <b className={styles.bounced}>The confirmation bounced: the address is wrong</b>
  if (delivery === 'complained')
    return <b className={styles.bounced}>The sender marked the confirmation as spam</b>
  if (delivery === 'delivered') return <>Confirmation e-mail delivered to the sender</>
  switch (status) {
    case 'sent':
      return <>Confirmation e-mail sent to the sender</>
    case 'failed':
      return <b className={styles.bounced}>The confirmation e-mail failed</b>
    case 'held':
      return <>The confirmation e-mail is held</>
    case 'waiting':
      return <>The confirmation e-mail waits to be sent</>
    case 'recalled':
      return null
  }
}

function Mark({ view, entry }: { view: KindView; entry: ActivityEntry }) {
  if (entry.kind === 'status') return <StageMark stage={statusView(view, entry.to ?? '').stage} />
  if (entry.kind === 'note') return <Waypoint shape="diamond" />
  if (entry.kind === 'assign') return <Waypoint shape="triangle" />
  return <Waypoint shape="dot" />
}

const deliveryLabels: Record<NonNullable<ActivityEntry['delivery']>, string> = {
  waiting: 'waits to be sent',
  sent: 'sent',
  delivered: 'delivered',
  bounced: 'bounced: the address is wrong',
  failed: 'not sent',
  recalled: 'recalled, never sent',
}

function EntryText({ view, entry }: { view: KindView; entry: ActivityEntry }) {
  const { kind, from, to, text } = entry
  const by = entry.by ?? 'The system'
  switch (kind) {
    case 'created':
      return <>Received from the website</>
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
    case 'note':
      return (
        <>
          Note by {by}:{' '}
          <span className={styles.note} dir="auto">
            {text}
          </span>
        </>
      )
    case 'spam':
      return entry.by ? (
        <>{by} marked this as spam</>
      ) : (
        <>Set apart as spam{text ? `: ${text.split(/[, ]+/).map(sayReason).join(', ')}` : ''}</>
      )
    case 'release':
      return <>{by} released this from spam</>
    case 'delete':
      return <>{by} moved this to the trash</>
    case 'restore':
      return <>{by} took this out of the trash</>
    case 'undo':
      return <>{by} undid a change</>
    case 'keep':
      return <>{by} changed how long this is kept</>
    case 'message':
      return (
        <>
          Message by {by}
          {entry.delivery ? ` (${deliveryLabels[entry.delivery]})` : ''}:{' '}
          <span className={styles.note} dir="auto">
            {text}
          </span>
        </>
      )
    case 'corrected':
      return entry.by ? (
        <>{by} corrected the address</>
      ) : (
        <>The sender corrected {entry.fields?.join(', ')}</>
      )
    case 'reply':
      return (
        <>
          Reply{from ? ` from ${from}` : ''}:{' '}
          <span className={styles.note} dir="auto">
            {text}
          </span>
        </>
      )
    case 'auto':
      return (
        <>
          Automatic mail{from ? ` from ${from}` : ''}:{' '}
          <span className={styles.note} dir="auto">
            {text}
          </span>
        </>
      )
    case 'withdrawn':
      return <>The sender withdrew this</>
    case 'link_ended':
      return <>{by} ended the links of the sender’s page</>
    case 'snooze':
      return <>{by} changed the snooze</>
  }
}
