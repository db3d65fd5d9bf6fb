import { Link } from '@tanstack/react-router'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { dayOf, exactlyOf } from '../parts/dates.ts'
import { StageMark } from '../parts/icon.tsx'
import type { InboxSearch } from './address.ts'
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
  /** A row was opened by keyboard. */
  onKeyOpen: () => void
}

export function List(props: ListProps) {
  const { view, rows, count, search, scroller, focusId, onReach } = props
  const list = useRef<HTMLUListElement>(null)
  const rowHeight = rowHeightPx()
  const { start, end } = useSlice(list, scroller, count, rowHeight)
  const opened = useOpened()

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
          {...props}
          record={record}
          position={start + index}
          top={(start + index) * rowHeight}
          unread={isUnread(view, record, opened)}
          search={search}
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

interface RowProps extends ListProps {
  record: InboxRecord
  position: number
  top: number
  unread: boolean
}

function Row({
  view,
  record,
  position,
  top,
  count,
  now,
  unread,
  openId,
  search,
  selected,
  onSelect,
  onKeyOpen,
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
      data-open={record._id === openId || undefined}
    >
      {onSelect && (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={selected.has(record._id)}
            aria-label={`Select ${record.name}`}
            onChange={() => onSelect(record._id)}
          />
        </label>
      )}
      <Link
        className={styles.link}
        to={`/admin/${view.kind}`}
        search={{ ...search, id: record._id }}
        aria-current={record._id === openId ? 'true' : undefined}
        resetScroll={false}
        onClick={(event) => event.detail === 0 && onKeyOpen()}
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
      </Link>
    </li>
  )
}

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
