import { useQuery } from '@tanstack/react-query'
import { KeyButton } from '../components/key.tsx'
import { countOf } from '../format/count.ts'
import type { HeaderProps } from '../inbox/header/header.tsx'
import { isSameFilter } from '../inbox/list/inbox-url.ts'
import { Link } from '../router/link.tsx'
import { openOverlay } from '../shell/overlay.ts'
import { type SavedView, savedCountQuery, savedLink, savedViewsQuery } from './queries.ts'
import styles from './saved-views.module.css'

interface Props extends Pick<HeaderProps, 'view' | 'search'> {
  drafts: number
}

/** In the menu of views: drafts while there are any, saved views, and the way to save the current one. */
export function SavedViews({ view, search, drafts }: Props) {
  const { data: saved = [] } = useQuery(savedViewsQuery)
  const its = saved.filter(({ kind }) => kind === view.kind)
  const groups = [
    { title: 'Saved by you', views: its.filter(({ own }) => own) },
    { title: 'Shared', views: its.filter(({ own }) => !own) },
  ]
  return (
    <>
      {(drafts > 0 || search.drafts) && (
        <Link
          to={`/admin/${view.kind}`}
          search={{ sort: search.sort, box: search.box, drafts: search.drafts ? undefined : '1' }}
          className={styles.link}
          aria-current={search.drafts ? 'true' : undefined}
        >
          <span className={styles.name}>Drafts</span>
          <span className={styles.count}>{countOf(drafts)}</span>
        </Link>
      )}
      {groups.map(
        (group) =>
          group.views.length > 0 && (
            <section key={group.title} aria-label={group.title}>
              <h3 className="caption">{group.title}</h3>
              {group.views.map((one) => (
                <ViewLink key={one._id} view={one} isPresent={isSameFilter(one.filter, search)} />
              ))}
            </section>
          ),
      )}
      <KeyButton label="Save this view" of="s" onClick={() => openOverlay('save-view')} />
      {its.length > 0 && (
        <KeyButton label="Edit saved views" onClick={() => openOverlay('views')} />
      )}
    </>
  )
}

function ViewLink({ view, isPresent }: { view: SavedView; isPresent: boolean }) {
  const { data: count } = useQuery(savedCountQuery(view))
  return (
    <Link
      {...savedLink(view)}
      className={styles.link}
      aria-current={isPresent ? 'true' : undefined}
    >
      <span className={styles.name}>{view.name}</span>
      {count !== undefined && <span className={styles.count}>{countOf(count)}</span>}
    </Link>
  )
}
