import { queryOptions, useQueries } from '@tanstack/react-query'
import { type KindPath, owedGroups } from '#contract/inbox.ts'
import { keys } from '../record/keys.ts'
import { views } from '../record/kinds/views.ts'
import { listRecords } from '../record/list-records.ts'
import { queryCall } from '../record/query-call.ts'
import { isUnread, useOpened } from '../record/unread.ts'
import { shownKinds } from '../site.ts'
import { unreadOf } from './unread-of.ts'

/** The number of records owed an answer that are checked one by one; see `unread-of.ts`. */
const LOOKED_AT = 50

/** The first records that are owed an answer, replies among them: the candidates for unread. */
const owedQuery = (kind: KindPath) =>
  queryOptions({
    queryKey: keys.owed(kind),
    queryFn: (context) => listRecords(kind, { sort: 'due', limit: LOOKED_AT }, queryCall(context)),
    refetchInterval: 30_000,
  })

export interface UnreadCount {
  n: number
  /** There may be more. */
  isMore: boolean
}

interface Unread {
  /** Whether every list has been loaded. */
  isKnown: boolean
  kinds: Readonly<Record<KindPath, UnreadCount>>
  /** Unread because their senders have replied, among those that were looked at. */
  replies: number
}

/** What is unread on this device, by kind. */
export const useUnread = (): Unread => {
  const opened = useOpened()
  const lists = useQueries({ queries: shownKinds.map(owedQuery) })
  const counted = shownKinds.map((kind, index) => {
    const { data = [], meta } = lists[index]?.data ?? {}
    const matching = owedGroups.reduce((sum, group) => sum + (meta?.groups[group] ?? 0), 0)
    const owed = data.slice(0, matching)
    const unread = owed.filter((record) => isUnread(views[kind], record, opened))
    const replies = unread.filter(({ lastMessageAt }) => lastMessageAt !== null).length
    return { kind, matching, seen: owed.length, opened: owed.length - unread.length, replies }
  })
  const elsewhere = opened.size - counted.reduce((sum, known) => sum + known.opened, 0)
  return {
    isKnown: lists.every(({ data }) => data !== undefined),
    kinds: Object.fromEntries(
      counted.map(({ kind, ...known }) => [kind, unreadOf(known, elsewhere)]),
    ) as Record<KindPath, UnreadCount>,
    replies: counted.reduce((sum, { replies }) => sum + replies, 0),
  }
}
