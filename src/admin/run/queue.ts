import { queryOptions } from '@tanstack/react-query'
import type { CallOptions } from '#client/call.ts'
import { limits } from '#contract/limits.ts'
import { inOrder } from '../record/clock/due-order.ts'
import { type RunKind, type RunSearch, runKinds } from '../record/kinds/run-kinds.ts'
import { listRecords } from '../record/list-records.ts'
import type { InboxRecord } from '../record/record.ts'

export interface QueuedRecord extends InboxRecord {
  kind: RunKind
}

export interface Queue {
  records: QueuedRecord[]
  /** Late records that a run of this length leaves for the next. */
  leftOut: number
}

/** Records of each kind that one run takes at most: an inbox that was neglected is more than a morning. */
const longest = 100

const owedOf = async (kind: RunKind, assignee: string | undefined, options: CallOptions) => {
  const page = { sort: 'due', assignee, limit: limits.page.max } as const
  const first = await listRecords(kind, page, options)
  const leftOut = Math.max(0, first.meta.groups.late - longest)
  // The oldest are asked for first: of more than a run takes, the newest follow those.
  const { data } =
    leftOut > 0 ? await listRecords(kind, { ...page, skip: leftOut }, options) : first
  return { records: data.map((record) => ({ ...record, kind })), leftOut }
}

export const queueQuery = ({ kind, assignee }: RunSearch) =>
  queryOptions<Queue>({
    queryKey: ['run', kind, assignee],
    queryFn: async ({ signal }) => {
      const queues = await Promise.all(
        (kind ? [kind] : runKinds).map((one) => owedOf(one, assignee, { signal })),
      )
      const owed = queues.flatMap(({ records }) => records)
      return {
        records: inOrder(owed, Date.now()),
        leftOut: queues.reduce((sum, { leftOut }) => sum + leftOut, 0),
      }
    },
    // Asked once, when the run begins: what changes meanwhile is seen in each record.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
