import { useEffect, useRef, useState } from 'react'
import { loadedLater } from '../browser/loaded-later.ts'
import { useIsWide } from '../browser/use-media.ts'
import { useNow } from '../browser/use-now.ts'
import { Detail, loadDetail } from '../record/detail.tsx'
import type { KindView } from '../record/kinds/kind-view.ts'
import { useMay } from '../session/profile.ts'
import { loadBadge } from '../shell/badge.ts'
import { openOverlay } from '../shell/overlay.ts'
import { useShortcuts } from '../shell/shortcuts.tsx'
import { Header } from './header/header.tsx'
import styles from './inbox.module.css'
import { useInboxSearch } from './list/inbox-url.ts'
import { ListPane } from './list/list-pane.tsx'
import { useArrivals } from './list/use-arrivals.ts'
import { useKeptFocus } from './list/use-kept-focus.ts'
import { useListLook } from './list/use-list-look.ts'
import { useOwnDensity } from './preferences.ts'
import { createInboxStore, useSelection } from './state.ts'
import { usePages } from './use-pages.ts'
import { useReading } from './use-reading.ts'
import { useScrollPlaces } from './use-scroll-places.ts'

// Loaded when the list is there: it can be read and searched without it.
const bulk = loadedLater(async () => (await import('./bulk/bulk.tsx')).BulkBar)

/** Until the bar is there, its keys do nothing: they would act on the open record. */
const keysOfBar = Object.fromEntries([...'eat!#'].map((key) => [key, () => undefined]))

/** One kind's inbox: list and record side by side, or one after the other on a phone. */
export function Inbox({ view }: { view: KindView }) {
  const search = useInboxSearch(view)
  const isWide = useIsWide()
  const now = useNow()
  const look = useListLook(search)
  const mayChange = useMay('records.change')
  const BulkBar = bulk.use()
  const pane = useRef<HTMLElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [store] = useState(createInboxStore)

  const pages = usePages(view, search)
  const { listKey, filter, shownFilter, list, currentList } = pages
  const selection = useSelection(store, listKey)
  const arrivals = useArrivals(view.kind, filter, pages.first)
  const reading = useReading(view, search, pages, store, heading, look.collapsedOf)
  const { openId, go } = reading
  const isBehind = openId !== undefined && !isWide

  useKeptFocus(pane, heading, list, store)
  const keepScroll = useScrollPlaces(pane, heading, listKey, openId, list !== undefined)

  const isListed = list !== undefined
  useOwnDensity(isListed)
  useEffect(() => {
    // The opened record tries a failure again, and says it.
    if (isListed) void loadDetail().catch(() => undefined)
    if (isListed) loadBadge()
    if (isListed && mayChange) void bulk.load().catch(() => undefined)
  }, [isListed, mayChange])

  useShortcuts({
    j: () => reading.step(1),
    k: () => reading.step(-1),
    x: () => {
      const from = currentList()
      const record = from?.rows.get(reading.currentPlace(from))
      if (record && mayChange) selection.toggle(record._id)
    },
    Escape: selection.isOn ? selection.clear : openId ? reading.close : undefined,
    '/': () => searchField.current?.focus(),
    s: () => openOverlay('save-view'),
  })
  useShortcuts(selection.isOn && !BulkBar ? keysOfBar : {}, true)

  return (
    <div className={styles.inbox} data-open={isBehind ? '' : undefined} data-kind={view.kind}>
      <Header
        view={view}
        search={search}
        filter={filter}
        list={list}
        onChange={go}
        field={searchField}
        onSelecting={mayChange ? selection.begin : null}
        isBehind={isBehind}
        bulk={
          list &&
          selection.isOn &&
          mayChange &&
          BulkBar && (
            <BulkBar
              key={listKey}
              view={view}
              filter={filter}
              matching={list.count}
              loaded={() => [...(currentList()?.rows.values() ?? [])]}
              selected={selection.ids}
              isAll={selection.isAll}
              onAll={selection.all}
              onClear={selection.clear}
            />
          )
        }
      />
      <div className={styles.pane}>
        <section className={styles.list} aria-label="List" ref={pane} onClickCapture={keepScroll}>
          <ListPane
            view={view}
            search={search}
            pages={pages}
            arrivals={arrivals.ids}
            look={look}
            onArrivals={() => {
              arrivals.onSeen()
              reading.showArrival(arrivals.ids.at(-1) ?? null)
            }}
            list={{
              filter: shownFilter,
              now,
              openId,
              scroller: pane,
              store,
              selected: selection.ids,
              isAllSelected: selection.isAll,
              isSelecting: selection.isOn,
              onSelect: mayChange ? selection.toggle : null,
              onOpen: reading.open,
              handle: reading.drawn,
            }}
          />
        </section>
        <div className={styles.detail}>
          <Detail
            view={view}
            id={openId}
            isWaiting={pages.isPending || (reading.isWaiting && !pages.error)}
            isChosen={search.id !== undefined}
            now={now}
            heading={heading}
            onChoose={() => void go({ id: openId }, { replace: true })}
            onStep={(by) => void reading.step(by)}
            onClose={reading.close}
            onRemove={reading.removeOpen}
          />
        </div>
      </div>
    </div>
  )
}
