import { useQueries } from '@tanstack/react-query'
import { ApiError } from '#client/call.ts'
import { LoadFailed } from '../../components/load-failed.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { countOf } from '../../format/count.ts'
import { keys } from '../../record/keys.ts'
import { type KindView, statusView } from '../../record/kinds/kind-view.ts'
import { views } from '../../record/kinds/views.ts'
import { listRecords, polledRecords } from '../../record/list-records.ts'
import { sentenceOf } from '../../session/session.ts'
import { shownKinds } from '../../site.ts'
import styles from '../inbox.module.css'
import type { Pages } from '../use-pages.ts'
import { hashOf, isFiltered } from './inbox-url.ts'
import rows from './list.module.css'
import { List, type ListProps } from './list.tsx'
import type { ListLook } from './use-list-look.ts'

interface ListPaneProps extends Pick<ListProps, 'view' | 'search' | 'look'> {
  pages: Pages
  arrivals: readonly string[]
  onArrivals: () => void
  list: Omit<ListProps, 'view' | 'search' | 'known' | 'look' | 'arrivals'>
}

/** The list, or what stands in its place: it is loading, it cannot be loaded, it is empty. */
export function ListPane({
  view,
  search,
  pages: { list: known, isPending, error, refetch },
  look,
  arrivals,
  onArrivals,
  list,
}: ListPaneProps) {
  // The server refuses a position or service that no record names.
  const isUnknown = error instanceof ApiError && (view.topics?.field ?? '') in error.fields
  return (
    <>
      <div className="visually-hidden" aria-live="polite">
        {known && (
          <h2>
            {view.heading(
              known.count,
              search.status ? statusView(view, search.status).label : null,
            )}
          </h2>
        )}
      </div>
      {arrivals.length > 0 && (
        <button type="button" className={styles.arrivals} onClick={onArrivals}>
          {arrivals.length}
          {arrivals.length === polledRecords && '+'} new
        </button>
      )}
      {isPending ? (
        <>
          <p className="visually-hidden" role="status">
            Loading...
          </p>
          <ListSkeleton look={look} />
        </>
      ) : !known && !isUnknown ? (
        <div className={styles.problem}>
          <LoadFailed sentence={sentenceOf(error, view.texts.loadFailed)} retry={refetch} />
        </div>
      ) : !known || known.count === 0 ? (
        <div className={`soft ${styles.empty}`}>
          <p>
            {view.texts.empty}
            {search.q && (
              <>
                {' '}
                for “<bdi>{search.q}</bdi>”
              </>
            )}
          </p>
          {search.q && <OtherLists view={view} q={search.q} />}
          {isFiltered(search) && (
            <TextLink to={`/admin/${view.kind}`} search={{}}>
              Show the whole inbox
            </TextLink>
          )}
        </div>
      ) : (
        <List
          key={`list ${JSON.stringify(list.filter)}`}
          {...list}
          view={view}
          search={search}
          known={known}
          look={look}
          arrivals={arrivals.length}
        />
      )}
    </>
  )
}

/** The number of matches of the same search in the other lists. */
function OtherLists({ view, q }: { view: KindView; q: string }) {
  const others = shownKinds.filter((kind) => kind !== view.kind)
  const lists = useQueries({
    queries: others.map((kind) => ({
      queryKey: [...keys.lists(kind), 'found', q],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        listRecords(kind, { q, limit: 1 }, { signal }),
    })),
  })
  return (
    <ul aria-label="Other lists">
      {others.map((kind, index) => {
        const found = lists[index]?.data?.meta.matching
        return (
          <li key={kind}>
            <TextLink to={`/admin/${kind}`} hash={hashOf(q)}>
              {views[kind].title}
              {found !== undefined && `: ${countOf(found)}`}
            </TextLink>
          </li>
        )
      })}
    </ul>
  )
}

/** While the first page is on its way: the list's own shape. */
function ListSkeleton({ look }: { look: ListLook }) {
  return (
    <div className={rows.list} data-look={look.name} aria-hidden="true">
      {Array.from({ length: 10 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={index} className={rows.waiting}>
          <i />
          <i />
        </div>
      ))}
    </div>
  )
}
