import {
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { flushSync } from 'react-dom'
import { useUnsavedIds } from '../../changes/change.ts'
import { LinkButton } from '../../components/button.tsx'
import type { KindView } from '../../record/kinds/kind-view.ts'
import type { Filter, InboxRecord } from '../../record/record.ts'
import { isUnread, useOpened } from '../../record/unread.ts'
import { useProfile } from '../../session/profile.ts'
import { sentenceOf } from '../../session/session.ts'
import { isTyping } from '../../shell/shortcuts.tsx'
import { setCollapsed } from '../preferences.ts'
import { GroupRows } from './group-rows.tsx'
import { type InboxSearch, recordUrls } from './inbox-url.ts'
import { Jumps } from './jumps.tsx'
import styles from './list.module.css'
import { Row } from './row.tsx'
import {
  drawnRows,
  placeOfRow,
  rowAt,
  rowsOf,
  type Section,
  sectionAt,
  sectionsOf,
  topOf,
} from './sections.ts'
import type { ShownList } from './shown-list.ts'
import { useHeldView } from './use-held-view.ts'
import { useList } from './use-list.ts'
import type { ListLook } from './use-list-look.ts'
import { useWindow } from './use-window.ts'

/** Rows this near to the window are loaded before they are seen. */
const margin = 20

/** The open record, or the last one, as long as it was where its reader left it. */
export interface OpenPlace {
  id: string | undefined
  place: number
  /** What the order by due time depends on. */
  order: string
  /** A change has moved it elsewhere in the list: its successor stands at its place. */
  hasMoved: boolean
}

/** What the inbox asks of the drawn list. */
export interface ListHandle {
  /** The place of the drawn row `by` rows after another; negative for before. */
  placeAfter: (place: number, by: number) => number
  /** Scrolls a row into view; false where none is drawn for that place. */
  reveal: (place: number) => boolean
}

interface ListProps {
  view: KindView
  filter: Filter
  /** The list as far as the inbox knows it: at least its first page. */
  known: ShownList
  look: ListLook
  now: number
  openId: string | undefined
  search: InboxSearch
  scroller: RefObject<HTMLElement | null>
  openPlace: RefObject<OpenPlace>
  /** A row to focus as soon as it is drawn. */
  focusId: RefObject<string | null>
  arrivals: number
  selected: ReadonlySet<string>
  isSelecting: boolean
  onSelect: ((id: string) => void) | null
  onOpen: (id: string, byKey: boolean) => void
  handle: Ref<ListHandle>
}

const orderOf = (record: InboxRecord | undefined): string =>
  record ? `${record.waitingFor} ${record.dueAt} ${record.snoozedUntil}` : ''

const range = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)

/** A list as high as all its records, of which those near the window are drawn and loaded. */
export function List(props: ListProps) {
  const { view, filter, known, look, now, openId, search, scroller, openPlace, focusId } = props
  const { arrivals, selected, isSelecting, onSelect, onOpen, handle } = props
  const { rowHeight, headHeight, covered, collapsedOf } = look
  const element = useRef<HTMLDivElement>(null)
  const { username } = useProfile()
  const opened = useOpened()
  const unsaved = useUnsavedIds()
  const urlOf = recordUrls(view, search)

  const layout = (list: ShownList) =>
    sectionsOf(list.groups, list.count, { row: rowHeight, head: headHeight }, collapsedOf)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `look` holds all that it reads
  const knownSections = useMemo(() => layout(known), [known, look])
  const { top, start, end } = useWindow(element, scroller, knownSections, rowHeight, covered)
  const placesNear = (sections: readonly Section[], by: number) =>
    range(Math.max(0, start - by), Math.min(end + by, drawnRows(sections))).map((row) =>
      placeOfRow(sections, row),
    )
  const pages = [...new Set(placesNear(knownSections, margin).map(known.pageOf))]
  const { list = known, failed } = useList(view.kind, filter, pages)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `look` holds all that it reads
  const sections = useMemo(() => layout(list), [list, look])
  const places = placesNear(sections, 0)
  const firstInView = placeOfRow(sections, top)
  useHeldView(scroller, list, sections, firstInView, rowHeight, arrivals)

  useImperativeHandle(handle, () => ({
    placeAfter: (place, by) => {
      const last = drawnRows(sections) - 1
      return placeOfRow(sections, Math.max(0, Math.min(rowAt(sections, place) + by, last)))
    },
    reveal: (place) => {
      const rowTop = topOf(sections, place, rowHeight)
      if (rowTop === null || !scroller.current || !element.current) return false
      const below = sections.filter(({ from }) => from > place).length
      look.reveal(scroller.current, element.current, rowTop, below)
      return true
    },
  }))

  useLayoutEffect(() => {
    const place = list.placeOf(openId)
    const before = openPlace.current
    const order = list.groups ? orderOf(list.rows.get(place)) : ''
    if (before.id !== openId) {
      if (place >= 0) openPlace.current = { id: openId, place, order, hasMoved: false }
    } else if (place < 0 || (place !== before.place && order !== before.order))
      openPlace.current = { ...before, hasMoved: true }
    else if (!before.hasMoved || (place === before.place && order === before.order))
      openPlace.current = { ...before, place, hasMoved: false }

    const id = focusId.current
    if (!id) return
    const link = element.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] a`)
    if (!link) return
    focusId.current = null
    // The row may be drawn late: a person who is typing by then keeps the focus.
    if (!isTyping(document.activeElement)) link.focus({ preventScroll: true })
  })

  const drawRow = (place: number, section: Section) => {
    const record = list.rows.get(place)
    const rowTop = (place - section.from) * rowHeight
    return record ? (
      <Row
        key={record._id}
        view={view}
        record={record}
        position={place - section.from}
        count={section.count}
        top={rowTop}
        now={now}
        unread={isUnread(view, record, opened)}
        isOwn={record.assignee === username}
        isOpen={record._id === openId}
        isSelected={selected.has(record._id)}
        isUnsaved={unsaved.has(record._id)}
        href={urlOf(record._id)}
        onSelect={onSelect}
        isSelecting={isSelecting}
        onOpen={onOpen}
      />
    ) : (
      <li
        key={place}
        className={`${styles.row} ${styles.waiting}`}
        style={{ top: rowTop }}
        aria-hidden="true"
      >
        <i />
        <i />
      </li>
    )
  }

  return (
    <>
      {list.groups && look.name === 'phone' && (
        <Jumps
          view={view}
          counts={list.groups}
          current={sectionAt(sections, firstInView)?.group}
          onJump={(group) => {
            flushSync(() => setCollapsed(group, false))
            const section = sections.find((one) => one.group === group)
            if (section && element.current) look.jump(element.current, section.headTop)
          }}
        />
      )}
      <div ref={element} className={styles.list} data-look={look.name} data-picking={isSelecting}>
        {sections.map((section, index) => (
          <GroupRows
            key={section.group ?? 'all'}
            view={view}
            section={section}
            first={list.rows.get(section.from)}
            now={now}
            foot={look.name === 'phone' ? undefined : (sections.length - 1 - index) * headHeight}
            height={rowsOf(section) * rowHeight}
          >
            {places
              .filter((place) => place >= section.from && place < section.from + rowsOf(section))
              .map((place) => drawRow(place, section))}
          </GroupRows>
        ))}
      </div>
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
