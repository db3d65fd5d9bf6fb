import { redirect, useLocation, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { type Box, boxes, type SortKey, sortKeys } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { Filter } from '../api/record.ts'
import type { KindView } from '../kinds/kind-view.ts'

/** What the URL holds: the filter, and the open record. */
export interface InboxSearch extends Filter {
  id?: string | undefined
}

/** `q: true` takes the search text over, too. */
export type ChangeSearch = (patch: InboxSearch, how?: { replace?: boolean; q?: boolean }) => void

/**
 * The search text is in the fragment, `#q=TEXT`, which no browser sends: it may name a person,
 * and request lines are logged.
 */
export const hashOf = (q: string | undefined): string => (q ? `q=${encodeURIComponent(q)}` : '')

const searchTextOf = (hash: string): string | undefined => {
  if (!hash.startsWith('q=')) return undefined
  const raw = hash.slice(2)
  try {
    return decodeURIComponent(raw).slice(0, limits.search) || undefined
  } catch {
    return raw.slice(0, limits.search)
  }
}

export const useInboxSearch = (): InboxSearch => {
  const search = useSearch({ strict: false }) as InboxSearch
  const hash = useLocation({ select: (location) => location.hash })
  return useMemo(() => ({ ...search, q: searchTextOf(hash) }), [search, hash])
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

/** Reads the URL; unknown values are ignored, so that an old link still opens. */
export const inboxSearch =
  (view: KindView) =>
  (search: Record<string, unknown>): InboxSearch => {
    const statuses = view.statuses.map(({ value }) => value)
    const all = {
      ...shape,
      status: z.enum(statuses),
      ...(view.topics ? { position: z.enum(Object.keys(view.topics)) } : {}),
    }
    const known = Object.entries(all).flatMap(([key, schema]) => {
      const result = z.safeParse(schema, search[key])
      return result.success ? [[key, result.data]] : []
    })
    return Object.fromEntries(known) as InboxSearch
  }

/** An old link, with the search text in its query, leads to where that text belongs. */
export const moveSearchText =
  (view: KindView) =>
  ({ search: { q, ...search } }: { search: InboxSearch }): void => {
    if (q) throw redirect({ to: `/admin/${view.kind}`, search, hash: hashOf(q), replace: true })
  }

/** The order of a box where the URL names none: what is owed first, and the newest where nothing is owed. */
export const defaultSort = ({ box = 'inbox' }: Pick<Filter, 'box'>): SortKey =>
  box === 'inbox' ? 'due' : '-createdAt'

/** The filter as the URL holds it: the open record left out, defaults too, in one order. */
const urlFilterOf = ({ box, status, q, assignee, from, to, sort, position }: InboxSearch): Filter =>
  Object.fromEntries(
    Object.entries({
      box: box === 'inbox' ? undefined : box,
      status,
      q,
      assignee,
      from,
      to,
      position,
      sort: sort === defaultSort({ box }) ? undefined : sort,
    }).filter(([, value]) => value !== undefined && value !== ''),
  ) as Filter

/** The filter as the API takes it: with the order, which is another one there by default. */
export const filterOf = (search: InboxSearch): Filter => ({
  ...urlFilterOf(search),
  sort: search.sort ?? defaultSort(search),
})

export const isFiltered = (search: InboxSearch): boolean =>
  Object.keys(urlFilterOf(search)).length > 0

/** URLs of a list's records, by id. */
export const recordUrls = (view: KindView, search: InboxSearch): ((id: string) => string) => {
  const { q, ...filter } = urlFilterOf(search)
  const params = new URLSearchParams(filter as Record<string, string>)
  const hash = q ? `#${hashOf(q)}` : ''
  return (id) => `/admin/${view.kind}?${params}${params.size > 0 ? '&' : ''}id=${id}${hash}`
}

export const sortLabels: Record<SortKey, string> = {
  due: 'Due first',
  '-createdAt': 'Newest first',
  createdAt: 'Oldest first',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
}

export const boxLabels: Record<Box, string> = { inbox: 'Inbox', spam: 'Spam', trash: 'Trash' }
