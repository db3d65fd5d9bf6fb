import { queryOptions } from '@tanstack/react-query'
import type { KindPath } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { stats } from '#contract/stats.ts'
import { keys } from '../record/keys.ts'
import type { RunKind } from '../record/kinds/run-kinds.ts'
import { listRecords, queryCall } from '../record/list-records.ts'
import type { Filter } from '../record/record.ts'
import { ask } from '../session/session.ts'

const LATEST = 5

const refreshMs = 30_000

/** The newest records of a kind, and how many its inbox holds. */
export const latestQuery = (kind: KindPath) =>
  queryOptions({
    queryKey: keys.latest(kind),
    queryFn: (context) => listRecords(kind, { limit: LATEST }, queryCall(context)),
    refetchInterval: refreshMs,
  })

export const answerFirst = 5

/** The first of a kind that are due, or the newest that are late. */
export const answerFirstQuery = (kind: RunKind, group: 'due' | 'late') =>
  queryOptions({
    queryKey: keys.answerFirst(kind, group),
    queryFn: async (context) => {
      const sort = group === 'due' ? 'due' : '-createdAt'
      const filter = { group, sort, limit: answerFirst } as const
      const { data } = await listRecords(kind, filter, queryCall(context))
      return data.map((record) => ({ ...record, kind }))
    },
    refetchInterval: refreshMs,
  })

export const filterQuery = (kind: KindPath, filter: Filter) =>
  queryOptions({
    queryKey: [...keys.dashboard, kind, filter],
    queryFn: (context) =>
      listRecords(kind, { ...filter, sort: 'due', limit: limits.page.max }, queryCall(context)),
    refetchInterval: refreshMs,
  })

export const statsQuery = (days: number) =>
  queryOptions({
    queryKey: [...keys.stats, days],
    queryFn: async (context) => (await ask(stats, { query: { days } }, queryCall(context))).data,
    placeholderData: (previous) => previous,
    refetchInterval: refreshMs,
  })
