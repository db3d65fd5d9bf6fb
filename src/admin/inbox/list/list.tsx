import { type MouseEvent, memo, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import buttons from '../../components/button.module.css'
import { dayOf, exactlyOf } from '../../components/dates.ts'
import { StageMark } from '../../components/icon.tsx'
import { sentenceOf } from '../../shell/session.ts'
import type { Filter, InboxRecord } from '../api/record.ts'
import { useIsUnsaved } from '../changes.ts'
import { PromiseRing } from '../detail/promise-clock.tsx'
import { type KindView, statusOf } from '../kinds/kind-view.ts'
import { countOf, type ListData, rowAt } from '../places.ts'
import { promiseOf } from '../promise.ts'
import { isUnread, useOpened } from '../unread.ts'
import { usePlaces } from '../use-places.ts'
import { useSlice } from '../window-of.ts'
import { addressOfList, type InboxSearch } from './address.ts'
import styles from './list.module.css'

/** Rows are all of one height, in rem, so that they grow with the reader's text size. */
const rowRem = 4.125

export const rowHeightPx = (): number =>
  rowRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

interface ListProps {
  view: KindView
  filter: Filter
  list: ListData
  /** Whether it is this filter's list, or still that of the one before. */
  isCurrent: boolean
  now: number
  openId: string | undefined
  openPlace: number
  search: InboxSearch
  scroller: RefObject<HTMLElement | null>
  /** Kept at the place of the first row in view. */
  top: RefObject<number>
  /** A row that shall have focus as soon as it is drawn. */
  focusId: RefObject<string | null>
  selected: ReadonlySet<string>
  onSelect: ((id: string) => void) | null
  onLoad: (before: ListData, after: ListData) => void
  onOpen: (id: string, byKey: boolean) => void
}

/** A list as high as all its records, of which those near the window are drawn and loaded. */
export function List(props: ListProps) {
  const { view, filter, list, isCurrent, now, openId, openPlace, search, scroller, top } = props
  const { focusId, selected, onSelect, onLoad, onOpen } = props
  const element = useRef<HTMLUListElement>(null)
  const [rowHeight] = useState(rowHeightPx)
  const count = countOf(list)
  const slice = useSlice(element, scroller, count, rowHeight)
  const opened = useOpened()
  const address = addressOfList(view, search)
  // The neighbours of the open record are a key away, also where the list gives way to the detail.
  const beside = openPlace < 0 ? [] : [{ start: openPlace, end: openPlace + 1 }]
  const windows = isCurrent ? [slice, ...beside] : []
  const { error, refetch } = usePlaces(view, filter, list, windows, onLoad)

  useLayoutEffect(() => {
    top.current = slice.top
    const id = focusId.current
    if (!id) return
    const link = element.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] a`)
    if (!link) return
    focusId.current = null
    link.focus({ preventScroll: true })
  })

  const places = Array.from(
    { length: Math.max(0, Math.min(slice.end, count) - slice.start) },
    (_, index) => slice.start + index,
  )
  return (
    <>
      <ul className={styles.list} ref={element} style={{ height: count * rowHeight }}>
        {places.map((place) => {
          const record = rowAt(list, place)
          return record ? (
            <Row
              key={record._id}
              view={view}
              record={record}
              position={place}
              count={count}
              top={place * rowHeight}
              now={now}
              unread={isUnread(view, record, opened)}
              isOpen={record._id === openId}
              isSelected={selected.has(record._id)}
              href={`${address}id=${record._id}`}
              onSelect={onSelect}
              onOpen={onOpen}
            />
          ) : (
            <li
              key={place}
              className={`${styles.row} ${styles.waiting}`}
              style={{ transform: `translateY(${place * rowHeight}px)` }}
              aria-hidden="true"
            >
              <i />
              <i />
            </li>
          )
        })}
      </ul>
      {error && (
        <p className={styles.problem} role="alert">
          {sentenceOf(error, view.texts.loadFailed)}{' '}
          <button type="button" className={buttons.link} onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      )}
    </>
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
          <b dir="auto" className={unread ? styles.unread : undefined}>
            {record.name}
          </b>
          {unread && <span className="vh">, unread</span>}
        </span>
        <span className={styles.line}>
          {unsaved && <em>Not saved yet. </em>}
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
