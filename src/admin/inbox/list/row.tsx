import { type MouseEvent, memo } from 'react'
import { dayOf, exactlyOf } from '../../components/dates.ts'
import { StageMark } from '../../components/icon.tsx'
import type { InboxRecord } from '../api/record.ts'
import { PromiseRing } from '../detail/promise-clock.tsx'
import { type KindView, statusView } from '../kinds/kind-view.ts'
import { promiseOf } from '../promise.ts'
import styles from './list.module.css'

interface RowProps {
  view: KindView
  record: InboxRecord
  position: number
  count: number
  top: number
  now: number
  unread: boolean
  isOpen: boolean
  isSelected: boolean
  isUnsaved: boolean
  href: string
  onSelect: ((id: string) => void) | null
  onOpen: (id: string, byKey: boolean) => void
}

/** Opening in a new tab or window stays the browser's. */
const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

// Drawn again only when it changes: a list that scrolls draws dozens of rows in each frame. For the
// same reason its link is a plain one, and not the router's, which follows every change of address.
export const Row = memo(function Row({
  view,
  record,
  position,
  count,
  top,
  now,
  unread,
  isOpen,
  isSelected,
  isUnsaved,
  href,
  onSelect,
  onOpen,
}: RowProps) {
  const status = statusView(view, record.status)
  const promised = promiseOf(record, now)
  return (
    <li
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
      aria-setsize={count}
      aria-posinset={position + 1}
      data-id={record._id}
      data-open={isOpen || undefined}
    >
      {onSelect && (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={isSelected}
            aria-label={`Select ${record.name}`}
            onChange={() => onSelect(record._id)}
          />
        </label>
      )}
      <a
        className={styles.link}
        href={href}
        aria-current={isOpen ? 'true' : undefined}
        onClick={(event) => {
          if (!isPlainClick(event)) return
          event.preventDefault()
          onOpen(record._id, event.detail === 0)
        }}
      >
        <StageMark
          stage={promised?.late ? 'late' : status.stage}
          label={promised?.late ? `${status.label}, past 24 hours` : status.label}
        />
        <span className={styles.name}>
          <b dir="auto" className={unread ? styles.unread : undefined}>
            {record.name}
          </b>
          {unread && <span className="vh">, unread</span>}
        </span>
        <span className={styles.line}>
          {isUnsaved && <em>Not saved yet. </em>}
          {record.assignee && <span className={styles.assignee}>{record.assignee}</span>}
          <bdi>{view.line(record)}</bdi>
        </span>
        {promised ? (
          <PromiseRing promised={promised} />
        ) : (
          <time
            className={styles.day}
            dateTime={record.createdAt}
            title={exactlyOf(record.createdAt)}
          >
            {dayOf(record.createdAt, new Date(now))}
          </time>
        )}
      </a>
    </li>
  )
})
