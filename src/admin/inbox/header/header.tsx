import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { answerLabels, groupLabels } from '#contract/inbox.ts'
import { loadedLater } from '../../browser/loaded-later.ts'
import { useIsWide } from '../../browser/use-media.ts'
import { Icon } from '../../components/icon.tsx'
import type { KindView } from '../../record/kinds/kind-view.ts'
import { type Filter, periodLabel } from '../../record/record.ts'
import { useSavedName } from '../../saved-views/queries.ts'
import { notify } from '../../shell/notices.tsx'
import tools from '../../shell/tool.module.css'
import { type ChangeSearch, type InboxSearch, sortLabels } from '../list/inbox-url.ts'
import type { ShownList } from '../list/shown-list.ts'
import styles from './header.module.css'
import { MoreMenu } from './more-menu.tsx'
import { SearchField } from './search-field.tsx'
import { ViewMenu } from './view-menu.tsx'

// Few sort and filter: the fields come when they are asked for.
const refine = loadedLater(async () => (await import('./refine.tsx')).Refine)

export interface HeaderProps {
  view: KindView
  search: InboxSearch
  filter: Filter
  list: ShownList | undefined
  onChange: ChangeSearch
  field: RefObject<HTMLInputElement | null>
  onSelecting: (() => void) | null
  /** On a phone, below an open record: what the page is called remains. */
  isBehind: boolean
  /** Takes the place of the tools while records are selected. */
  bulk: ReactNode
}

export function Header(props: HeaderProps) {
  const { view, search, filter, list, onChange, onSelecting, isBehind, bulk } = props
  const isWide = useIsWide()
  const savedName = useSavedName(view, search)
  const [isSearching, setSearching] = useState(false)
  const hasSearch = isWide || isSearching || search.q !== undefined
  const panel = useRef<HTMLDivElement>(null)
  const Refine = refine.use()

  const openRefine = () => {
    panel.current?.showPopover()
    refine.load().then(
      () => panel.current?.querySelector('select')?.focus(),
      () => notify({ text: 'The filters could not be loaded. Please try again.', tone: 'bad' }),
    )
  }

  if (isBehind) return <h1 className="visually-hidden">{view.title}</h1>
  return (
    <div className={styles.header} data-bulk={bulk ? '' : undefined}>
      <div className={styles.row} data-named={(!bulk && savedName) || undefined}>
        <h1 className={bulk ? 'visually-hidden' : undefined}>{view.title}</h1>
        {bulk || (
          <>
            <ViewMenu name={savedName} view={view} search={search} meta={list?.meta} />
            {(isWide || !savedName) && <Refinements {...props} onClick={openRefine} />}
            <span className={styles.space} />
            {isWide ? (
              <SearchField {...props} />
            ) : (
              <button
                type="button"
                className={`${tools.tool} ${tools.square}`}
                aria-label={view.texts.search}
                aria-expanded={hasSearch}
                onClick={() => {
                  if (hasSearch && search.q !== undefined) onChange({ q: undefined }, { q: true })
                  setSearching(!hasSearch)
                }}
              >
                <Icon name={hasSearch ? 'close' : 'find'} />
              </button>
            )}
            <MoreMenu
              view={view}
              filter={filter}
              isEmpty={!list || list.count === 0}
              onRefine={openRefine}
              onSelecting={onSelecting}
            />
          </>
        )}
      </div>
      {!isWide && hasSearch && !bulk && <SearchField {...props} />}
      <div ref={panel} popover="auto" className={styles.refine} role="dialog" aria-label="Filters">
        {Refine && <Refine view={view} search={search} onChange={onChange} />}
      </div>
    </div>
  )
}

/** Names what is sorted and filtered beside the status, and leads to it. */
function Refinements({ view, search, onClick }: HeaderProps & { onClick: () => void }) {
  const { sort, group, answers, assignee, from, to } = search
  const { topics } = view
  const topic = topics && search[topics.field]
  const set = [
    sort && sortLabels[sort],
    group && groupLabels[group],
    answers && `${answerLabels[answers]} ${periodLabel(search)}`,
    assignee && (assignee === 'none' ? 'Assigned to nobody' : `Assigned to ${assignee}`),
    topic && (topics.labels[topic] ?? topic),
    from && `From ${from.slice(0, 10)}`,
    to && `To ${to.slice(0, 10)}`,
  ].filter(Boolean)
  if (set.length === 0) return null
  return (
    <button type="button" className={`${tools.tool} ${styles.set}`} onClick={onClick}>
      <span className="one-line">
        {set.join(', ').replace(/^./, (letter) => letter.toUpperCase())}
      </span>
    </button>
  )
}
