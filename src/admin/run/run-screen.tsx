import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { focus } from '../browser/focus.ts'
import { useIsWide } from '../browser/use-media.ts'
import { useMayUndo } from '../changes/change.ts'
import { useConnection } from '../changes/connection.ts'
import { undoLatest } from '../changes/make-change.ts'
import { Icon } from '../components/icon.tsx'
import { Key } from '../components/key.tsx'
import { LoadFailed } from '../components/load-failed.tsx'
import { templatesQuery } from '../record/composer/templates.ts'
import { runSearch } from '../record/kinds/run-kinds.ts'
import { Link } from '../router/link.tsx'
import { navigate, parametersOf, useLocation } from '../router/location.ts'
import { useMay, useProfile } from '../session/profile.ts'
import { outageOf, sentenceOf } from '../session/session.ts'
import { Loading } from '../shell/guard.tsx'
import { LogoutButton } from '../shell/logout-button.tsx'
import { useShortcuts } from '../shell/shortcuts.tsx'
import tools from '../shell/tool.module.css'
import { RunProgress } from './progress.tsx'
import { type Queue, queueQuery } from './queue.ts'
import styles from './run.module.css'
import { currentOf, doneCount, nextAfter, type Run } from './run.ts'
import { RunRecord } from './run-record.tsx'
import { openRun, useRun } from './run-store.ts'
import { RunSummary } from './summary.tsx'

/** Owed answers, one record at a time: an action leads to the next. */
export function RunScreen() {
  const mayChange = useMay('records.change')
  return mayChange ? (
    <Loaded />
  ) : (
    <Message title="No run for your role">
      <p>
        In a run you reply to records and change them. Your role may only read them: ask an admin
        for the role of an editor.
      </p>
      <Link className="btn small line" to="/admin/consultations">
        Read the consultations
      </Link>
    </Message>
  )
}

function Loaded() {
  const { id: user } = useProfile()
  const search = runSearch(parametersOf(useLocation((location) => location.search)))
  const { data: queue, dataUpdatedAt, error, refetch } = useQuery(queueQuery(search))
  const [opened, setOpened] = useState<Queue>()
  // In the cache before somebody writes, so that it is there if the connection is lost.
  useQuery(templatesQuery)
  const run = useRun()

  useLayoutEffect(() => {
    if (!queue) return
    openRun(user, queue.records)
    setOpened(queue)
  }, [queue, user])

  if (!queue && error)
    return (
      <Message title="The run could not be loaded">
        <LoadFailed
          sentence={sentenceOf(
            error,
            `The server ${outageOf(error).cause}, and a run needs its list of what is due.`,
          )}
          retry={refetch}
        />
      </Message>
    )
  if (!queue || !run || opened !== queue)
    return (
      <Frame>
        <Loading />
      </Frame>
    )
  if (run.items.length === 0)
    return (
      <Message title="Nothing is late or due">
        <Link className="btn small line" to="/admin/consultations">
          To the consultations
        </Link>
      </Message>
    )
  return <Flying queue={queue} queuedAt={dataUpdatedAt} run={run} />
}

function Flying({ queue, queuedAt, run }: { queue: Queue; queuedAt: number; run: Run }) {
  const done = doneCount(run)
  const total = run.items.length
  const item = currentOf(run)
  const rows = new Map(queue.records.map((record) => [record._id, record]))
  const [isHinted, setIsHinted] = useState(true)
  if (!item)
    return (
      <Frame place={`${total} of ${total}`}>
        <RunSummary run={run} leftOut={queue.leftOut} />
      </Frame>
    )
  return (
    <Frame
      place={`${done + 1} of ${total}`}
      progress={`${done} done, ${total - done} to go`}
      flight={<RunProgress done={done} total={total} />}
    >
      <RunRecord
        key={item.id}
        item={item}
        row={rows.get(item.id)}
        queuedAt={queuedAt}
        begunAt={run.begunAt}
        next={nextAfter(run, item.id).map(({ kind, id }) => ({ kind, id, row: rows.get(id) }))}
        isHinted={isHinted && done < hintedRecords}
        onSwiped={() => setIsHinted(false)}
      />
    </Frame>
  )
}

/** The first records of a run show what a swipe does, until somebody swipes. */
const hintedRecords = 3

/** The screen after a run; its place is kept. */
const outside = '/admin/dashboard'

interface Props {
  place?: string
  progress?: string
  flight?: ReactNode
  children: ReactNode
}

/** A label is read out on a phone, not drawn. */
const labelOn = (isWide: boolean) => (isWide ? undefined : 'visually-hidden')

function Frame({ place, progress, flight, children }: Props) {
  const isWide = useIsWide()
  return (
    <div className={styles.run} data-run="">
      <EndByKey />
      <header className={styles.head}>
        <div className={styles.top}>
          <Link className={tools.tool} to={outside}>
            <Icon name="close" />
            <span className={labelOn(isWide)}>End the run</span>
            <Key of="Esc" />
          </Link>
          <h1 className="one-line">Morning run</h1>
          {place && <span className={`caption ${styles.place}`}>{place}</span>}
          <span className={styles.grow} />
          {isWide && progress && <span className={`caption ${styles.place}`}>{progress}</span>}
          {place && <UndoLast />}
          {isWide && <LogoutButton />}
        </div>
        {flight}
      </header>
      <Connection />
      {children}
    </div>
  )
}

/** After a reload there is nothing to undo. */
function UndoLast() {
  return (
    <button type="button" className={tools.tool} disabled={!useMayUndo()} onClick={undoLatest}>
      <Icon name="reply" />
      <span className={labelOn(useIsWide())}>Undo</span>
      <span className="visually-hidden"> the last</span>
      <Key of="z" />
    </button>
  )
}

/** Drawn before the record, whose own meaning of the key goes first. */
function EndByKey() {
  const end = () => navigate({ to: outside })
  useShortcuts({ Escape: end })
  return null
}

function Message({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Frame>
      <section className={styles.message}>
        <h2 ref={focus} tabIndex={-1}>
          {title}
        </h2>
        {children}
      </section>
    </Frame>
  )
}

/** Says what works without a connection; once changes wait, the bar that counts them says it. */
function Connection() {
  const { isOffline, waiting } = useConnection()
  if (!isOffline || waiting > 0) return null
  return (
    <p className={styles.offline} role="status">
      <b>No connection.</b> Decisions, messages and notes wait here and are saved when you are back.
      What colleagues do meanwhile is not shown.
    </p>
  )
}
