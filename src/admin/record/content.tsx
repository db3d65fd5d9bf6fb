import { useEffect, useRef, useState } from 'react'
import { watchMedia } from '../browser/use-media.ts'
import { useSentMessages, useUnsavedIds } from '../changes/change.ts'
import { act } from '../changes/edits.ts'
import { LinkButton } from '../components/button.tsx'
import { Confirm } from '../components/dialog.tsx'
import { Icon, StageMark } from '../components/icon.tsx'
import { When } from '../components/when.tsx'
import { dateOf, dateTimeOf } from '../format/dates.ts'
import { lazyComponent } from '../router/lazy-component.tsx'
import tools from '../shell/tool.module.css'
import { openGroup, type RecordAction, useActionCommands, useRecordActions } from './actions.ts'
import { Assignee, chooseByKey } from './assignee.tsx'
import { Background } from './background.tsx'
import { answeredOf, isOwedByDay, markOf, promiseOf } from './clock/promise.ts'
import { PromiseClock } from './clock/promise-clock.tsx'
import { Answer, useAnswer } from './composer/answer.tsx'
import { Thread } from './conversation/thread.tsx'
import type { DetailProps } from './detail.tsx'
import { Facts } from './facts.tsx'
import { useHiring } from './hiring/load.ts'
import { lineBeside, stampFields, statusView } from './kinds/kind-view.ts'
import { sayReason } from './kinds/spam-reasons.ts'
import styles from './record.module.css'
import { isApplication, isSnoozed, type RecordDetail } from './record.ts'
import { Related } from './related.tsx'
import { Tools } from './tools.tsx'

const Arrangements = lazyComponent(() => import('../times/talk.tsx').then((m) => m.Arrangements))

const Suggestions = lazyComponent(() =>
  import('./suggestions/suggestions.tsx').then((m) => m.Suggestions),
)

/** True if a letter is read beside its scorecard. */
const useHasColumns = watchMedia('(min-width: 75rem)')

interface ContentProps extends DetailProps {
  record: RecordDetail
  /** True if activity and related records are there yet, or only what the list held. */
  isWhole: boolean
}

/** The open record: the request, the facts, the conversation and the composer. */
export function Content(props: ContentProps) {
  const { view, record, now, heading, isWhole, onStep, onClose, onRemove } = props
  const [isAsking, setAsking] = useState(false)
  const later = useRef<HTMLButtonElement>(null)
  const assignee = useRef<HTMLSelectElement>(null)
  const all = useRecordActions(view, record, 'record')
  const can = (id: RecordAction['id']) => all.some((action) => action.id === id)
  const answer = useAnswer(view, record, { mayReply: can('reply'), mayNote: can('note') })
  const actions = answer.mayReply
    ? all
    : all.filter(({ id }) => !['reply', 'template', 'times'].includes(id))
  const { fitting } = answer
  const end = useNewest(record, isWhole)
  const body = view.body(record)
  const hiring = useHiring(view)
  const hasColumns = useHasColumns()
  const onReply = answer.mayReply ? () => void answer.open('reply') : null

  const begin: Partial<Record<RecordAction['id'], () => unknown>> = {
    reply: () => answer.open('reply'),
    template: () => answer.open('reply', { templates: true }),
    times: () => answer.open('times'),
    note: () => answer.open('note'),
    assign: () => chooseByKey(assignee.current),
    later: () => later.current?.click(),
    delete: () => setAsking(true),
  }
  const perform = ({ id, edit }: RecordAction) => (edit ? act(view, record, edit) : begin[id]?.())
  useActionCommands(openGroup(record), actions, perform)

  const letter = (
    <div>
      {body.heading && <h3 className={styles.subhead}>{body.heading}</h3>}
      <p className={`quote typed ${styles.message}`} dir="auto">
        {body.text}
      </p>
    </div>
  )
  const beside = (
    <div>
      {hiring && isApplication(record) && <hiring.Scorecard key={record._id} record={record} />}
      <Facts view={view} record={record}>
        {can('assign') && (
          <Assignee view={view} record={record} field={assignee} heading={heading} />
        )}
      </Facts>
      <Background record={record} mayKeep={can('delete')} view={view} />
    </div>
  )
  const conversation = (
    <>
      <Related related={record.related} view={view} />
      {isWhole && view.kind === 'consultations' && (
        <Arrangements record={record} now={now} mayWrite={answer.mayReply} />
      )}
      <h3 className={styles.subhead}>Conversation</h3>
      {isWhole ? (
        <Thread view={view} record={record} mayWrite={can('note')} />
      ) : (
        <p className="soft">Loading activity...</p>
      )}
      {isWhole && can('note') && (record.proposal || record.drafts.length > 0) && (
        <Suggestions view={view} record={record} onReply={onReply} />
      )}
      <Answer view={view} record={record} controls={answer} />
      <div ref={end} className={styles.end} />
    </>
  )
  const top = (
    <>
      <Head {...props} />
      {hiring && <hiring.BlindNote record={record} />}
      {record.spam && (
        <div className={styles.reasons}>
          <Icon name="warn" />
          <p>Set apart because {record.spam.map(sayReason).join(', and ')}.</p>
        </div>
      )}
      {record.box === 'trash' && record.expiresAt && (
        <div className={styles.reasons}>
          <Icon name="bin" />
          <p>In the trash until {dateOf(record.expiresAt)}, then erased.</p>
        </div>
      )}
    </>
  )

  return (
    <article className={styles.record}>
      <div className={`wrapping-row ${styles.bar}`} data-tracked={hiring ? '' : undefined}>
        <LinkButton className={styles.back} onClick={onClose}>
          <Icon name="back" />
          <span>{view.title}</span>
        </LinkButton>
        {hiring && <hiring.Track view={view} record={record} />}
        <StatusLine {...props} isTracked={Boolean(hiring)} />
        <Tools
          view={view}
          record={record}
          actions={hiring ? actions.filter(({ id }) => id !== 'status') : actions}
          perform={perform}
          onReply={onReply}
          isWriting={answer.tab === 'reply' || answer.tab === 'times'}
          later={later}
        />
        <Pager onStep={onStep} />
      </div>
      {hiring && hasColumns ? (
        <div className={styles.reading} data-columns="">
          {top}
          <div className={styles.judged}>
            <div>
              {letter}
              {conversation}
            </div>
            {beside}
          </div>
        </div>
      ) : (
        <>
          {top}
          <div className={styles.sent}>
            {letter}
            {beside}
          </div>
          {hiring ? <div className={styles.talk}>{conversation}</div> : conversation}
        </>
      )}
      {hiring && (
        <hiring.Decide
          view={view}
          record={record}
          steps={actions.filter(({ id }) => id === 'status')}
          perform={perform}
          onTell={
            answer.mayReply ? () => void answer.open('reply', { template: fitting?.text }) : null
          }
          tellLabel={fitting ? `Write it: ${fitting.name}` : 'Write the message'}
        />
      )}
      {isAsking && (
        <Confirm
          title={`Delete ${view.noun}`}
          question={view.texts.removeQuestion}
          note={`${record.name} goes to the trash and can come back.`}
          action="Delete"
          onConfirm={() => onRemove(record)}
          onClose={() => setAsking(false)}
        />
      )}
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

/** The record's state, also while the rest is scrolled away. `isTracked`: the status is drawn beside it. */
function StatusLine({ view, record, now, isTracked }: ContentProps & { isTracked: boolean }) {
  const unsaved = useUnsavedIds().has(record._id)
  const status = statusView(view, record.status)
  const hasReply = record.activity.some(({ kind }) => kind === 'reply')
  const { snoozedUntil, withdrawnAt } = record
  return (
    <p className={`wrapping-row ${styles.status}`}>
      {!isTracked && (
        <>
          <StageMark stage={markOf(record, status.stage, now)} />
          <span>{status.label}</span>
        </>
      )}
      {hasReply && (
        <span className="soft">
          <bdi>{record.name}</bdi>
        </span>
      )}
      {withdrawnAt && <span className="soft">Withdrawn by the sender</span>}
      {snoozedUntil && isSnoozed(record, now) && (
        <span className="soft">
          Back <When at={snoozedUntil} />
        </span>
      )}
      {unsaved && <em className="bad">Not saved yet</em>}
    </p>
  )
}

function Head({ view, record, now, heading }: ContentProps) {
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
          <p className="soft">
            {line}
            {hiring && isApplication(record) && <hiring.AnswerBy record={record} now={now} />}
          </p>
        )}
        {stamp && record.status !== view.statuses[0]?.value && (
          <p className="soft">
            {status.label} by {stamp.by} on <When at={stamp.at} as={dateTimeOf} />
          </p>
        )}
      </div>
      {promised && !isOwedByDay(record) && <PromiseClock promised={promised} />}
      {answered && <PromiseClock promised={answered} isAnswered />}
    </header>
  )
}
