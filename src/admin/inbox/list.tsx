import { type MouseEvent, memo, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { dayOf, exactlyOf } from '../parts/dates.ts'
import { StageMark } from '../parts/icon.tsx'
import { addressOfList, type InboxSearch } from './address.ts'
import { useIsUnsaved } from './changes.ts'
import { type KindView, statusOf } from './kind-view.ts'
import styles from './list.module.css'
import { promiseOf } from './promise.ts'
import { PromiseRing } from './promise-clock.tsx'
import type { InboxRecord } from './record.ts'
import { isUnread, useOpened } from './unread.ts'
import { useSlice } from './window-of.ts'

/** Rows are all of one height, in rem, so that they grow with the reader's text size. */
const rowRem = 4.125

export const rowHeightPx = (): number =>
  rowRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

interface ListProps {
  view: KindView
  rows: readonly InboxRecord[]
  /** Rows in all, loaded or not: the scrollbar is as long as that. */
  count: number
  now: number
  openId: string | undefined
  search: InboxSearch
  scroller: RefObject<HTMLElement | null>
  /** A row that shall have focus as soon as it is drawn. */
  focusId: RefObject<string | null>
  selected: ReadonlySet<string>
  onSelect: ((id: string) => void) | null
  onReach: (end: number) => void
  onOpen: (id: string, byKey: boolean) => void
}

export function List(props: ListProps) {
  const { view, rows, count, now, openId, search, scroller, focusId, selected } = props
  const { onSelect, onReach, onOpen } = props
  const list = useRef<HTMLUListElement>(null)
  const [rowHeight] = useState(rowHeightPx)
  const { start, end } = useSlice(list, scroller, count, rowHeight)
  const opened = useOpened()
  const address = addressOfList(view, search)

  useLayoutEffect(() => {
    onReach(end)
  }, [end, onReach])

  useLayoutEffect(() => {
    const id = focusId.current
    if (!id) return
    const link = list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] a`)
    if (!link) return
    focusId.current = null
    link.focus({ preventScroll: true })
  })

  const shown = rows.slice(start, end)
  const waiting = Math.max(0, Math.min(end, count) - Math.max(start, rows.length))

  return (
    <ul className={styles.list} ref={list} style={{ height: count * rowHeight }}>
      {shown.map((record, index) => (
        <Row
          key={record._id}
          view={view}
          record={record}
          position={start + index}
          count={count}
          top={(start + index) * rowHeight}
          now={now}
          unread={isUnread(view, record, opened)}
          isOpen={record._id === openId}
          isSelected={selected.has(record._id)}
          href={`${address}id=${record._id}`}
          onSelect={onSelect}
          onOpen={onOpen}
        />
      ))}
      {Array.from({ length: waiting }, (_, index) => {
        const position = Math.max(start, rows.length) + index
        return (
          <li
            key={`waiting-${position}`}
            className={`${styles.row} ${styles.waiting}`}
            style={{ transform: `translateY(${position * rowHeight}px)` }}
            aria-hidden="true"
          >
            <i />
            <i />
          </li>
        )
      })}
    </ul>
  )
}

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
  href: string
  onSelect: ((id: string) => void) | null
  onOpen: (id: string, byKey: boolean) => void
}

/** Opening in a new tab or window stays the browser's. */
const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

// Drawn again only when it changes: a list that scrolls draws dozens of rows in each frame. For the
// same reason its link is a plain one, and not the router's, which follows every change of address.
const Row = memo(function Row({
  view,
  record,
  position,
  count,
  top,
  now,
  unread,
  isOpen,
  isSelected,
  href,
  onSelect,
  onOpen,
}: RowProps) {
  const status = statusOf(view, record.status)
  const promised = view.promised ? promiseOf(record, now) : null
  const unsaved = useIsUnsaved(record._id)
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
          <b className={unread ? styles.unread : undefined}>{record.name}</b>
          {unread && <span className="vh">, unread</span>}
        </span>
        <span className={styles.line}>
          {unsaved && <em>Not saved yet. </em>}
          {record.assignee && <span className={styles.assignee}>{record.assignee}</span>}
          {view.line(record)}
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

/** While the first page is on its way: the list's own shape. */
export function ListSkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={index} className={styles.waiting}>
          <i />
          <i />
        </div>
      ))}
    </div>
  )
}
