import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import buttons from '../components/button.module.css'
import { Icon } from '../components/icon.tsx'
import { useIsWide } from '../components/use-media.ts'
import { useNow } from '../components/use-now.ts'
import { useMay } from '../shell/profile.ts'
import { sentenceOf } from '../shell/session.ts'
import { useShortcuts } from '../shell/shortcuts.tsx'
import type { InboxRecord } from './api/record.ts'
import { BulkBar } from './bulk/bulk.tsx'
import { Detail } from './detail/detail.tsx'
import styles from './inbox.module.css'
import { type KindView, statusOf } from './kinds/kind-view.ts'
import { filterOf, type InboxSearch } from './list/address.ts'
import { CsvButton } from './list/csv-button.tsx'
import { BoxLinks, Refine, SearchField, StatusTabs } from './list/filters.tsx'
import { List, ListSkeleton, rowHeightPx } from './list/list.tsx'
import { useArrivals } from './list/use-arrivals.ts'
import { useHeldView } from './list/use-held-view.ts'
import { useKeptFocus } from './list/use-kept-focus.ts'
import { remove } from './mutations.ts'
import { countOf, placeOf, rowAt, rowsOf } from './places.ts'
import { listQuery } from './queries.ts'

const nobody: ReadonlySet<string> = new Set()

/** One kind's inbox: list and detail side by side, or one after the other on a phone. */
export function Inbox({ view }: { view: KindView }) {
  const search = useSearch({ strict: false }) as InboxSearch
  const navigate = useNavigate()
  const isWide = useIsWide()
  const now = useNow()
  const mayChange = useMay('records.change')
  const filter = useMemo(() => filterOf(search), [search])
  const filterKey = JSON.stringify(filter)

  const pane = useRef<HTMLDivElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const focusId = useRef<string | null>(null)
  const lastPlace = useRef(0)
  const topPlace = useRef(0)
  const listScroll = useRef(0)

  const query = useQuery({ ...listQuery(view.kind, filter), placeholderData: keepPreviousData })
  const { data: list, error, isPending, isPlaceholderData, refetch } = query
  const count = list ? countOf(list) : 0
  const openId = search.id
  const openPlace = useMemo(() => (list && openId ? placeOf(list, openId) : -1), [list, openId])
  if (openPlace >= 0) lastPlace.current = openPlace

  const go = useCallback(
    (patch: InboxSearch, how: { replace?: boolean } = {}) =>
      navigate({
        to: `/admin/${view.kind}`,
        search: (before: InboxSearch) => ({ ...before, ...patch }),
        replace: how.replace ?? false,
        resetScroll: false,
      }),
    [navigate, view.kind],
  )

  const hold = useHeldView(pane, topPlace)
  const arrivals = useArrivals(view, filter, list, openId, pane, hold)

  // Another filter is another list, seen from its top, with nothing selected.
  const [selection, setSelection] = useState({ key: filterKey, ids: nobody })
  const selected = selection.key === filterKey ? selection.ids : nobody
  const select = (ids: ReadonlySet<string>) => setSelection({ key: filterKey, ids })
  const toggle = useCallback(
    (id: string) =>
      setSelection((before) => {
        const ids = new Set(before.key === filterKey ? before.ids : nobody)
        if (!ids.delete(id)) ids.add(id)
        return { key: filterKey, ids }
      }),
    [filterKey],
  )
  const firstFilter = useRef(filterKey)
  useLayoutEffect(() => {
    if (firstFilter.current === filterKey) return
    firstFilter.current = filterKey
    pane.current?.scrollTo({ top: 0 })
  }, [filterKey])

  const reveal = (index: number) => {
    const element = pane.current
    if (!element) return
    const height = rowHeightPx()
    const list = element.querySelector('ul')
    const top = (list?.offsetTop ?? 0) + index * height
    if (isWide) {
      if (top < element.scrollTop) element.scrollTop = top
      else if (top + height > element.scrollTop + element.clientHeight)
        element.scrollTop = top + height - element.clientHeight
    } else if (list && !openId) {
      const y = list.getBoundingClientRect().top + index * height
      if (y < 0 || y + height > window.innerHeight - 80)
        window.scrollBy({ top: y - 200, behavior: 'instant' })
    }
  }

  /** The row that keys act on: the open one, the focused one, or where the last one was. */
  const focusedPlace = (): number => {
    const id = document.activeElement?.closest('[data-id]')?.getAttribute('data-id')
    return list && id ? placeOf(list, id) : -1
  }

  const step = (by: 1 | -1) => {
    if (!list) return
    const focused = openId ? -1 : focusedPlace()
    // With nothing open beside the list the focused row is the next to open, else the place of the
    // last one: a row that has left the list leaves it to its successor.
    const base = focused >= 0 ? focused : lastPlace.current
    const isResting = openPlace < 0 && (isWide || focused < 0)
    const wanted = isResting ? base + Math.min(by, 0) : (openPlace >= 0 ? openPlace : base) + by
    const place = Math.min(Math.max(wanted, 0), count - 1)
    const record = rowAt(list, place)
    if (!record) return
    lastPlace.current = place
    reveal(place)
    if (!openId || isWide) focusId.current = record._id
    if (isWide || openId) void go({ id: record._id }, { replace: openId !== undefined })
    else document.querySelector<HTMLElement>(`[data-id="${CSS.escape(record._id)}"] a`)?.focus()
  }

  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    x: () => {
      const record = list && rowAt(list, openPlace >= 0 ? openPlace : focusedPlace())
      if (record && mayChange) toggle(record._id)
    },
    '/': () => searchField.current?.focus(),
  })

  const open = useCallback(
    (id: string, byKey: boolean) => {
      void go({ id }).then(() => {
        if (byKey) requestAnimationFrame(() => heading.current?.focus())
      })
    },
    [go],
  )
  const close = useCallback(() => void go({ id: undefined }), [go])

  const removeOpen = (record: InboxRecord) => {
    remove(view, record)
    const next = list && (rowAt(list, openPlace + 1) ?? rowAt(list, openPlace - 1))
    if (next) focusId.current = next._id
    void go({ id: undefined }, { replace: true })
  }

  useKeptFocus(pane, heading, list, lastPlace, focusId)

  // On a phone the list gives way to the detail, and is found again where it was left.
  useLayoutEffect(() => {
    if (isWide) return
    if (openId) {
      window.scrollTo({ top: 0, behavior: 'instant' })
      heading.current?.focus({ preventScroll: true })
    } else window.scrollTo({ top: listScroll.current, behavior: 'instant' })
  }, [openId, isWide])

  return (
    <div className={styles.inbox} data-open={openId ? '' : undefined}>
      <div className={styles.top}>
        <div className={styles.head}>
          <div>
            <Link to="/admin/dashboard" className={buttons.link}>
              <Icon name="back" />
              Dashboard
            </Link>
            <h1>{view.title}</h1>
          </div>
          <SearchField view={view} search={search} onChange={go} field={searchField} />
        </div>
        <div className={styles.selectors}>
          <StatusTabs view={view} search={search} meta={list?.meta} />
          <BoxLinks view={view} search={search} meta={list?.meta} />
        </div>
      </div>
      <div className={styles.pane}>
        <section
          className={styles.rows}
          aria-label="List"
          ref={pane}
          onClickCapture={() => {
            listScroll.current = window.scrollY
          }}
        >
          <div className={styles.listHead}>
            <div aria-live="polite">
              {list && (
                <h2>
                  {view.heading(
                    list.meta.matching,
                    search.status ? statusOf(view, search.status).label : null,
                  )}
                </h2>
              )}
            </div>
            <CsvButton view={view} filter={filter} />
          </div>
          <Refine view={view} search={search} onChange={go} />
          {list && selected.size > 0 && mayChange && (
            <BulkBar
              key={filterKey}
              view={view}
              filter={filter}
              matching={list.meta.matching}
              loaded={rowsOf(list)}
              selected={selected}
              onSelect={select}
            />
          )}
          {arrivals.count > 0 && (
            <button type="button" className={styles.arrivals} onClick={arrivals.show}>
              {arrivals.count} new, above
            </button>
          )}
          {isPending ? (
            <>
              <p className="vh" role="status">
                Loading...
              </p>
              <ListSkeleton />
            </>
          ) : !list ? (
            <div className={styles.problem} role="alert">
              <p>{sentenceOf(error, view.texts.loadFailed)}</p>
              <button type="button" className={buttons.outlined} onClick={() => void refetch()}>
                Try again
              </button>
            </div>
          ) : count === 0 ? (
            <div className={styles.empty}>
              <p>{view.texts.empty}</p>
              {filterKey !== '{}' && (
                <Link to={`/admin/${view.kind}`} search={{}} className={buttons.link}>
                  Show the whole inbox
                </Link>
              )}
            </div>
          ) : (
            <List
              key={`list ${filterKey}`}
              view={view}
              filter={filter}
              list={list}
              isCurrent={!isPlaceholderData}
              now={now}
              openId={openId}
              openPlace={openPlace}
              search={search}
              scroller={pane}
              top={topPlace}
              focusId={focusId}
              selected={selected}
              onSelect={mayChange ? toggle : null}
              onLoad={hold}
              onOpen={open}
            />
          )}
        </section>
        <div className={styles.detail}>
          <Detail
            view={view}
            id={openId}
            now={now}
            heading={heading}
            onClose={close}
            onRemove={removeOpen}
          />
        </div>
      </div>
    </div>
  )
}
