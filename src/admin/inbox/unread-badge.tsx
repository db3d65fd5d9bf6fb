import { useQuery } from '@tanstack/react-query'
import type { KindPath } from '#contract/inbox.ts'
import { unreadQuery } from '../record/unread.ts'
import styles from './unread-badge.module.css'

/** The number of unread records of a kind; it describes a link, by the id. */
export function UnreadBadge({ kind, id }: { kind: KindPath; id: string }) {
  const { data } = useQuery(unreadQuery)
  const n = data?.[kind] ?? 0
  if (n === 0) return null
  return (
    <>
      {' '}
      <span className={styles.badge} id={id} aria-hidden="true">
        {/* Two digits fit beside a label of the bar, or an icon of the phone's. */}
        {n < 100 ? n : '99+'}
        <span className="visually-hidden"> unread</span>
      </span>
    </>
  )
}
