import { Button } from './button.tsx'
import panel from './panel.module.css'
import table from './table.module.css'

/** Says that loading failed, and offers to try again. */
export function LoadFailed({ sentence, retry }: { sentence: string; retry: () => unknown }) {
  return (
    <div className={table.problem} role="alert">
      <p>{sentence}</p>
      <Button look="line" onClick={() => void retry()}>
        Try again
      </Button>
    </div>
  )
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
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchingNextPage ? 'Loading...' : label}
        </Button>
      </div>
    )
  )
}
