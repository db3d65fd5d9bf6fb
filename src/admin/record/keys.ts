import type { KindPath } from '#contract/inbox.ts'
import type { Filter } from './record.ts'

/** Every query and mutation key of the inbox and the dashboard. */
export const keys = {
  lists: (kind: KindPath) => ['records', kind, 'list'] as const,
  list: (kind: KindPath, filter: Filter) => [...keys.lists(kind), filter] as const,
  page: (kind: KindPath, filter: Filter, page: number) =>
    [...keys.list(kind, filter), page] as const,
  poll: (kind: KindPath, filter: Filter) => ['records', kind, 'poll', filter] as const,
  details: (kind: KindPath) => ['records', kind, 'one'] as const,
  detail: (kind: KindPath, id: string) => [...keys.details(kind), id] as const,
  /** Everything outside a list that counts records or shows the first of them: any change may alter it. */
  counts: ['counts'] as const,
  dashboard: ['counts', 'dashboard'] as const,
  latest: (kind: KindPath) => [...keys.dashboard, kind, 'latest'] as const,
  answerFirst: (kind: KindPath, group: string) =>
    [...keys.dashboard, kind, 'first', group] as const,
  stats: ['counts', 'stats'] as const,
  unread: ['counts', 'unread'] as const,
  templates: ['templates'] as const,
  savedViews: ['saved-views'] as const,
  savedCount: (kind: KindPath, filter: Filter) =>
    [...keys.counts, 'saved-view', kind, filter] as const,
  /** Mutations that change records. */
  change: ['change'] as const,
}
