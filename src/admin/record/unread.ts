import { queryOptions } from '@tanstack/react-query'
import type { KindPath } from '#contract/inbox.ts'
import { markAllRead, readUnread } from '#contract/unread.ts'
import { queryClient } from '../session/query-client.ts'
import { ask, askOnce } from '../session/session.ts'
import { keys } from './keys.ts'
import { patchRows, queryCall } from './list-records.ts'

/** The number of records of each kind that this person has not read, on any device. */
export const unreadQuery = queryOptions({
  queryKey: keys.unread,
  queryFn: async (context) => (await ask(readUnread, {}, queryCall(context))).data,
  refetchInterval: 30_000,
})

/** Shows a record as read in every loaded list, before the server knows. */
export const showRead = (kind: KindPath, id: string): void =>
  patchRows(kind, new Map([[id, { unread: false }]]))

export const readAll = async (kind: KindPath): Promise<void> => {
  const { data } = await askOnce(markAllRead, { body: { kind } })
  queryClient.setQueryData(keys.unread, data)
  await queryClient.invalidateQueries({ queryKey: keys.lists(kind) })
}
