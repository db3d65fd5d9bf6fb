import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { KindPath } from '#contract/inbox.ts'
import { useNow } from '../browser/use-now.ts'
import { usePatches } from '../changes/change.ts'
import { Button } from '../components/button.tsx'
import { Icon, StageMark } from '../components/icon.tsx'
import { LoadFailed } from '../components/load-failed.tsx'
import { whenOf } from '../format/dates.ts'
import { dueLabel } from '../record/clock/due-label.ts'
import { markOf, promiseOf } from '../record/clock/promise.ts'
import { PromiseClock } from '../record/clock/promise-clock.tsx'
import type { Tab } from '../record/composer/answer.tsx'
import { CutText } from '../record/conversation/cut-text.tsx'
import { Thread } from '../record/conversation/thread.tsx'
import { Facts } from '../record/facts.tsx'
import { lineBeside, statusView } from '../record/kinds/kind-view.ts'
import { views } from '../record/kinds/views.ts'
import { useMarkSeen } from '../record/mark-seen.ts'
import { detailQuery } from '../record/read-record.ts'
import head from '../record/record.module.css'
import { asDetail, type InboxRecord } from '../record/record.ts'
import { useSwipe } from '../record/use-swipe.ts'
import { lazyComponent } from '../router/lazy-component.tsx'
import { useProfile } from '../session/profile.ts'
import { queryClient } from '../session/query-client.ts'
import { isGone } from '../session/session.ts'
import { Loading } from '../shell/guard.tsx'
import { notify } from '../shell/notices.tsx'
import { pressKey } from '../shell/shortcuts.tsx'
import { Actions, type ActionsProps } from './actions.tsx'
import { handledSince } from './handled.ts'
import type { RunItem } from './run.ts'
import styles from './run-record.module.css'
import { finishItem, skipItem } from './run-store.ts'
import { Templates } from './templates.tsx'

const Suggestions = lazyComponent(() =>
  import('../record/suggestions/suggestions.tsx').then((m) => m.Suggestions),
)

/** A record that follows, with what the queue holds of it. */
interface Following {
  kind: KindPath
  id: string
  row: InboxRecord | undefined
}

interface RunRecordProps {
  item: RunItem
  row: InboxRecord | undefined
  /** The time at which the queue was read: later events are others' work. */
  queuedAt: number
  begunAt: string
  next: readonly Following[]
  isHinted: boolean
  onSwiped: () => void
}

/** The detail of a record; drawn at once from what the queue holds. */
const recordQuery = (kind: KindPath, id: string, row: InboxRecord | undefined) => {
  const query = detailQuery(kind, id)
  return row ? { ...query, placeholderData: asDetail(row) } : query
}

const loadedAhead = 2

/** The current record of the run: sender, message, promised time, and the possible actions. */
export function RunRecord(props: RunRecordProps) {
  const { item, row, queuedAt, begunAt, next } = props
  const { kind, id, undone } = item
  const { username } = useProfile()
  const query = useQuery(recordQuery(kind, id, row))
  const { data, error, refetch, isPlaceholderData, dataUpdatedAt } = query
  const patch = usePatches(kind).get(id)
  const [writing, setWriting] = useState<Tab | null>(null)
  const record = data && { ...data, ...patch }
  const isFresh = !isPlaceholderData && dataUpdatedAt > queuedAt
  const handled = record && isFresh ? handledSince(record, username, begunAt, Date.now()) : null
  const name = record?.name ?? 'A record'
  const why = isGone(error) ? 'does not exist any more' : handled?.text
  const byMe = handled?.byMe ?? false
  const stands = byMe && undone

  useMarkSeen(kind, id, record !== undefined && isFresh && (record.unread || !record.seenAt))

  // A person who writes decides alone; the composer's line says what has happened.
  useEffect(() => {
    if (!why || (writing && !stands)) return
    if (!byMe) notify({ text: `Settled meanwhile: ${name} ${why}` })
    finishItem(id, stands || { is: 'passed', why })
  }, [why, byMe, stands, writing, name, id])

  const ahead = next.slice(0, loadedAhead)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what follows changes with the record
  useEffect(() => {
    for (const { kind, id, row } of ahead)
      void queryClient.prefetchQuery(recordQuery(kind, id, row))
  }, [id])

  if (!record)
    return error ? (
      <div className={styles.problem}>
        <LoadFailed sentence={views[kind].texts.loadFailed} retry={refetch} />
        <Button look="line" onClick={() => skipItem(id)}>
          Skip it for now
        </Button>
      </div>
    ) : (
      <Loading />
    )
  return (
    <Shown
      {...props}
      view={views[kind]}
      record={record}
      isWhole={!isPlaceholderData}
      handledText={handled?.text}
      writing={writing}
      onWriting={setWriting}
    />
  )
}

type ShownProps = RunRecordProps & ActionsProps & { isWhole: boolean }

function Shown(props: ShownProps) {
  const { view, record, isWhole, writing, onWriting, next, onSwiped } = props
  const now = useNow()
  const heading = useRef<HTMLHeadingElement>(null)
  const swipe = useSwipe((by) => {
    if (writing) return
    onSwiped()
    pressKey(by === 1 ? 'h' : 'e')
  })
  const promised = promiseOf(record, now)
  const status = statusView(view, record.status)
  const line = lineBeside(view, record)
  const [then] = next

  const focusHeading = () => heading.current?.focus({ preventScroll: true })
  // Read out, and where the keys are: what had focus belonged to the record before.
  useEffect(focusHeading, [])
  const write = (tab: Tab | null) => {
    onWriting(tab)
    // The focused element is removed with the composer.
    if (!tab) focusHeading()
  }

  return (
    <>
      <section
        className={styles.record}
        aria-label={record.name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        {...swipe}
      >
        <div className={styles.columns}>
          <div className={styles.who}>
            <p className={`wrapping-row ${head.status}`}>
              <StageMark stage={markOf(record, status.stage, now)} />
              {status.label}
              {promised?.late && ', late'} <span className="soft">{view.noun}</span>
            </p>
            <h2 ref={heading} tabIndex={-1}>
              <bdi>{record.name}</bdi>
            </h2>
            {line && <p className="soft">{line}</p>}
          </div>
          <div className={styles.clock}>{promised && <PromiseClock promised={promised} />}</div>
          <div className={styles.words}>
            <Words {...props} />
            {isWhole && (record.proposal || record.drafts.length > 0) && (
              <Suggestions
                view={view}
                record={record}
                onReply={() => write('reply')}
                onTaken={(to, change) => finishItem(record._id, { is: 'status', to }, change)}
              />
            )}
          </div>
          <div className={styles.side}>
            <Facts className={styles.facts} view={view} record={record} isBrief />
            <Templates
              view={view}
              record={record}
              className={styles.templates}
              onChoose={() => write('reply')}
            />
            {then && (
              <p className={`secondary ${styles.then}`}>
                <Icon name="arrow" />
                <span>
                  Then: <bdi>{then.row?.name ?? 'one more'}</bdi>
                  {then.row && `, ${dueLabel(then.row, now).text}`}
                </span>
              </p>
            )}
          </div>
        </div>
      </section>
      <Actions {...props} onWriting={write} />
    </>
  )
}

const voices = new Set(['message', 'reply', 'note', 'auto'])

/** The sender's last message, before everything else; then the earlier ones. */
function Words({ view, record, isWhole }: ShownProps) {
  const reply = record.activity.findLast(({ kind }) => kind === 'reply')
  const body = view.body(record).text
  const hasReplied = record.lastMessageAt !== null
  return (
    <>
      {reply?.text ? (
        <>
          <p className={`soft ${styles.replied}`}>Replied {whenOf(reply.at, new Date())}</p>
          <div className={`quote typed ${styles.said}`}>
            <CutText key={reply._id} view={view} record={record} entry={reply} />
          </div>
          <h3 className={styles.before}>First message</h3>
          <p className={`soft typed ${styles.earlier}`} dir="auto">
            {body}
          </p>
        </>
      ) : (
        <p className={`quote typed ${styles.said}`} dir="auto">
          {body}
        </p>
      )}
      {!isWhole && hasReplied && <p className="soft">The conversation is not loaded yet.</p>}
      {record.activity.some(({ kind }) => voices.has(kind)) && (
        <>
          <h3 className={styles.before}>Conversation</h3>
          <Thread view={view} record={record} mayWrite />
        </>
      )}
    </>
  )
}
