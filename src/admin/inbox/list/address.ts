import * as z from 'zod/mini'
import { type Box, boxes, type SortKey, sortKeys } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { Filter } from '../api/record.ts'
import type { KindView } from '../kinds/kind-view.ts'

/** The inbox's part of the address: the filter, and the open record. */
export interface InboxSearch extends Filter {
  id?: string | undefined
}

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max))

const shape = {
  box: z.enum(boxes),
  q: text(limits.search),
  assignee: text(limits.username.max),
  from: text(40),
  to: text(40),
  sort: z.enum(sortKeys),
  id: text(60),
}

/** Reads the address; what it does not know is left out, so that an old link still opens. */
export const inboxSearch =
  (view: KindView) =>
  (search: Record<string, unknown>): InboxSearch => {
    const statuses = view.statuses.map(({ value }) => value)
    const all = { ...shape, status: z.enum(statuses) }
    const known = Object.entries(all).flatMap(([key, schema]) => {
      const result = z.safeParse(schema, search[key])
      return result.success ? [[key, result.data]] : []
    })
    return Object.fromEntries(known) as InboxSearch
  }

/** The filter as the API takes it: the open record left out, defaults too, in one order. */
export const filterOf = ({ box, status, q, assignee, from, to, sort }: InboxSearch): Filter =>
  Object.fromEntries(
    Object.entries({
      box: box === 'inbox' ? undefined : box,
      status,
      q,
      assignee,
      from,
      to,
      sort: sort === '-createdAt' ? undefined : sort,
    }).filter(([, value]) => value !== undefined && value !== ''),
  ) as Filter

/** The list's address, ready for an `id=` at its end. */
export const addressOfList = (view: KindView, search: InboxSearch): string => {
  const params = new URLSearchParams(Object.entries(filterOf(search)))
  return `/admin/${view.kind}?${params}${params.size > 0 ? '&' : ''}`
}

export const sortLabels: Record<SortKey, string> = {
  '-createdAt': 'Newest first',
  createdAt: 'Oldest first',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
}

export const boxLabels: Record<Box, string> = { inbox: 'Inbox', spam: 'Spam', trash: 'Trash' }
