import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type AuditEntry, listAudit } from '#contract/audit.ts'
import buttons from '../components/button.module.css'
import { Empty } from '../components/empty.tsx'
import { LoadFailed, ShowMore } from '../components/load-states.tsx'
import panel from '../components/panel.module.css'
import { Table } from '../components/table.tsx'
import { When } from '../components/when.tsx'
import { Link } from '../router/link.tsx'
import { ask, sentenceOf } from '../session/session.ts'
import { usersQuery } from '../session/users-query.ts'
import { actionLabel, actorLabel, detailsLabel, isRecords, targetLabel } from './labels.ts'

/** What staff and the program did, newest first: names of fields, no personal content. */
export function Audit() {
  const audit = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam, signal }) =>
      ask(listAudit, { query: { cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.meta.nextCursor ?? undefined,
  })
  const { data: users } = useQuery(usersQuery)
  const { data, error, isPending, refetch } = audit
  const entries = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <>
      <h1 className={panel.title}>Audit log</h1>
      {error && (
        <LoadFailed
          sentence={sentenceOf(error, 'Failed to load the audit log. Please try again.')}
          retry={refetch}
        />
      )}
      {isPending && <p role="status">Loading the audit log...</p>}
      {data && entries.length === 0 && (
        <Empty text="Nothing has happened yet">
          Sign-ins, changes and exports of staff are listed here, and what the program does by
          itself.{' '}
          <Link className={buttons.link} to="/admin/dashboard">
            Go to the dashboard
          </Link>
        </Empty>
      )}
      {entries.length > 0 && (
        <Table
          columns={[
            ['What', actionLabel],
            ['Who', (entry) => (users ? actorLabel(entry, users) : entry.by)],
            ['On', ({ target }) => <Target target={target} />],
            ['Details', (entry) => detailsLabel(entry) || '–'],
            ['When', ({ at }) => <When at={at} />],
          ]}
          rows={entries}
        />
      )}
      <ShowMore label="Show earlier ones" query={audit} />
    </>
  )
}

/** What it was done to, as a link where that has a screen. */
function Target({ target }: Pick<AuditEntry, 'target'>) {
  if (!target) return '–'
  const { kind, _id } = target
  if (!_id || !isRecords(kind)) return targetLabel(target)
  return (
    <Link className={buttons.link} to={`/admin/${kind}`} search={{ id: _id }}>
      {targetLabel(target)}
    </Link>
  )
}
