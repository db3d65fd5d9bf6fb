import { useQueries } from '@tanstack/react-query'
import {
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { flushSync } from 'react-dom'
import type { KindPath } from '#contract/inbox.ts'
import { usePatches, useUnsavedIds } from '../../changes/change.ts'
import { LinkButton } from '../../components/button.tsx'
import type { KindView } from '../../record/kinds/kind-view.ts'
import { pageQuery } from '../../record/list-records.ts'
import type { Filter, InboxRecord } from '../../record/record.ts'
import { useProfile } from '../../session/profile.ts'
import { sentenceOf } from '../../session/session.ts'
import { isTyping } from '../../shell/shortcuts.tsx'
import { setCollapsed } from '../preferences.ts'
import type { InboxStore } from '../state.ts'
import { GroupRows, Jumps } from './group-rows.tsx'
import { type InboxSearch, recordUrls } from './inbox-url.ts'
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
import { type ShownList, shownList } from './shown-list.ts'
import { useHeldView } from './use-held-view.ts'
import type { ListLook } from './use-list-look.ts'
import { useWindow } from './use-window.ts'

/** Rows this near to the window are loaded before they are seen. */
const margin = 20

export interface ListHandle {
  /** The place of the drawn row `by` rows after another; negative for before. */
  placeAfter: (place: number, by: number) => number
  /** Scrolls a row into view; false where none is drawn for that place. */
  reveal: (place: number) => boolean
}

export interface ListProps {
  view: KindView
  filter: Filter
  /** The list as far as the inbox knows it: at least its first page. */
  known: ShownList
  look: ListLook
  now: number
  openId: string | undefined
  search: InboxSearch
  scroller: RefObject<HTMLElement | null>
  store: InboxStore
  arrivals: number
  selected: ReadonlySet<string>
  isAllSelected: boolean
  /** Rows are being selected: on a phone a tap selects. */
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
  const { view, filter, known, look, now, openId, search, scroller, store } = props
  const { arrivals, selected, isAllSelected, isSelecting, onSelect, onOpen, handle } = props
  const { rowHeight, headHeight, covered, collapsedOf } = look
  const element = useRef<HTMLDivElement>(null)
  const { username } = useProfile()
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
    const order = list.groups ? orderOf(list.rows.get(place)) : ''
    store.dispatch({ type: 'drawn', id: openId, place, order })
    const { focusId: id } = store.get()
    if (!id) return
    const link = element.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] a`)
    if (!link) return
    store.dispatch({ type: 'focus', id: null })
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
        isOwn={record.assignee === username}
        isOpen={record._id === openId}
        isSelected={isAllSelected || selected.has(record._id)}
        isUnsaved={unsaved.has(record._id)}
        href={urlOf(record._id)}
        onSelect={onSelect}
        isSelecting={isSelecting}
        query={search.q}
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

/** Keeps some pages of a list loaded, and gives the list as it is shown. */
const useList = (kind: KindPath, filter: Filter, pages: readonly number[]) => {
  const patches = usePatches(kind)
  const results = useQueries({ queries: pages.map((page) => pageQuery(kind, filter, page)) })
  const state = results.map(({ dataUpdatedAt }, index) => [pages[index], dataUpdatedAt]).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pages are read from the cache, and `state` says when
  const list = useMemo(
    (): ShownList | undefined => shownList(kind, filter, patches),
    [kind, filter, patches, state],
  )
  return { list, failed: results.filter(({ error, data }) => error && !data) }
}
