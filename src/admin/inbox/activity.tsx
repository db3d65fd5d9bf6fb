import type { ActivityEntry } from '#contract/inbox.ts'
import { StageMark, Waypoint } from '../parts/icon.tsx'
import { When } from '../parts/when.tsx'
import styles from './detail.module.css'
import { type KindView, statusOf } from './kind-view.ts'
import { sayReason } from './spam.ts'

/** What happened to a record, newest first. */
export function Activity({ view, entries }: { view: KindView; entries: readonly ActivityEntry[] }) {
  return (
    <ul className={styles.log}>
      {entries.toReversed().map((entry) => (
        <li key={entry._id}>
          <Mark view={view} entry={entry} />
          <span>
            <Sentence view={view} entry={entry} />
          </span>
          <span className={styles.moment}>
            <When at={entry.at} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Mark({ view, entry }: { view: KindView; entry: ActivityEntry }) {
  if (entry.kind === 'status') return <StageMark stage={statusOf(view, entry.to ?? '').stage} />
  if (entry.kind === 'note') return <Waypoint shape="diamond" />
  if (entry.kind === 'assign') return <Waypoint shape="triangle" />
  return <Waypoint shape="dot" />
}

function Sentence({ view, entry }: { view: KindView; entry: ActivityEntry }) {
  const { kind, from, to, text } = entry
  const by = entry.by ?? 'The system'
  switch (kind) {
    case 'created':
      return <>Received from the website</>
    case 'status':
      return (
        <>
          {by} changed the status
          {from ? ` from ${statusOf(view, from).label}` : ''} to{' '}
          <b>{statusOf(view, to ?? '').label}</b>
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
          Note by {by}: <span className={styles.note}>{text}</span>
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
  }
}
