import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import { useIsWide } from '../browser/use-media.ts'
import { act, remove } from '../changes/edits.ts'
import type { KindView } from '../record/kinds/kind-view.ts'
import type { InboxRecord } from '../record/record.ts'
import { navigate, urlOf } from '../router/location.ts'
import { type ChangeSearch, currentSearch, hashOf, type InboxSearch } from './list/inbox-url.ts'
import type { ListHandle } from './list/list.tsx'
import { type CollapsedOf, firstDrawn } from './list/sections.ts'
import type { ShownList } from './list/shown-list.ts'
import type { InboxStore } from './state.ts'
import type { Pages } from './use-pages.ts'

/** The place of the focused row, or -1. */
const focusedPlace = (list: ShownList): number => {
  const id = document.activeElement?.closest('[data-id]')?.getAttribute('data-id')
  return list.placeOf(id ?? undefined)
}

/** The open record, and the ways to another one. */
export const useReading = (
  view: KindView,
  search: InboxSearch,
  { list, listKey, first: firstPage, currentList, recordAt }: Pages,
  { get, useSome, dispatch }: InboxStore,
  heading: RefObject<HTMLHeadingElement | null>,
  collapsedOf: CollapsedOf,
) => {
  const isWide = useIsWide()
  const drawn = useRef<ListHandle>(null)

  // A desktop shows the first record of a list as it was when it came, until somebody closes it.
  const isLoaded = firstPage !== undefined && list !== undefined
  const found = isLoaded ? list.rows.get(firstDrawn(list.groups, collapsedOf))?._id : undefined
  const isFirstKnown = useSome((state) => state.listKey === listKey && state.hasFirst) || isLoaded
  const first = useSome((state) =>
    state.listKey === listKey && state.hasFirst ? state.first : found,
  )
  useLayoutEffect(() => {
    if (isLoaded) dispatch({ type: 'loaded', listKey, first: found })
  }, [dispatch, isLoaded, listKey, found])
  const openId = search.id ?? (isWide ? first : undefined)

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

  const open = useCallback(
    (id: string, byKey: boolean) => {
      void Promise.resolve(go({ id })).then(() => {
        if (byKey) requestAnimationFrame(() => heading.current?.focus())
      })
    },
    [go, heading],
  )

  const step = async (by: 1 | -1) => {
    const from = currentList()
    if (!from || !drawn.current) return
    const { id, place: lastPlace, hasMoved } = get().open
    const openAt = id === openId && hasMoved ? -1 : from.placeOf(openId)
    const focused = openId ? -1 : focusedPlace(from)
    // With nothing open beside the list the focused row is the next to open, else the place of the
    // last one: a row that has left the list, or moved in it, leaves it to its successor.
    const base = focused >= 0 ? focused : lastPlace
    const isResting = openAt < 0 && (isWide || focused < 0)
    const place = isResting
      ? drawn.current.placeAfter(base, Math.min(by, 0))
      : drawn.current.placeAfter(openAt >= 0 ? openAt : base, by)
    const { href } = location
    const record = await recordAt(place).catch(() => undefined)
    // Something else was opened while it was loaded.
    if (!record || href !== location.href) return
    dispatch({ type: 'stepped', place })
    if (isWide || !openId) drawn.current?.reveal(place)
    if (!openId || isWide) dispatch({ type: 'focus', id: record._id })
    if (isWide || openId) void go({ id: record._id }, { replace: openId !== undefined })
    else document.querySelector<HTMLElement>(`[data-id="${CSS.escape(record._id)}"] a`)?.focus()
  }

  /** Leaves the reading pane empty until somebody opens a record. */
  const close = () => {
    dispatch({ type: 'closed', listKey })
    if (search.id) void go({ id: undefined })
  }

  return {
    openId,
    isWaiting: isWide && !isFirstKnown,
    drawn,
    go,
    open,
    step,
    close,
    /** The place of the open record, else of the focused row. */
    currentPlace: (from: ShownList): number => {
      const openAt = from.placeOf(openId)
      return openAt >= 0 ? openAt : focusedPlace(from)
    },
    removeOpen: (record: InboxRecord) => {
      const from = currentList()
      const place = from?.placeOf(record._id) ?? -1
      const next = from?.rows.get(place + 1) ?? from?.rows.get(place - 1)
      act(view, record, remove)
      if (next) dispatch({ type: 'focus', id: next._id })
      dispatch({ type: 'closed', listKey })
      void go({ id: undefined }, { replace: true })
    },
    /** Shows the first of the records that have arrived: where it is, or in a list of the newest. */
    showArrival: (id: string | null) => {
      const isShown = id && drawn.current?.reveal(currentList()?.placeOf(id) ?? -1)
      if (isShown) dispatch({ type: 'focus', id })
      else void go({ sort: '-createdAt', id: undefined })
    },
  }
}
