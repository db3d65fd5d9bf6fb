import { type Group, type GroupCounts, groupLabels, groups } from '#contract/inbox.ts'
import { countOf } from '../../format/count.ts'
import type { KindView } from '../../record/kinds/kind-view.ts'
import styles from './list.module.css'

interface Props {
  view: KindView
  counts: GroupCounts
  current: Group | null | undefined
  onJump: (group: Group) => void
}

/** On a phone: buttons that scroll to a group. Groups without records are left out where nothing is promised. */
export function Jumps({ view, counts, current, onJump }: Props) {
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
