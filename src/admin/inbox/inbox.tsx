import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { loadedLater } from '../browser/loaded-later.ts'
import { useIsWide } from '../browser/use-media.ts'
import { useNow } from '../browser/use-now.ts'
import { usePatches } from '../changes/change.ts'
import { act, remove } from '../changes/edits.ts'
import buttons from '../components/button.module.css'
import { Button } from '../components/button.tsx'
import { type KindView, statusView } from '../record/kinds/kind-view.ts'
import { pageQuery, polledRecords } from '../record/list-records.ts'
import { Detail, loadDetail } from '../record/opened.tsx'
import type { Filter, InboxRecord } from '../record/record.ts'
import { Link } from '../router/link.tsx'
import { navigate, urlOf } from '../router/location.ts'
import { useMay } from '../session/profile.ts'
import { sentenceOf } from '../session/session.ts'
import { loadBadge } from '../shell/badge.ts'
import { openOverlay } from '../shell/overlay.ts'
import { useShortcuts } from '../shell/shortcuts.tsx'
import { Header } from './header/header.tsx'
import styles from './inbox.module.css'
import {
  type ChangeSearch,
  currentSearch,
  filterOf,
  hashOf,
  isFiltered,
  useInboxSearch,
} from './list/inbox-url.ts'
import { List, type ListHandle, type OpenPlace } from './list/list.tsx'
import { ListSkeleton } from './list/list-skeleton.tsx'
import { type ShownList, shownList } from './list/shown-list.ts'
import { useArrivals } from './list/use-arrivals.ts'
import { useFirstRecord } from './list/use-first-record.ts'
import { useKeptFocus } from './list/use-kept-focus.ts'
import { useListLook } from './list/use-list-look.ts'
import { useSelection } from './list/use-selection.ts'
import { useOwnDensity } from './preferences.ts'

// Loaded when the list is there: it can be read and searched without it.
const bulk = loadedLater(async () => (await import('./bulk/bulk.tsx')).BulkBar)

/** One kind's inbox: list and detail side by side, or one after the other on a phone. */
export function Inbox({ view }: { view: KindView }) {
  const search = useInboxSearch(view)
  const client = useQueryClient()
  const isWide = useIsWide()
  const now = useNow()
  const look = useListLook(search)
  const mayChange = useMay('records.change')
  const BulkBar = bulk.use()
  const filterKey = JSON.stringify(filterOf(search))
  const filter = useMemo(() => JSON.parse(filterKey) as Filter, [filterKey])

  const pane = useRef<HTMLDivElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const rows = useRef<ListHandle>(null)
  const focusId = useRef<string | null>(null)
  const openPlace = useRef<OpenPlace>({ id: undefined, place: 0, order: '', hasMoved: false })
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

  const first = useFirstRecord(filterKey, isPlaceholderData ? undefined : list, look.collapsedOf)
  const openId = search.id ?? first.id

  const go = useCallback<ChangeSearch>(
    ({ q, ...patch }, how = {}) => {
      // Another screen was asked for, and is being loaded.
      if (!location.pathname.startsWith(`/admin/${view.kind}`)) return
      const { q: before, ...present } = currentSearch(view)
      const hash = hashOf(how.q ? q : before)
      const url = urlOf({ to: `/admin/${view.kind}`, search: { ...present, ...patch }, hash })
      return navigate(url, { replace: how.replace ?? false, keepScroll: true })
    },
    [view],
  )

  const arrivals = useArrivals(view.kind, filter, isPlaceholderData ? undefined : data)
  const selection = useSelection(filterKey)
  const firstFilter = useRef(filterKey)
  useLayoutEffect(() => {
    if (firstFilter.current === filterKey) return
    firstFilter.current = filterKey
    pane.current?.scrollTo({ top: 0 })
  }, [filterKey])

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
    const drawn = rows.current
    if (!from || !drawn) return
    const { id, place: lastPlace, hasMoved } = openPlace.current
    const openAt = id === openId && hasMoved ? -1 : from.placeOf(openId)
    const focused = openId ? -1 : focusedPlace(from)
    // With nothing open beside the list the focused row is the next to open, else the place of the
    // last one: a row that has left the list, or moved in it, leaves it to its successor.
    const base = focused >= 0 ? focused : lastPlace
    const isResting = openAt < 0 && (isWide || focused < 0)
    const place = isResting
      ? drawn.placeAfter(base, Math.min(by, 0))
      : drawn.placeAfter(openAt >= 0 ? openAt : base, by)
    const { href } = location
    const record = await recordAt(from, place).catch(() => undefined)
    // Something else was opened while it was loaded.
    if (!record || href !== location.href) return
    openPlace.current = { ...openPlace.current, place }
    if (isWide || !openId) drawn.reveal(place)
    if (!openId || isWide) focusId.current = record._id
    if (isWide || openId) void go({ id: record._id }, { replace: openId !== undefined })
    else document.querySelector<HTMLElement>(`[data-id="${CSS.escape(record._id)}"] a`)?.focus()
  }

  const selectByKey = () => {
    const from = currentList()
    if (!from || !mayChange) return
    const openAt = from.placeOf(openId)
    const record = from.rows.get(openAt >= 0 ? openAt : focusedPlace(from))
    if (record) selection.toggle(record._id)
  }

  const open = useCallback(
    (id: string, byKey: boolean) => {
      void Promise.resolve(go({ id })).then(() => {
        if (byKey) requestAnimationFrame(() => heading.current?.focus())
      })
    },
    [go],
  )
  /** Leaves the reading pane empty until somebody opens a record. */
  const close = () => {
    first.close()
    if (search.id) void go({ id: undefined })
  }

  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    x: selectByKey,
    Escape: selection.isOn ? selection.clear : openId ? close : undefined,
    '/': () => searchField.current?.focus(),
    s: () => openOverlay('save-view'),
  })

  const removeOpen = (record: InboxRecord) => {
    const from = currentList()
    const place = from?.placeOf(record._id) ?? -1
    const next = from?.rows.get(place + 1) ?? from?.rows.get(place - 1)
    act(view, record, remove)
    if (next) focusId.current = next._id
    first.close()
    void go({ id: undefined }, { replace: true })
  }

  useKeptFocus(pane, heading, list, openPlace, focusId)

  const isListed = list !== undefined
  useOwnDensity(isListed)
  useEffect(() => {
    // What fails is tried again, and said, by the record that is opened.
    if (isListed) void loadDetail().catch(() => undefined)
    if (isListed) loadBadge()
    if (isListed && mayChange) void bulk.load().catch(() => undefined)
  }, [isListed, mayChange])

  // On a phone the list gives way to the detail, and is found again where it was left. A list that is
  // shown first is where the router or the browser has put it; to scroll it would lay out the page twice.
  const isShown = useRef(false)
  useLayoutEffect(() => {
    const isFirst = !isShown.current
    isShown.current = true
    if (isWide || (isFirst && !openId)) return
    if (openId) {
      window.scrollTo({ top: 0, behavior: 'instant' })
      heading.current?.focus({ preventScroll: true })
    } else window.scrollTo({ top: listScroll.current, behavior: 'instant' })
  }, [openId, isWide])

  /** Shows the first of the records that have arrived: where it is, or in a list of the newest. */
  const showArrivals = () => {
    arrivals.onSeen()
    const [id = null] = arrivals.ids.slice(-1)
    const isShown = id && rows.current?.reveal(currentList()?.placeOf(id) ?? -1)
    if (isShown) focusId.current = id
    else void go({ sort: '-createdAt', id: undefined })
  }

  return (
    <div
      className={styles.inbox}
      data-open={openId && !isWide ? '' : undefined}
      data-kind={view.kind}
    >
      <Header
        view={view}
        search={search}
        filter={filter}
        list={list}
        onChange={go}
        field={searchField}
        onSelecting={mayChange ? selection.begin : null}
        isBehind={openId !== undefined && !isWide}
        bulk={
          list &&
          selection.isOn &&
          mayChange &&
          BulkBar && (
            <BulkBar
              key={filterKey}
              view={view}
              filter={filter}
              matching={list.count}
              loaded={() => [...(currentList()?.rows.values() ?? [])]}
              selected={selection.ids}
              onClear={selection.clear}
            />
          )
        }
      />
      <div className={styles.pane}>
        <section
          className={styles.list}
          aria-label="List"
          ref={pane}
          onClickCapture={() => {
            listScroll.current = window.scrollY
          }}
        >
          <div className="visually-hidden" aria-live="polite">
            {list && (
              <h2>
                {view.heading(
                  list.count,
                  search.status ? statusView(view, search.status).label : null,
                )}
              </h2>
            )}
          </div>
          {arrivals.ids.length > 0 && (
            <button type="button" className={styles.arrivals} onClick={showArrivals}>
              {arrivals.ids.length}
              {arrivals.ids.length === polledRecords && '+'} new
            </button>
          )}
          {isPending ? (
            <>
              <p className="visually-hidden" role="status">
                Loading...
              </p>
              <ListSkeleton look={look} />
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
              {isFiltered(search) && (
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
              look={look}
              now={now}
              openId={openId}
              search={search}
              scroller={pane}
              openPlace={openPlace}
              focusId={focusId}
              arrivals={arrivals.ids.length}
              selected={selection.ids}
              isSelecting={selection.isOn}
              onSelect={mayChange ? selection.toggle : null}
              onOpen={open}
              handle={rows}
            />
          )}
        </section>
        <div className={styles.detail}>
          <Detail
            view={view}
            id={openId}
            isWaiting={isPending || (!first.isKnown && !error)}
            isChosen={search.id !== undefined}
            now={now}
            heading={heading}
            onChoose={() => void go({ id: openId }, { replace: true })}
            onStep={(by) => void step(by)}
            onClose={close}
            onRemove={removeOpen}
          />
        </div>
      </div>
    </div>
  )
}
