import { sentenceOf } from '../session/session.ts'
import { Button } from './button.tsx'
import { LoadFailed } from './load-failed.tsx'
import panel from './panel.module.css'

interface Loaded {
  data: unknown
  error: Error | null
  isPending: boolean
  refetch: () => unknown
}

/** A query until it has an answer: it loads, or loading failed. */
export function LoadState({ query, failed }: { query: Loaded; failed: string }) {
  const { error, isPending, refetch } = query
  return (
    <>
      {isPending && <p role="status">Loading...</p>}
      {error && <LoadFailed sentence={sentenceOf(error, failed)} retry={refetch} />}
    </>
  )
}

/** A query without an answer, because loading failed. */
export function LoadProblem({ query, failed }: { query: Loaded; failed: string }) {
  const { data, error, refetch } = query
  if (data !== undefined || !error) return null
  return <LoadFailed sentence={sentenceOf(error, failed)} retry={refetch} />
}

/** The settings of a query for a list that is read page by page. */
export const byCursor = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { meta: { nextCursor: string | null } }) =>
    page.meta.nextCursor ?? undefined,
}

interface NextPage {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

/** The next page of a table, while there is one; asked for once at a time. */
export function ShowMore({ label, query }: { label: string; query: NextPage }) {
  return (
    query.hasNextPage && (
      <div className={panel.actions}>
        <Button
          look="line"
          busy={query.isFetchingNextPage && 'Loading...'}
          onClick={() => void query.fetchNextPage()}
        >
          {label}
        </Button>
      </div>
    )
  )
}
