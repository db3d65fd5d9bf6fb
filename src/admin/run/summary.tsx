import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { IconName } from '#ui/all-icons.ts'
import { useConnection } from '../changes/connection.ts'
import { undoLatest } from '../changes/make-change.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { Icon, StageMark } from '../components/icon.tsx'
import { Key } from '../components/key.tsx'
import { TextLink } from '../components/text-link.tsx'
import { countOf } from '../format/count.ts'
import { timeOf, whenOf } from '../format/dates.ts'
import { statusView } from '../record/kinds/kind-view.ts'
import { views } from '../record/kinds/views.ts'
import { detailQuery } from '../record/read-record.ts'
import { Link } from '../router/link.tsx'
import { RunProgress } from './progress.tsx'
import type { Outcome, Run, RunItem } from './run.ts'
import styles from './summary.module.css'

type DoneItem = RunItem & { done: NonNullable<RunItem['done']> }

/** The end of a run: what was done, as a list whose sum is the run's length. */
export function RunSummary({ run, leftOut }: { run: Run; leftOut: number }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { waiting } = useConnection()
  const done = run.items.filter((item): item is DoneItem => item.done !== undefined)
  const times = done.map(({ done: { at } }) => at).sort()
  const total = done.length
  const kinds = new Set(done.map(({ kind }) => kind))
  const inbox = kinds.has('consultations') ? 'consultations' : 'contacts'

  useEffect(() => heading.current?.focus(), [])

  return (
    <section className={styles.summary} aria-label="Landed">
      <div className={styles.flight}>
        <RunProgress done={total} total={total} />
        <p className={styles.times}>
          <span>{timeOf(times[0] ?? run.begunAt)} first</span>
          <span>{timeOf(times.at(-1) ?? run.begunAt)} last</span>
        </p>
      </div>
      <div className={styles.columns}>
        <div>
          <h2 ref={heading} tabIndex={-1}>
            Landed
          </h2>
          <p className={`soft ${styles.intro}`}>
            {total === 1
              ? '1 record, with a next step.'
              : `${total} records, each with a next step.`}
            {waiting > 0 &&
              ` ${waiting} ${waiting === 1 ? 'change waits' : 'changes wait'} for the connection.`}
            {leftOut > 0 && ` ${countOf(leftOut)} older late ones wait for the next run.`}
          </p>
          <div className={styles.actions}>
            <Link className="btn small" to={`/admin/${inbox}`}>
              Back to the inbox
              <Icon name="arrow" />
            </Link>
            <Button look="line" onClick={undoLatest}>
              Undo the last
              <Key of="z" />
            </Button>
          </div>
        </div>
        <ul className={styles.done} aria-label="What was done">
          {groupsOf(done).map((group) => (
            <Group key={group.label} {...group} />
          ))}
        </ul>
      </div>
    </section>
  )
}

interface GroupProps {
  label: string
  remark: string
  mark: ReactNode
  items: DoneItem[]
}

function Group({ label, remark, mark, items }: GroupProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <li>
      {mark}
      <b>{items.length}</b>
      <span>
        {label}
        {remark && <span className={`secondary ${styles.remark}`}>{remark}</span>}
      </span>
      <LinkButton aria-expanded={isOpen} on={label} onClick={() => setIsOpen(!isOpen)}>
        See
      </LinkButton>
      {isOpen && <Records items={items} />}
    </li>
  )
}

function Records({ items }: { items: DoneItem[] }) {
  const records = useQueries({
    queries: items.map(({ kind, id }) => detailQuery(kind, id)),
  })
  return (
    <ul className={styles.records}>
      {items.map(({ kind, id, done: { outcome } }, index) => (
        <li key={id}>
          <TextLink to={`/admin/${kind}`} search={{ id, ...boxOf(outcome) }}>
            <bdi>{records[index]?.data?.name ?? 'Open the record'}</bdi>
          </TextLink>
          {outcome.is === 'passed' && (
            <span className={`secondary ${styles.remark}`}>{outcome.why}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

const boxOf = ({ is }: Outcome) =>
  is === 'spam' ? { box: 'spam' as const } : is === 'deleted' ? { box: 'trash' as const } : {}

/** `eli 7, mia 5` */
const countsOf = (names: readonly string[]): string =>
  [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${name} ${all.length}`).join(', ')

const of = <Is extends Outcome['is']>(items: readonly DoneItem[], is: Is) =>
  items.flatMap(({ done: { outcome } }) =>
    outcome.is === is ? [outcome as Extract<Outcome, { is: Is }>] : [],
  )

const groupsOf = (done: readonly DoneItem[]): GroupProps[] => {
  const by = Map.groupBy(done, ({ done: { outcome } }) => outcome.is)
  const group = (is: Outcome['is'], label: string, icon: IconName, remark = ''): GroupProps[] => {
    const items = by.get(is)
    return items ? [{ label, mark: <Icon name={icon} />, remark, items }] : []
  }
  const people = of(done, 'assigned').map(({ to }) => to)
  const [first = ''] = of(done, 'later')
    .map(({ until }) => until)
    .sort()
  return [
    ...group('replied', 'Replied', 'reply'),
    ...statusGroups(by.get('status') ?? []),
    ...group('assigned', 'Assigned', 'user', countsOf(people)),
    ...group('later', 'Later', 'clock', `the first comes back: ${whenOf(first, new Date())}`),
    ...group('spam', 'Spam', 'stop', 'in the Spam box, can come back'),
    ...group('deleted', 'Deleted', 'bin', 'in the Trash, can come back'),
    ...group(
      'passed',
      'Settled meanwhile',
      'check',
      'by a colleague, the sender, or you elsewhere',
    ),
  ]
}

const statusOf = ({ kind, done: { outcome } }: DoneItem) =>
  statusView(views[kind], outcome.is === 'status' ? outcome.to : '')

/** One group per status that was set: contacts and consultations have different ones. */
const statusGroups = (items: readonly DoneItem[]): GroupProps[] =>
  [...Map.groupBy(items, statusOf)].map(([{ label, stage }, group]) => ({
    label: `Marked as ${label}`,
    remark: 'by phone, or answered elsewhere',
    mark: <StageMark stage={stage} />,
    items: group,
  }))
