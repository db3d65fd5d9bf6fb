import { queryOptions } from '@tanstack/react-query'
import type { CallOptions } from '#client/call.ts'
import type { KindPath } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { queryClient } from '../session/query-client.ts'
import { ask } from '../session/session.ts'
import { blind, shownDetail } from './blind.ts'
import { keys } from './keys.ts'
import { queryCall, type RecordPage } from './list-records.ts'
import { asDetail, type InboxRecord, type RecordDetail } from './record.ts'

export const readRecord = async (
  kind: KindPath,
  id: string,
  options: CallOptions = {},
): Promise<RecordDetail> => {
  const readAt = Date.now()
  const { data, meta } = await ask(anyKind[kind].read, { params: { id }, query: blind }, options)
  return { ...shownDetail(data), older: meta.activity.cursor, readAt }
}

/** The record after a change; none if it cannot be read. The change is stored all the same. */
export const recordNow = async (kind: KindPath, id: string): Promise<{ record?: RecordDetail }> => {
  try {
    return { record: await readRecord(kind, id) }
  } catch {
    return {}
  }
}

const findRow = (kind: KindPath, id: string): InboxRecord | undefined =>
  queryClient
    .getQueriesData<RecordPage>({ queryKey: keys.lists(kind) })
    .flatMap(([, page]) => page?.data ?? [])
    .find(({ _id }) => _id === id)

const soonMs = 60_000

/** True if a new message waits to be sent: how far it is changes soon. */
const isLeaving = ({ activity }: RecordDetail): boolean =>
  activity.some(
    ({ delivery, at }) => delivery === 'waiting' && Date.now() - Date.parse(at) < soonMs,
  )

/** One record with its activity; drawn at once from what a list already holds. */
export const detailQuery = (kind: KindPath, id: string) =>
  queryOptions<RecordDetail>({
    queryKey: keys.detail(kind, id),
    queryFn: (context) => readRecord(kind, id, queryCall(context)),
    placeholderData: () => {
      const row = findRow(kind, id)
      return row && asDetail(row)
    },
    staleTime: 5_000,
    refetchInterval: ({ state }) => (state.data && isLeaving(state.data) ? 3_000 : 30_000),
  })
