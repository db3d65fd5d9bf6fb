import { type RefObject, useEffect, useRef } from 'react'
import { may } from '#contract/http/access.ts'
import { useIsWide } from '../browser/use-media.ts'
import { useSentMessages, useUnsavedIds } from '../changes/change.ts'
import { LinkButton } from '../components/button.tsx'
import { Icon, StageMark } from '../components/icon.tsx'
import { When } from '../components/when.tsx'
import { dateOf, exactlyOf, timeOf } from '../format/dates.ts'
import { useProfile } from '../session/profile.ts'
import { LogoutButton } from '../shell/logout-button.tsx'
import { useCommands } from '../shell/shortcuts.tsx'
import tools from '../shell/tool.module.css'
import { Assignee } from './assignee.tsx'
import { Background } from './background.tsx'
import { answeredOf, promiseOf } from './clock/promise.ts'
import { PromiseClock } from './clock/promise-clock.tsx'
import { Answer, useAnswer } from './composer/answer.tsx'
import { Thread } from './conversation/thread.tsx'
import { FactValue } from './fact.tsx'
import { useHiring } from './hiring/load.ts'
import { type KindView, lineBeside, stampFields, statusView } from './kinds/kind-view.ts'
import { sayReason } from './kinds/spam-reasons.ts'
import { openGroup } from './open-group.ts'
import styles from './record.module.css'
import { type InboxRecord, isApplication, isSnoozed, type RecordDetail } from './record.ts'
import { Related } from './related.tsx'
import { Tools } from './tools.tsx'

interface ContentProps {
  view: KindView
  record: RecordDetail
  now: number
  heading: RefObject<HTMLHeadingElement | null>
  /** Whether activity and related records are there yet, or only what the list held. */
  isWhole: boolean
  onStep: (by: 1 | -1) => void
  onClose: () => void
  onRemove: (record: InboxRecord) => void
}

/** The open record: what its sender wants, what is known, what was said since, and the next answer. */
export function Content(props: ContentProps) {
  const { view, record, now, heading, isWhole, onStep, onClose, onRemove } = props
  const { role } = useProfile()
  const inTrash = record.box === 'trash'
  const mayChange = may(role, 'records.change') && !inTrash
  const mayKeep = may(role, 'records.remove') && !inTrash
  const answer = useAnswer(record)
  const end = useNewest(record, isWhole)
  const body = view.body(record)
  const isWide = useIsWide()
  const hiring = useHiring(view)
  const onReply = answer.mayReply ? () => void answer.open('reply') : null
  const conversation = (
    <>
      <Related related={record.related} view={view} />
      <h3 className={styles.subhead}>Conversation</h3>
      {isWhole ? (
        <Thread view={view} record={record} mayWrite={mayChange} />
      ) : (
        <p className={styles.soft}>Loading activity...</p>
      )}
      <Answer view={view} record={record} controls={answer} />
    </>
  )

  return (
    <article>
      <div className={styles.bar} data-tracked={hiring ? '' : undefined}>
        <LinkButton className={styles.back} onClick={onClose}>
          <Icon name="back" />
          <span>{view.title}</span>
        </LinkButton>
        {hiring && <hiring.Track view={view} record={record} />}
        <StatusLine view={view} record={record} now={now} isTracked={Boolean(hiring)} />
        <Tools
          view={view}
          record={record}
          isDecidedApart={Boolean(hiring)}
          onReply={onReply}
          onRemove={onRemove}
        />
        <Pager onStep={onStep} />
        {!isWide && <LogoutButton isSmall />}
      </div>
      <Head view={view} record={record} now={now} heading={heading} />
      {hiring && <hiring.BlindNote record={record} />}
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
      <div className={`${styles.sent} ${hiring ? styles.judged : ''}`}>
        <div>
          {body.heading && <h3 className={styles.subhead}>{body.heading}</h3>}
          <p className={styles.message} dir="auto">
            {body.text}
          </p>
        </div>
        <div>
          {hiring && isApplication(record) && <hiring.Scorecard key={record._id} record={record} />}
          <Facts view={view} record={record} mayChange={mayChange} heading={heading} />
          <Background record={record} mayKeep={mayKeep} view={view} />
        </div>
        {hiring && <div>{conversation}</div>}
      </div>
      {!hiring && conversation}
      {hiring && <hiring.Decide view={view} record={record} onTell={onReply} />}
      <div ref={end} />
    </article>
  )
}

function Pager({ onStep }: { onStep: (by: 1 | -1) => void }) {
  return (
    <div className={styles.pager}>
      {([-1, 1] as const).map((by) => (
        <button
          key={by}
          type="button"
          className={`${tools.tool} ${tools.square}`}
          aria-label={by < 0 ? 'Previous record' : 'Next record'}
          onClick={() => onStep(by)}
        >
          <Icon name={by < 0 ? 'up' : 'caret'} />
        </button>
      ))}
    </div>
  )
}

/** Once there are replies a record opens at the newest; what one sends oneself is shown, too. */
const useNewest = ({ _id, activity }: RecordDetail, isWhole: boolean) => {
  const end = useRef<HTMLDivElement>(null)
  const hasReply = isWhole && activity.some(({ kind }) => kind === 'reply')
  const sent = useSentMessages(_id).length
  /** Grows as what was sent appears in the conversation. */
  const shown = sent > 0 ? sent + activity.length : 0
  useEffect(() => {
    if (hasReply || shown > 0) end.current?.scrollIntoView({ block: 'end', behavior: 'instant' })
  }, [hasReply, shown])
  return end
}

/** Where the record stands, also while the rest is scrolled away. */
function StatusLine({
  view,
  record,
  now,
  isTracked,
}: {
  view: KindView
  record: RecordDetail
  now: number
  /** The status is drawn beside it. */
  isTracked: boolean
}) {
  const unsaved = useUnsavedIds().has(record._id)
  const status = statusView(view, record.status)
  const hasReply = record.activity.some(({ kind }) => kind === 'reply')
  const { snoozedUntil, withdrawnAt } = record
  return (
    <p className={styles.status}>
      {!isTracked && (
        <>
          <StageMark stage={promiseOf(record, now)?.late ? 'late' : status.stage} />
          <span>{status.label}</span>
        </>
      )}
      {hasReply && (
        <span className={styles.soft}>
          <bdi>{record.name}</bdi>
        </span>
      )}
      {withdrawnAt && <span className={styles.soft}>Withdrawn by the sender</span>}
      {snoozedUntil && isSnoozed(record, now) && (
        <span className={styles.soft}>
          Back <When at={snoozedUntil} />
        </span>
      )}
      {unsaved && <em>Not saved yet</em>}
    </p>
  )
}

function Head({
  view,
  record,
  now,
  heading,
}: {
  view: KindView
  record: RecordDetail
  now: number
  heading: RefObject<HTMLHeadingElement | null>
}) {
  const status = statusView(view, record.status)
  const stamp = stampFields(view, record)
  const line = lineBeside(view, record)
  const promised = promiseOf(record, now)
  const answered = answeredOf(view, record)
  const hiring = useHiring(view)
  return (
    <header className={styles.head}>
      <div>
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{record.name}</bdi>
        </h2>
        {line && (
          <p className={styles.soft}>
            {line}
            {hiring && isApplication(record) && <hiring.AnswerBy record={record} now={now} />}
          </p>
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
      {answered && <PromiseClock promised={answered} isAnswered />}
    </header>
  )
}

function Facts({
  view,
  record,
  mayChange,
  heading,
}: {
  view: KindView
  record: InboxRecord
  mayChange: boolean
  heading: RefObject<HTMLHeadingElement | null>
}) {
  const assignee = useRef<HTMLSelectElement>(null)
  /** Opened by its key: in the field, the letters that follow would choose other people. */
  const isByKey = useRef(false)
  const subject = view.mail.subject(record)
  const chooseAssignee = () => {
    assignee.current?.focus()
    try {
      assignee.current?.showPicker()
      isByKey.current = true
    } catch {
      // Not every browser opens it for a script; it has focus, which is enough.
    }
  }
  useCommands(openGroup(record), [
    mayChange ? { key: 'a', label: 'Assign …', icon: 'user', run: chooseAssignee } : undefined,
  ])
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
            <Assignee
              view={view}
              record={record}
              field={assignee}
              onChosen={() => {
                if (isByKey.current) heading.current?.focus({ preventScroll: true })
                isByKey.current = false
              }}
            />
          ) : (
            (record.assignee ?? 'Nobody')
          )}
        </dd>
      </div>
    </dl>
  )
}
