import { hashKey } from '@tanstack/react-query'
import { useMemo } from 'react'
import { calendarDay, entryName, instant, isStoredDay } from '#contract/fields.ts'
import { answerNames, boxes, groups, type SortKey, sortKeys } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { KindView } from '../../record/kinds/kind-view.ts'
import type { Filter } from '../../record/record.ts'
import { type Location, parametersOf, useLocation } from '../../router/location.ts'

/** The state in the URL: the filter, and the open record. */
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

/** A text that the server searches for: without what it refuses, such as the tab of a pasted cell, and not too long. */
const searchable = (text: string): string => {
  const clean = text.toWellFormed().replace(/\p{Cc}+/gu, ' ')
  return [...clean.trim()].slice(0, limits.search).join('')
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const searchTextOf = (hash: string): string | undefined =>
  hash.startsWith('q=') ? searchable(decoded(hash.slice(2))) || undefined : undefined

/** The state in a URL's parts, without the characters that separate them. */
export const searchIn = (
  view: KindView,
  { search, hash }: Pick<Location, 'search' | 'hash'>,
): InboxSearch => ({ ...inboxSearch(view)(parametersOf(search)), q: searchTextOf(hash) })

export const useInboxSearch = (view: KindView): InboxSearch => {
  const search = useLocation((location) => location.search)
  const hash = useLocation((location) => location.hash)
  return useMemo(() => searchIn(view, { search, hash }), [view, search, hash])
}

/** The state in the present URL, whatever is drawn yet. */
export const currentSearch = (view: KindView): InboxSearch =>
  searchIn(view, { search: location.search.slice(1), hash: location.hash.slice(1) })

type Reader = (text: string) => string | undefined

const oneOf =
  (values: readonly string[]): Reader =>
  (text) =>
    values.find((value) => value === text)

/** A text that the server takes: at most this number of characters, none of them a control character. */
const upTo =
  (max: number): Reader =>
  (text) =>
    text.length <= max && !/[\p{Cc}\p{Cs}]/u.test(text) ? text : undefined

const dayOrTime: Reader = (text) =>
  calendarDay(text) === null && instant(text) === null ? undefined : text

const storedDay: Reader = (text) => (isStoredDay(text) ? text : undefined)

/** Reads the URL; unknown values are ignored, so that an old link still opens. */
export const inboxSearch =
  (view: KindView) =>
  (search: Readonly<Record<string, unknown>>): InboxSearch => {
    // Records may name one that the site has no more.
    const topic =
      (field: 'position' | 'service'): Reader =>
      (text) =>
        view.topics?.field === field && entryName.test(text) ? text : undefined
    const readers: Record<Exclude<keyof InboxSearch, 'q'>, Reader> = {
      box: oneOf(boxes),
      status: oneOf(view.statuses.map(({ value }) => value)),
      group: oneOf(groups),
      answers: oneOf(answerNames),
      days: (text) => (/^[1-9]\d{0,2}$/.test(text) ? text : undefined),
      dueFrom: storedDay,
      dueTo: storedDay,
      drafts: oneOf(['1']),
      assignee: upTo(limits.username.max),
      from: dayOrTime,
      to: dayOrTime,
      sort: oneOf(sortKeys),
      position: topic('position'),
      service: topic('service'),
      id: upTo(60),
    }
    const known = Object.entries(readers).map(([key, read]) => [
      key,
      read(String(search[key] ?? '')),
    ])
    return Object.fromEntries(known.filter(([, value]) => value)) as InboxSearch
  }

/** The URL that has the search text in its fragment, if an old link has it in its query. */
export const movedSearchText = ({ path, search }: Location): string | undefined => {
  const params = new URLSearchParams(search)
  const q = params.get('q')
  if (!q) return undefined
  params.delete('q')
  return `${path}${params.size > 0 ? `?${params}` : ''}#${hashOf(searchable(q))}`
}

/** The order of a box where the URL names none: what is owed first, and the newest where nothing is owed. */
export const defaultSort = ({ box = 'inbox' }: Pick<Filter, 'box'>): SortKey =>
  box === 'inbox' ? 'due' : '-createdAt'

/** The filter as the URL holds it: the open record left out, defaults too. */
const urlFilterOf = ({ box, status, sort, id: _, ...others }: InboxSearch): Filter =>
  Object.fromEntries(
    Object.entries({
      box: box === 'inbox' ? undefined : box,
      status,
      ...others,
      sort: sort === defaultSort({ box }) ? undefined : sort,
    }).filter(([, value]) => value !== undefined && value !== ''),
  ) as Filter

/** The filter as the API takes it: with the order, which is another one there by default. */
export const filterOf = (search: InboxSearch): Filter => ({
  ...urlFilterOf(search),
  sort: search.sort ?? defaultSort(search),
})

/** True if both select the same records in the same order; which of them is open does not count. */
export const isSameFilter = (one: InboxSearch, other: InboxSearch): boolean =>
  // A stored filter has its parameters in another order than a URL.
  hashKey([filterOf(one)]) === hashKey([filterOf(other)])

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
