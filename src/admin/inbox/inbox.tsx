import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import buttons from '../parts/button.module.css'
import { Icon } from '../parts/icon.tsx'
import { useIsWide } from '../parts/use-media.ts'
import { useNow } from '../parts/use-now.ts'
import { useMay } from '../shell/profile.ts'
import { sentenceOf } from '../shell/session.ts'
import { useShortcuts } from '../shell/shortcuts.tsx'
import { remove } from './acts.ts'
import { filterOf, type InboxSearch } from './address.ts'
import { BulkBar } from './bulk.tsx'
import { CsvButton } from './csv-button.tsx'
import { Detail } from './detail.tsx'
import { BoxLinks, Refine, SearchField, StatusTabs } from './filters.tsx'
import styles from './inbox.module.css'
import { type KindView, statusOf } from './kind-view.ts'
import { List, ListSkeleton, rowHeightPx } from './list.tsx'
import { metaOf, rowsOf } from './list-data.ts'
import { listQuery } from './queries.ts'
import type { InboxRecord } from './record.ts'
import { useArrivals } from './use-arrivals.ts'
import { useKeptFocus } from './use-kept-focus.ts'

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
  const lastIndex = useRef(0)
  const listScroll = useRef(0)

  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({ ...listQuery(view.kind, filter), placeholderData: keepPreviousData })
  const rows = useMemo(() => (data ? rowsOf(data) : []), [data])
  const meta = data && metaOf(data)
  const count = hasNextPage ? Math.max(meta?.matching ?? 0, rows.length) : rows.length
  const openId = search.id
  const openIndex = openId ? rows.findIndex((record) => record._id === openId) : -1
  if (openIndex >= 0) lastIndex.current = openIndex

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

  const arrivals = useArrivals(view, filter, data, openId, pane)

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

  const reach = useCallback(
    (end: number) => {
      if (end > rows.length && hasNextPage && !isFetchingNextPage) void fetchNextPage()
    },
    [rows.length, hasNextPage, isFetchingNextPage, fetchNextPage],
  )

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
      if (y < 0 || y + height > window.innerHeight - 80) window.scrollBy(0, y - 200)
    }
  }

  /** The row that keys act on: the open one, the focused one, or where the last one was. */
  const focusedIndex = (): number => {
    const id = document.activeElement?.closest('[data-id]')?.getAttribute('data-id')
    return id ? rows.findIndex((record) => record._id === id) : -1
  }

  const step = (by: 1 | -1) => {
    const focused = openId ? -1 : focusedIndex()
    // With nothing open beside the list the focused row is the next to open, else the place of the
    // last one: a row that has left the list leaves it to its successor.
    const place = focused >= 0 ? focused : lastIndex.current
    const isResting = openIndex < 0 && (isWide || focused < 0)
    const wanted = isResting ? place + Math.min(by, 0) : (openIndex >= 0 ? openIndex : place) + by
    const index = Math.min(Math.max(wanted, 0), rows.length - 1)
    const record = rows[index]
    if (!record) return
    if (index > rows.length - 10) reach(rows.length + 1)
    lastIndex.current = index
    reveal(index)
    if (!openId || isWide) focusId.current = record._id
    if (isWide || openId) void go({ id: record._id }, { replace: openId !== undefined })
    else document.querySelector<HTMLElement>(`[data-id="${CSS.escape(record._id)}"] a`)?.focus()
  }

  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    x: () => {
      const record = rows[openIndex >= 0 ? openIndex : focusedIndex()]
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
    const next = rows[openIndex + 1] ?? rows[openIndex - 1]
    if (next) focusId.current = next._id
    void go({ id: undefined }, { replace: true })
  }

  useKeptFocus(pane, heading, rows, lastIndex, focusId)

  // On a phone the list gives way to the detail, and is found again where it was left.
  useLayoutEffect(() => {
    if (isWide) return
    if (openId) {
      window.scrollTo(0, 0)
      heading.current?.focus({ preventScroll: true })
    } else window.scrollTo(0, listScroll.current)
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
          <StatusTabs view={view} search={search} meta={meta} />
          <BoxLinks view={view} search={search} meta={meta} />
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
              {meta && (
                <h2>
                  {view.heading(
                    meta.matching,
                    search.status ? statusOf(view, search.status).label : null,
                  )}
                </h2>
              )}
            </div>
            <CsvButton view={view} filter={filter} />
          </div>
          <Refine view={view} search={search} onChange={go} />
          {selected.size > 0 && mayChange && (
            <BulkBar
              key={filterKey}
              view={view}
              filter={filter}
              matching={meta?.matching ?? 0}
              loaded={rows}
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
          ) : error && rows.length === 0 ? (
            <div className={styles.problem} role="alert">
              <p>{sentenceOf(error, view.texts.loadFailed)}</p>
              <button type="button" className={buttons.outlined} onClick={() => void refetch()}>
                Try again
              </button>
            </div>
          ) : rows.length === 0 ? (
            <p className={styles.empty}>{view.texts.empty}</p>
          ) : (
            <List
              view={view}
              rows={rows}
              count={count}
              now={now}
              openId={openId}
              search={search}
              scroller={pane}
              focusId={focusId}
              selected={selected}
              onSelect={mayChange ? toggle : null}
              onReach={reach}
              onOpen={open}
            />
          )}
          {error && rows.length > 0 && (
            <p className={styles.problem} role="alert">
              {sentenceOf(error, view.texts.loadFailed)}{' '}
              <button type="button" className={buttons.link} onClick={() => void fetchNextPage()}>
                Try again
              </button>
            </p>
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
