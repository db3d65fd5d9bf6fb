import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useIsWide } from '../browser/use-media.ts'
import { useNow } from '../browser/use-now.ts'
import buttons from '../components/button.module.css'
import { Button } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { useMay } from '../session/profile.ts'
import { sentenceOf } from '../session/session.ts'
import { useShortcuts } from '../shell/shortcuts.tsx'
import { act, remove } from './api/actions.ts'
import { usePatches } from './api/change.ts'
import { pageQuery } from './api/list-records.ts'
import type { Filter, InboxRecord } from './api/record.ts'
import { BulkBar } from './bulk/bulk.tsx'
import { Detail, loadDetail } from './detail/detail.tsx'
import styles from './inbox.module.css'
import { type KindView, statusView } from './kinds/kind-view.ts'
import { CsvButton } from './list/csv-button.tsx'
import { BoxLinks, Refine, SearchField, StatusTabs } from './list/filters.tsx'
import { filterOf, hashOf, type InboxSearch, useInboxSearch } from './list/inbox-url.ts'
import { List, ListSkeleton, rowHeightPx } from './list/list.tsx'
import { type ShownList, shownList } from './list/shown-list.ts'
import { useArrivals } from './list/use-arrivals.ts'
import { useKeptFocus } from './list/use-kept-focus.ts'
import { useSelection } from './list/use-selection.ts'

/** One kind's inbox: list and detail side by side, or one after the other on a phone. */
export function Inbox({ view }: { view: KindView }) {
  const search = useInboxSearch()
  const navigate = useNavigate()
  const client = useQueryClient()
  const isWide = useIsWide()
  const now = useNow()
  const mayChange = useMay('records.change')
  const filterKey = JSON.stringify(filterOf(search))
  const filter = useMemo(() => JSON.parse(filterKey) as Filter, [filterKey])

  const pane = useRef<HTMLDivElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const focusId = useRef<string | null>(null)
  const lastPlace = useRef(0)
  const listScroll = useRef(0)

  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    ...pageQuery(view.kind, filter, 0),
    placeholderData: keepPreviousData,
  })
  // Until the first page of another list is there, the list before it stays.
  const shownFilter = useRef(filter)
  if (data && !isPlaceholderData) shownFilter.current = filter
  const patches = usePatches(view.kind)
  /** With all pages that are loaded at this moment. */
  const currentList = () => shownList(client, view.kind, shownFilter.current, patches)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pages are read from the cache, and `data` says when
  const list = useMemo(() => (data ? currentList() : undefined), [data, patches])
  const openId = search.id

  const go = useCallback(
    ({ q, ...patch }: InboxSearch, how: { replace?: boolean; q?: boolean } = {}) =>
      navigate({
        to: `/admin/${view.kind}`,
        search: (before: InboxSearch) => ({ ...before, ...patch }),
        hash: how.q ? hashOf(q) : true,
        replace: how.replace ?? false,
        resetScroll: false,
      }),
    [navigate, view.kind],
  )

  const arrivals = useArrivals(view.kind, filter, isPlaceholderData ? undefined : data)
  const selection = useSelection(filterKey)
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

  const focusedPlace = (from: ShownList): number => {
    const id = document.activeElement?.closest('[data-id]')?.getAttribute('data-id')
    return from.placeOf(id ?? undefined)
  }

  const recordAt = async (from: ShownList, place: number): Promise<InboxRecord | undefined> => {
    if (!from.rows.has(place))
      await client.ensureQueryData(pageQuery(view.kind, shownFilter.current, from.pageOf(place)))
    return currentList()?.rows.get(place)
  }

  const step = async (by: 1 | -1) => {
    const from = currentList()
    if (!from) return
    const openPlace = from.placeOf(openId)
    const focused = openId ? -1 : focusedPlace(from)
    // With nothing open beside the list the focused row is the next to open, else the place of the
    // last one: a row that has left the list leaves it to its successor.
    const base = focused >= 0 ? focused : lastPlace.current
    const isResting = openPlace < 0 && (isWide || focused < 0)
    const wanted = isResting ? base + Math.min(by, 0) : (openPlace >= 0 ? openPlace : base) + by
    const place = Math.min(Math.max(wanted, 0), from.count - 1)
    const record = await recordAt(from, place).catch(() => undefined)
    if (!record) return
    lastPlace.current = place
    reveal(place)
    if (!openId || isWide) focusId.current = record._id
    if (isWide || openId) void go({ id: record._id }, { replace: openId !== undefined })
    else document.querySelector<HTMLElement>(`[data-id="${CSS.escape(record._id)}"] a`)?.focus()
  }

  const selectByKey = () => {
    const from = currentList()
    if (!from || !mayChange) return
    const openPlace = from.placeOf(openId)
    const record = from.rows.get(openPlace >= 0 ? openPlace : focusedPlace(from))
    if (record) selection.toggle(record._id)
  }

  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    x: selectByKey,
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
    const from = currentList()
    const place = from?.placeOf(record._id) ?? -1
    const next = from?.rows.get(place + 1) ?? from?.rows.get(place - 1)
    act(view, record, remove)
    if (next) focusId.current = next._id
    void go({ id: undefined }, { replace: true })
  }

  useKeptFocus(pane, heading, list, lastPlace, focusId)

  const isListed = list !== undefined
  useEffect(() => {
    // What fails is tried again, and said, by the record that is opened.
    if (isListed) void loadDetail().catch(() => undefined)
  }, [isListed])

  // On a phone the list gives way to the detail, and is found again where it was left.
  useLayoutEffect(() => {
    if (isWide) return
    if (openId) {
      window.scrollTo({ top: 0, behavior: 'instant' })
      heading.current?.focus({ preventScroll: true })
    } else window.scrollTo({ top: listScroll.current, behavior: 'instant' })
  }, [openId, isWide])

  const showArrivals = () => {
    arrivals.onSeen()
    pane.current?.scrollTo({ top: 0 })
    if (!pane.current || pane.current.scrollHeight <= pane.current.clientHeight + 1)
      window.scrollTo({ top: 0 })
  }

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
                    list.count,
                    search.status ? statusView(view, search.status).label : null,
                  )}
                </h2>
              )}
            </div>
            {list && list.count > 0 && <CsvButton view={view} filter={filter} />}
          </div>
          <Refine view={view} search={search} onChange={go} />
          {list && selection.ids.size > 0 && mayChange && (
            <BulkBar
              key={filterKey}
              view={view}
              filter={filter}
              matching={list.count}
              loaded={() => [...(currentList()?.rows.values() ?? [])]}
              selected={selection.ids}
              onClear={selection.clear}
            />
          )}
          {arrivals.count > 0 && (
            <button type="button" className={styles.arrivals} onClick={showArrivals}>
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
              <Button look="line" onClick={() => void refetch()}>
                Try again
              </Button>
            </div>
          ) : list.count === 0 ? (
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
              key={`list ${JSON.stringify(shownFilter.current)}`}
              view={view}
              filter={shownFilter.current}
              known={list}
              now={now}
              openId={openId}
              search={search}
              scroller={pane}
              lastPlace={lastPlace}
              focusId={focusId}
              arrivals={arrivals.count}
              selected={selection.ids}
              onSelect={mayChange ? selection.toggle : null}
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
