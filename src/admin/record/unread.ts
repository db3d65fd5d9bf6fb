import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { KindPath } from '#contract/inbox.ts'
import { markAllRead, readUnread } from '#contract/unread.ts'
import { ask, askOnce } from '../session/session.ts'
import { keys } from './keys.ts'
import type { RecordPage } from './list-records.ts'
import { queryCall } from './query-call.ts'

/** The number of records of each kind that this person has not read, on any device. */
export const unreadQuery = queryOptions({
  queryKey: keys.unread,
  queryFn: async (context) => (await ask(readUnread, {}, queryCall(context))).data,
  refetchInterval: 30_000,
})

/** Shows a record as read in every loaded list, before the server knows. */
export const showRead = (client: QueryClient, kind: KindPath, id: string): void => {
  client.setQueriesData<RecordPage>({ queryKey: keys.lists(kind) }, (page) =>
    page?.data.some(({ _id, unread }) => _id === id && unread)
      ? {
          ...page,
          data: page.data.map((row) => (row._id === id ? { ...row, unread: false } : row)),
        }
      : page,
  )
}

export const readAll = async (client: QueryClient, kind: KindPath): Promise<void> => {
  const { data } = await askOnce(markAllRead, { body: { kind } })
  client.setQueryData(keys.unread, data)
  await client.invalidateQueries({ queryKey: keys.lists(kind) })
}
