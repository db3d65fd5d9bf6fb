import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '#client/call.ts'
import { may } from '#contract/access.ts'
import type { RelatedRecord } from '#contract/inbox.ts'
import buttons from '../parts/button.module.css'
import { dateOf, exactlyOf, timeOf } from '../parts/dates.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Icon, StageMark } from '../parts/icon.tsx'
import { Key } from '../parts/key.tsx'
import { When } from '../parts/when.tsx'
import { useProfile } from '../shell/profile.ts'
import { useShortcuts } from '../shell/shortcuts.tsx'
import { Activity } from './activity.tsx'
import * as acts from './acts.ts'
import { useIsUnsaved } from './changes.ts'
import styles from './detail.module.css'
import { FactValue } from './fact.tsx'
import { type KindView, nextStatus, stampOf, statusOf } from './kind-view.ts'
import { NoteForm, readDraft } from './note.tsx'
import { promiseOf } from './promise.ts'
import { PromiseClock } from './promise-clock.tsx'
import { recordQuery } from './queries.ts'
import type { InboxRecord, RecordDetail } from './record.ts'
import { mailDraft } from './safe-links.ts'
import { sayReason } from './spam.ts'
import { useAssignable } from './staff.ts'
import { markOpened } from './unread.ts'
import { views } from './views.ts'

interface DetailProps {
  view: KindView
  id: string | undefined
  now: number
  heading: RefObject<HTMLHeadingElement | null>
  /** Back to the list, where they stand one after the other. */
  onClose: () => void
  onRemove: (record: InboxRecord) => void
}

export function Detail(props: DetailProps) {
  const { view, id } = props
  return (
    <section className={styles.detail} aria-label="Detail">
      {id ? (
        <Opened key={id} {...props} id={id} />
      ) : (
        <div className={styles.none}>
          <svg viewBox="0 0 120 60" aria-hidden="true">
            <path d="M4 56C30 20 52 8 104 14" />
            <path d="m104 6 9 15H95Z" />
          </svg>
          <p>{view.texts.nothingSelected}</p>
        </div>
      )}
    </section>
  )
}

function Opened(props: DetailProps & { id: string }) {
  const { view, id, onClose } = props
  const client = useQueryClient()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...recordQuery(view.kind, id, client),
    refetchInterval: 30_000,
  })
  const isGone = error instanceof ApiError && error.status === 404

  useEffect(() => {
    if (data) markOpened(id)
  }, [data, id])

  if (isGone)
    return (
      <Problem text={`This ${view.noun} does not exist any more.`} action="Back" run={onClose} />
    )
  if (!data && error)
    return <Problem text={view.texts.loadFailed} action="Try again" run={() => void refetch()} />
  if (!data) return <DetailSkeleton />
  return <Content {...props} record={data} isWhole={!isPlaceholderData} />
}

function Problem({ text, action, run }: { text: string; action: string; run: () => void }) {
  return (
    <div className={styles.problem} role="alert">
      <p>{text}</p>
      <button type="button" className={buttons.outlined} onClick={run}>
        {action}
      </button>
    </div>
  )
}

function DetailSkeleton() {
  return (
    <div className={styles.skeleton} role="status">
      <span className="vh">Loading...</span>
      <i />
      <i />
      <i />
      <i />
    </div>
  )
}

function Content({
  view,
  record,
  now,
  heading,
  isWhole,
  onClose,
  onRemove,
}: DetailProps & { record: RecordDetail; isWhole: boolean }) {
  const { username, role } = useProfile()
  const [asking, setAsking] = useState(false)
  const assignee = useRef<HTMLSelectElement>(null)
  const unsaved = useIsUnsaved(record._id)

  const status = statusOf(view, record.status)
  const promised = view.promised ? promiseOf(record, now) : null
  const stamp = stampOf(view, record)
  const body = view.body(record)
  const subject = view.mail.subject(record)
  const inTrash = record.box === 'trash'
  const mayChange = may(role, 'records.change') && !inTrash
  const mayRemove = may(role, 'records.remove')
  const next = nextStatus(view, record.status)

  const setNext = () => next && acts.setStatus(view, record, next.value, username)
  const chooseAssignee = () => {
    assignee.current?.focus()
    try {
      assignee.current?.showPicker()
    } catch {
      // Not every browser opens it for a script; it has focus, which is enough.
    }
  }
  useShortcuts({
    e: mayChange ? setNext : undefined,
    a: mayChange ? chooseAssignee : undefined,
    '#': mayRemove && !inTrash ? () => setAsking(true) : undefined,
  })

  return (
    <article>
      <button type="button" className={`${buttons.link} ${styles.back}`} onClick={onClose}>
        <Icon name="back" />
        {view.title}
      </button>
      <header className={styles.head}>
        <div>
          <p className={styles.status}>
            <StageMark stage={promised?.late ? 'late' : status.stage} />
            <span>{status.label}</span>
            {unsaved && <em>Not saved yet</em>}
          </p>
          <h2 ref={heading} tabIndex={-1}>
            {record.name}
          </h2>
          {view.line(record) !== body.text.replace(/\s+/g, ' ').slice(0, 160) && (
            <p className={styles.soft}>{view.line(record)}</p>
          )}
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

      <div className={styles.tools}>
        {mayChange &&
          view.statuses
            .filter(({ action, value }) => action && value !== record.status)
            .map(({ action, value }) => (
              <button
                key={value}
                type="button"
                className={value === next?.value ? buttons.solid : buttons.outlined}
                onClick={() => acts.setStatus(view, record, value, username)}
              >
                {action}
                {value === next?.value && <Key of="e" />}
              </button>
            ))}
        <a className={buttons.outlined} href={mailDraft(record.email, subject)}>
          {view.mail.label}
        </a>
        {mayChange && (
          <button
            type="button"
            className={buttons.outlined}
            onClick={() => acts.setSpam(view, record, record.box !== 'spam')}
          >
            {record.box === 'spam' ? 'Not Spam' : 'Mark as Spam'}
          </button>
        )}
        {mayRemove &&
          (inTrash ? (
            <button
              type="button"
              className={buttons.solid}
              onClick={() => acts.restore(view, record)}
            >
              Restore
            </button>
          ) : (
            <button type="button" className={buttons.danger} onClick={() => setAsking(true)}>
              Delete
              <Key of="#" />
            </button>
          ))}
      </div>
      {asking && (
        <Confirm
          title={`Delete ${view.noun}`}
          question={view.texts.removeQuestion}
          action="Delete"
          onConfirm={() => onRemove(record)}
          onClose={() => setAsking(false)}
        />
      )}

      {record.spam && (
        <div className={styles.reasons}>
          <Icon name="warn" />
          <p>Set apart because {record.spam.map(sayReason).join(', and ')}.</p>
        </div>
      )}

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

      {body.heading && <h3 className={styles.subhead}>{body.heading}</h3>}
      <p className={styles.message}>{body.text}</p>

      <Background record={record} mayKeep={mayRemove && !inTrash} view={view} />
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

/** The head of the activity, with the note form when it is wanted or holds a draft. */
function Notes({
  view,
  record,
  mayWrite,
}: {
  view: KindView
  record: RecordDetail
  mayWrite: boolean
}) {
  const { id: user } = useProfile()
  const field = useRef<HTMLTextAreaElement>(null)
  const [open, setOpen] = useState(() => readDraft(user, record._id) !== '')
  const write = () => {
    flushSync(() => setOpen(true))
    field.current?.focus()
  }
  useShortcuts({ n: mayWrite ? write : undefined })
  return (
    <>
      <div className={styles.subhead}>
        <h3>Activity</h3>
        {mayWrite && !open && (
          <button type="button" className={buttons.link} onClick={write}>
            Add a note
            <Key of="n" />
          </button>
        )}
      </div>
      {mayWrite && open && (
        <NoteForm
          kind={view.kind}
          id={record._id}
          user={user}
          field={field}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

function Assignee({
  view,
  record,
  field,
}: {
  view: KindView
  record: InboxRecord
  field: RefObject<HTMLSelectElement | null>
}) {
  const names = useAssignable(record.assignee)
  return (
    <select
      id="assignee"
      ref={field}
      className={styles.select}
      value={record.assignee ?? ''}
      onChange={(event) => acts.assign(view, record, event.target.value || null)}
    >
      <option value="">Nobody</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}

interface Extras {
  source?: Record<string, string | undefined> | null
  consent?: { at: string; terms: string } | null
}

const sourceLabels: Record<string, string> = {
  referrer: 'Came from',
  landingPage: 'Landed on',
  utm_source: 'Source',
  utm_medium: 'Medium',
  utm_campaign: 'Campaign',
}

/** Where a record came from, what its sender agreed to, and how long it stays. */
function Background({
  record,
  mayKeep,
  view,
}: {
  record: RecordDetail
  mayKeep: boolean
  view: KindView
}) {
  const { source, consent } = record as RecordDetail & Extras
  const rows = Object.entries(source ?? {}).filter(([, value]) => value)
  const heading = useId()
  return (
    <details className={styles.background}>
      <summary id={heading}>Background</summary>
      <dl className={styles.facts}>
        {rows.map(([key, value]) => (
          <div key={key}>
            <dt>{sourceLabels[key] ?? key}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {consent !== undefined && (
          <div>
            <dt>Terms</dt>
            <dd>
              {consent ? (
                <>
                  Agreed, <When at={consent.at} />
                </>
              ) : (
                'Not recorded'
              )}
            </dd>
          </div>
        )}
        <div>
          <dt>Kept until</dt>
          <dd>
            {record.expiresAt ? <When at={record.expiresAt} as={dateOf} /> : 'Someone erases it'}{' '}
            {mayKeep && (
              <button
                type="button"
                className={buttons.link}
                onClick={() => acts.keep(view, record, record.expiresAt !== null)}
              >
                {record.expiresAt ? 'Keep it' : 'Let it expire'}
              </button>
            )}
          </dd>
        </div>
      </dl>
    </details>
  )
}

function Related({ related, view }: { related: readonly RelatedRecord[]; view: KindView }) {
  if (related.length === 0) return null
  return (
    <>
      <h3 className={styles.subhead}>From the same person</h3>
      <ul className={styles.related}>
        {related.map(({ kind, _id, createdAt, status, box }) => {
          const other = views[kind]
          return (
            <li key={_id}>
              <Link
                to={`/admin/${kind}`}
                search={{ id: _id, ...(box === 'inbox' ? {} : { box }) }}
                className={buttons.link}
                replace={kind === view.kind}
              >
                {other.noun.replace(/^./, (letter) => letter.toUpperCase())}
              </Link>
              <span className={styles.soft}>
                {statusOf(other, status).label}
                {box === 'inbox' ? '' : `, in ${box}`}
              </span>
              <span className={styles.moment}>
                <When at={createdAt} />
              </span>
            </li>
          )
        })}
      </ul>
    </>
  )
}
