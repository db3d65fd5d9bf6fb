import { queryOptions } from '@tanstack/react-query'
import type { KindPath } from '#contract/inbox.ts'
import { stats } from '#contract/stats.ts'
import { keys } from '../record/keys.ts'
import { listRecords } from '../record/list-records.ts'
import { queryCall } from '../record/query-call.ts'
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

/** The record that is due next of a kind, after those that are late. */
export const dueNextQuery = (kind: KindPath, late: number) =>
  queryOptions({
    queryKey: [...keys.dueNext(kind), late],
    queryFn: (context) =>
      listRecords(kind, { sort: 'due', limit: 1, skip: late || undefined }, queryCall(context)),
    refetchInterval: refreshMs,
  })

/** The figures of the last `days` days. */
export const statsQuery = (days: number) =>
  queryOptions({
    queryKey: [...keys.stats, days],
    queryFn: async (context) => (await ask(stats, { query: { days } }, queryCall(context))).data,
    placeholderData: (previous) => previous,
    refetchInterval: refreshMs,
  })
