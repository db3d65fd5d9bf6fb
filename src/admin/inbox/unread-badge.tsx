import type { KindPath } from '#contract/inbox.ts'
import { countOf } from '../format/count.ts'
import styles from './unread-badge.module.css'
import { useUnread } from './unread-counts.ts'

/** How many records of a kind are unread on this device; it describes a link, by the id. */
export function UnreadBadge({ kind, id }: { kind: KindPath; id: string }) {
  const { n, isMore } = useUnread().kinds[kind]
  if (n === 0) return null
  return (
    <>
      {' '}
      <span className={styles.badge} id={id} aria-hidden="true">
        {countOf(n)}
        {isMore && '+'}
        <span className="visually-hidden"> unread</span>
      </span>
    </>
  )
}
