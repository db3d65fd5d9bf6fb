import { type ReactNode, useId } from 'react'
import { type Group, type GroupCounts, groupLabels, groups } from '#contract/inbox.ts'
import { groupMarks, Icon, StageMark } from '../../components/icon.tsx'
import { countOf } from '../../format/count.ts'
import { dueLabel } from '../../record/clock/due-label.ts'
import { runKinds } from '../../record/kinds/run-kinds.ts'
import type { InboxRecord } from '../../record/record.ts'
import { Link } from '../../router/link.tsx'
import { useMay } from '../../session/profile.ts'
import { setCollapsed } from '../preferences.ts'
import styles from './list.module.css'
import type { ListProps } from './list.tsx'
import type { Section } from './sections.ts'

interface GroupRowsProps extends Pick<ListProps, 'view' | 'now'> {
  section: Section
  /** Its first record, where it is loaded. */
  first: InboxRecord | undefined
  /** Pixels. */
  height: number
  /** Pixels from the foot of the list at which its head stays in sight; undefined where it does not. */
  foot: number | undefined
  children: ReactNode
}

/** The rows of one group, below its head, which stays in sight at the top or the foot of the list. */
export function GroupRows(props: GroupRowsProps) {
  const { view, section, first, now, height, foot, children } = props
  const { group, isCollapsed } = section
  const title = useId()
  if (group === null)
    return (
      <ul className={styles.rows} style={{ height }}>
        {children}
      </ul>
    )
  const name = (
    <>
      <StageMark stage={groupMarks[group]} />
      {groupLabels[group]} <span className={styles.count}>{countOf(section.count)}</span>
    </>
  )
  return (
    <>
      <div className={styles.head} data-group={group} style={{ bottom: foot }}>
        <h3 id={title}>
          {isCollapsed === null ? (
            name
          ) : (
            <button
              type="button"
              aria-expanded={!isCollapsed}
              onClick={() => setCollapsed(group, !isCollapsed)}
            >
              <Icon name="caret" />
              {name}
            </button>
          )}
        </h3>
        <NextDue group={group} first={first} now={now} />
        {group === 'late' && <StartRun view={view} />}
      </div>
      {!isCollapsed && (
        <ul className={styles.rows} data-group={group} style={{ height }} aria-labelledby={title}>
          {children}
        </ul>
      )}
    </>
  )
}

function StartRun({ view }: Pick<ListProps, 'view'>) {
  const mayChange = useMay('records.change')
  const kind = runKinds.find((one) => one === view.kind)
  if (!mayChange || !kind) return null
  return (
    <Link className={styles.start} to="/admin/run" search={{ kind }}>
      Start the run
    </Link>
  )
}

/** The next record of a group that is owed an answer, and its time. */
function NextDue({ group, first, now }: Pick<GroupRowsProps, 'first' | 'now'> & { group: Group }) {
  if (!first || group === 'late' || group === 'done') return null
  const { text, promised } = dueLabel(first, now)
  if (!promised) return null
  return (
    <span className={`soft one-line ${styles.fact}`}>
      next: <bdi>{first.name}</bdi>, {text.replace(/^due /, '')}
    </span>
  )
}

interface JumpsProps extends Pick<ListProps, 'view'> {
  counts: GroupCounts
  current: Group | null | undefined
  onJump: (group: Group) => void
}

/** On a phone: buttons that scroll to a group. Groups without records are left out where nothing is promised. */
export function Jumps({ view, counts, current, onJump }: JumpsProps) {
  return (
    <nav className={styles.jumps} aria-label="Groups">
      {groups
        .filter((group) => view.promisedIn || counts[group] > 0)
        .map((group) => (
          <button
            key={group}
            type="button"
            className="secondary"
            data-group={group}
            disabled={counts[group] === 0}
            aria-current={group === current ? 'true' : undefined}
            onClick={() => onJump(group)}
          >
            {groupLabels[group]} <span className={styles.count}>{countOf(counts[group])}</span>
          </button>
        ))}
    </nav>
  )
}
