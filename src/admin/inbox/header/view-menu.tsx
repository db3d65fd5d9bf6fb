import { useEffect } from 'react'
import { boxes, type ListMeta } from '#contract/inbox.ts'
import { loadedLater } from '../../browser/loaded-later.ts'
import { Icon } from '../../components/icon.tsx'
import { Menu } from '../../components/menu.tsx'
import { countOf } from '../../format/count.ts'
import { type KindView, statusView } from '../../record/kinds/kind-view.ts'
import { boxLabels } from '../../record/record.ts'
import { Link } from '../../router/link.tsx'
import tools from '../../shell/tool.module.css'
import { hashOf, type InboxSearch } from '../list/inbox-url.ts'
import styles from './header.module.css'
import type { HeaderProps } from './header.tsx'

// Loaded when the menu is first opened.
const savedViews = loadedLater(
  async () => (await import('../../saved-views/saved-views.tsx')).SavedViews,
)

/** The address leaves out the open record: another view shows another list. */
const closed = ({ q: _q, ...search }: InboxSearch): InboxSearch => ({ ...search, id: undefined })

interface ViewMenuProps extends Pick<HeaderProps, 'view' | 'search'> {
  meta: ListMeta | undefined
}

/** `Pending`, `Spam`, `Spam, pending`, `Drafts`. */
const tabName = (view: KindView, { status, box = 'inbox', drafts }: InboxSearch): string => {
  if (drafts && !status && box === 'inbox') return 'Drafts'
  const statusLabel = status ? statusView(view, status).label : 'All'
  if (box === 'inbox') return statusLabel
  return boxLabels[box] + (status ? `, ${statusLabel.toLowerCase()}` : '')
}

/** The view of the list: a saved view, else a status or a box, each with its count. */
export function ViewMenu({
  name,
  view,
  search,
  meta,
}: ViewMenuProps & { name?: string | undefined }) {
  return (
    <Menu
      className={`${tools.tool} ${styles.view}`}
      label={
        <>
          <span className="visually-hidden">View: </span>
          <span className={`one-line ${styles.name}`}>{name ?? tabName(view, search)}</span>{' '}
          <span className={styles.count}>{meta ? countOf(meta.matching) : '–'}</span>
          <Icon name="caret" />
        </>
      }
    >
      {() => (
        <>
          <Statuses view={view} search={search} meta={meta} />
          <hr />
          <Saved view={view} search={search} drafts={meta?.drafts ?? 0} />
          <hr />
          <Boxes view={view} search={search} meta={meta} />
        </>
      )}
    </Menu>
  )
}

function Saved(props: Pick<ViewMenuProps, 'view' | 'search'> & { drafts: number }) {
  const SavedViews = savedViews.use()
  useEffect(() => {
    // A failure is tried again when the menu is opened again.
    void savedViews.load().catch(() => undefined)
  }, [])
  return SavedViews && <SavedViews {...props} />
}

function Statuses({ view, search, meta }: ViewMenuProps) {
  const counts = meta?.counts ?? {}
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const statuses: { value?: string; label: string; count: number }[] = [
    { label: 'All', count: all },
    ...view.statuses.map(({ value, label }) => ({ value, label, count: counts[value] ?? 0 })),
  ]
  return (
    <nav aria-label="Status">
      {statuses.map(({ value, label, count }) => (
        <Link
          key={label}
          to={`/admin/${view.kind}`}
          search={{ ...closed(search), status: value }}
          hash={hashOf(search.q)}
          aria-current={search.status === value ? 'true' : undefined}
        >
          {label} <span>{meta ? countOf(count) : '–'}</span>
        </Link>
      ))}
    </nav>
  )
}

function Boxes({ view, search, meta }: ViewMenuProps) {
  const { box: current = 'inbox', id: _id, sort: _sort, ...filters } = search
  // The counts are those of whole boxes, and the links keep the filters.
  const isWhole = Object.values(filters).every((value) => value === undefined)
  return (
    <nav aria-label="Box">
      {boxes.map((box) => (
        <Link
          key={box}
          to={`/admin/${view.kind}`}
          search={{ ...closed(search), box: box === 'inbox' ? undefined : box }}
          hash={hashOf(search.q)}
          aria-current={current === box ? 'true' : undefined}
        >
          {boxLabels[box]} {isWhole && <span>{meta ? countOf(meta.boxes[box]) : '–'}</span>}
        </Link>
      ))}
    </nav>
  )
}
