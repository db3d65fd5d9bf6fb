import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { LinkButton } from '../../components/button.tsx'
import { sentenceOf } from '../../session/session.ts'
import { useUnsavedIds } from '../api/change.ts'
import type { Filter } from '../api/record.ts'
import type { KindView } from '../kinds/kind-view.ts'
import { isUnread, useOpened } from '../unread.ts'
import { type InboxSearch, recordUrls } from './inbox-url.ts'
import styles from './list.module.css'
import { Row } from './row.tsx'
import type { ShownList } from './shown-list.ts'
import { useHeldView } from './use-held-view.ts'
import { useList } from './use-list.ts'
import { useWindow } from './use-window.ts'

/** Rows are all of one height, in rem, so that they grow with the reader's text size. */
const rowRem = 4.125

export const rowHeightPx = (): number =>
  rowRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** Rows this near to the window are loaded before they are seen. */
const margin = 20

interface ListProps {
  view: KindView
  filter: Filter
  /** The list as far as the inbox knows it: at least its first page. */
  known: ShownList
  now: number
  openId: string | undefined
  search: InboxSearch
  scroller: RefObject<HTMLElement | null>
  /** Kept at the place of the open record, for when it leaves the list. */
  lastPlace: RefObject<number>
  /** A row that shall have focus as soon as it is drawn. */
  focusId: RefObject<string | null>
  arrivals: number
  selected: ReadonlySet<string>
  onSelect: ((id: string) => void) | null
  onOpen: (id: string, byKey: boolean) => void
}

const range = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)

/** A list as high as all its records, of which those near the window are drawn and loaded. */
export function List(props: ListProps) {
  const { view, filter, known, now, openId, search, scroller, lastPlace, focusId } = props
  const { arrivals, selected, onSelect, onOpen } = props
  const element = useRef<HTMLUListElement>(null)
  const [rowHeight] = useState(rowHeightPx)
  const { top, start, end } = useWindow(element, scroller, known.count, rowHeight)
  const lastRow = Math.max(0, Math.min(end + margin, known.count) - 1)
  const pages = range(known.pageOf(Math.max(0, start - margin)), known.pageOf(lastRow) + 1)
  const { list = known, failed } = useList(view.kind, filter, pages)
  const opened = useOpened()
  const unsaved = useUnsavedIds()
  const urlOf = recordUrls(view, search)
  useHeldView(scroller, list, top, rowHeight, arrivals)

  useLayoutEffect(() => {
    const openPlace = list.placeOf(openId)
    if (openPlace >= 0) lastPlace.current = openPlace
    const id = focusId.current
    if (!id) return
    const link = element.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] a`)
    if (!link) return
    focusId.current = null
    link.focus({ preventScroll: true })
  })

  return (
    <>
      <ul className={styles.list} ref={element} style={{ height: list.count * rowHeight }}>
        {range(start, Math.min(end, list.count)).map((place) => {
          const record = list.rows.get(place)
          return record ? (
            <Row
              key={record._id}
              view={view}
              record={record}
              position={place}
              count={list.count}
              top={place * rowHeight}
              now={now}
              unread={isUnread(view, record, opened)}
              isOpen={record._id === openId}
              isSelected={selected.has(record._id)}
              isUnsaved={unsaved.has(record._id)}
              href={urlOf(record._id)}
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
      {failed.length > 0 && (
        <p className={styles.problem} role="alert">
          {sentenceOf(failed[0]?.error, view.texts.loadFailed)}{' '}
          <LinkButton
            onClick={() => {
              for (const { refetch } of failed) void refetch()
            }}
          >
            Try again
          </LinkButton>
        </p>
      )}
    </>
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
