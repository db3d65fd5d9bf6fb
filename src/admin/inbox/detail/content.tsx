import { type RefObject, useRef } from 'react'
import { may } from '#contract/http/access.ts'
import buttons from '../../components/button.module.css'
import { dateOf, exactlyOf, timeOf } from '../../components/dates.ts'
import { Icon, StageMark } from '../../components/icon.tsx'
import { useProfile } from '../../session/profile.ts'
import { useShortcuts } from '../../shell/shortcuts.tsx'
import { useUnsavedIds } from '../api/change.ts'
import type { InboxRecord, RecordDetail } from '../api/record.ts'
import { type KindView, stampFields, statusView } from '../kinds/kind-view.ts'
import { sayReason } from '../kinds/spam-reasons.ts'
import { type Promised, promiseOf } from '../promise.ts'
import { Activity } from './activity.tsx'
import { Assignee } from './assignee.tsx'
import { Background } from './background.tsx'
import styles from './detail.module.css'
import { FactValue } from './fact.tsx'
import { Notes } from './notes.tsx'
import { PromiseClock } from './promise-clock.tsx'
import { Related } from './related.tsx'
import { Tools } from './tools.tsx'

interface ContentProps {
  view: KindView
  record: RecordDetail
  now: number
  heading: RefObject<HTMLHeadingElement | null>
  /** Whether activity and related records are there yet, or only what the list held. */
  isWhole: boolean
  onClose: () => void
  onRemove: (record: InboxRecord) => void
}

/** The open record, from who wrote to what has happened since. */
export function Content(props: ContentProps) {
  const { view, record, now, heading, isWhole, onClose, onRemove } = props
  const { role } = useProfile()
  const inTrash = record.box === 'trash'
  const mayChange = may(role, 'records.change') && !inTrash
  const mayKeep = may(role, 'records.remove') && !inTrash
  const promised = promiseOf(view, record, now)
  const body = view.body(record)

  return (
    <article>
      <button type="button" className={`${buttons.link} ${styles.back}`} onClick={onClose}>
        <Icon name="back" />
        {view.title}
      </button>
      <Head view={view} record={record} promised={promised} heading={heading} />
      <Tools view={view} record={record} onRemove={onRemove} />
      {record.spam && (
        <div className={styles.reasons}>
          <Icon name="warn" />
          <p>Set apart because {record.spam.map(sayReason).join(', and ')}.</p>
        </div>
      )}
      {inTrash && record.expiresAt && (
        <div className={styles.reasons}>
          <Icon name="bin" />
          <p>In the trash until {dateOf(record.expiresAt)}, then erased.</p>
        </div>
      )}
      <Facts view={view} record={record} mayChange={mayChange} />
      {body.heading && <h3 className={styles.subhead}>{body.heading}</h3>}
      <p className={styles.message} dir="auto">
        {body.text}
      </p>
      <Background record={record} mayKeep={mayKeep} view={view} />
      <Related related={record.related} view={view} />
      <Notes view={view} record={record} mayWrite={mayChange} />
      {isWhole ? (
        <Activity view={view} entries={record.activity} mail={record.mail} />
      ) : (
        <p className={styles.soft}>Loading activity...</p>
      )}
    </article>
  )
}

function Head({
  view,
  record,
  promised,
  heading,
}: {
  view: KindView
  record: InboxRecord
  promised: Promised | null
  heading: RefObject<HTMLHeadingElement | null>
}) {
  const unsaved = useUnsavedIds().has(record._id)
  const status = statusView(view, record.status)
  const stamp = stampFields(view, record)
  const line = view.line(record)
  const opening = view.body(record).text.replace(/\s+/g, ' ').slice(0, 160)
  return (
    <header className={styles.head}>
      <div>
        <p className={styles.status}>
          <StageMark stage={promised?.late ? 'late' : status.stage} />
          <span>{status.label}</span>
          {unsaved && <em>Not saved yet</em>}
        </p>
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{record.name}</bdi>
        </h2>
        {line !== opening && <p className={styles.soft}>{line}</p>}
        {stamp && record.status !== view.statuses[0]?.value && (
          <p className={styles.soft}>
            {status.label} by {stamp.by} on{' '}
            <time dateTime={stamp.at} title={exactlyOf(stamp.at)}>
              {dateOf(stamp.at)} at {timeOf(stamp.at)}
            </time>
          </p>
        )}
      </div>
      {promised && <PromiseClock promised={promised} />}
    </header>
  )
}

function Facts({
  view,
  record,
  mayChange,
}: {
  view: KindView
  record: InboxRecord
  mayChange: boolean
}) {
  const assignee = useRef<HTMLSelectElement>(null)
  const subject = view.mail.subject(record)
  const chooseAssignee = () => {
    assignee.current?.focus()
    try {
      assignee.current?.showPicker()
    } catch {
      // Not every browser opens it for a script; it has focus, which is enough.
    }
  }
  useShortcuts({ a: mayChange ? chooseAssignee : undefined })
  return (
    <dl className={styles.facts}>
      {view.facts(record).map((fact) => (
        <div key={fact.term}>
          <dt>{fact.term}</dt>
          <dd>
            <FactValue fact={fact} subject={subject} />
          </dd>
        </div>
      ))}
      <div>
        <dt>
          <label htmlFor="assignee">Assigned to</label>
        </dt>
        <dd>
          {mayChange ? (
            <Assignee view={view} record={record} field={assignee} />
          ) : (
            (record.assignee ?? 'Nobody')
          )}
        </dd>
      </div>
    </dl>
  )
}
