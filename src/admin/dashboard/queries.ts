import { queryOptions } from '@tanstack/react-query'
import type { KindPath } from '#contract/inbox.ts'
import { stats } from '#contract/stats.ts'
import { listRecords } from '../inbox/api/endpoints.ts'
import { views } from '../inbox/kinds/views.ts'
import { ask } from '../shell/session.ts'

const LATEST = 5
/** So many of the newest untouched records are looked at one by one; see `unread-count.ts`. */
const LOOKED_AT = 50

const refreshMs = 30_000

/** The newest records of a kind, and how many its inbox holds. */
export const latestQuery = (kind: KindPath) =>
  queryOptions({
    queryKey: ['dashboard', kind, 'latest'],
    queryFn: ({ signal }) => listRecords(kind, { limit: LATEST }, signal),
    refetchInterval: refreshMs,
  })

/** The newest records of a kind that nobody has moved on: the candidates for unread. */
export const untouchedQuery = (kind: KindPath) =>
  queryOptions({
    queryKey: ['dashboard', kind, 'untouched'],
    queryFn: ({ signal }) =>
      listRecords(kind, { status: views[kind].statuses[0]?.value, limit: LOOKED_AT }, signal),
    refetchInterval: refreshMs,
  })

/** The figures of the last so many days. */
export const statsQuery = (days: number) =>
  queryOptions({
    queryKey: ['stats', days],
    queryFn: async ({ signal }) => (await ask(stats, { query: { days } }, { signal })).data,
    placeholderData: (previous) => previous,
    refetchInterval: refreshMs,
  })
