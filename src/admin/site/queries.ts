import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '#client/call.ts'
import * as desk from '#contract/content/desk.ts'
import type { OutputOf } from '#contract/http/endpoint.ts'
import { callQuery, dataQuery, queryClient } from '../session/query-client.ts'
import { askFile } from '../session/session.ts'

/** A sentence about an address on this site that leads to no page of the drafts and to no file. */
export const deadLink = async (address: string): Promise<string | undefined> => {
  const [path = ''] = address.split(/[?#]/)
  if (!/^\/(?!\/|api\/|status\/)/.test(path)) return undefined
  const problem = await askFile(desk.previewPage, { query: { path } }).catch(
    (error: unknown) => error,
  )
  if (!(problem instanceof ApiError) || problem.status !== 404) return undefined
  const isFile = /\.\w+$/.test(path) && (await fetch(path, { method: 'HEAD' })).ok
  return isFile ? undefined : `This site has no page ${path}.`
}

/** All that the desk has loaded; a change of a draft makes it stale as a whole. */
export const deskKey = ['desk']

/** Renews all but the open entry: its form has what is stored, or it is gone. */
export const renewLists = () =>
  queryClient.invalidateQueries({
    queryKey: deskKey,
    predicate: ({ queryKey }) => queryKey[1] !== 'entry',
  })

export const collectionsQuery = callQuery([...deskKey, 'collections'], desk.listCollections, {})

export const entriesQuery = (collection: string) =>
  callQuery([...deskKey, 'entries', collection], desk.listEntries, { params: { collection } })

export const entryQuery = (collection: string, id: string) =>
  queryOptions({
    ...dataQuery([...deskKey, 'entry', collection, id], desk.readEntry, {
      params: { collection, id },
    }),
    // The form holds what is typed; it asks again when it is opened again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const changesQuery = callQuery([...deskKey, 'changes'], desk.listChanges, {})

/** The pages that visitors see differ; the admin's own shell is none of them. */
export const changedPages = ({ pages }: desk.Release) =>
  pages.filter((page) => !page.startsWith('/admin'))

export const isUnderWay = ({ state }: desk.Release) => state === 'drawing' || state === 'checking'

export const releasesQuery = queryOptions({
  ...dataQuery(['releases'], desk.listReleases, {}),
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? 500 : false),
})

export type Collections = OutputOf<typeof desk.listCollections>['data']

/** A text in the desk; `field` as `label.0.text`. */
export const urlFor = (collection: string, entry?: string, field?: string) =>
  ({ to: '/admin/site', search: { collection, entry, field } }) as const

export const superusersOnly = 'Only a superuser changes and publishes this.'

/** The pages whose headings and introductions are one document, by the keys of that document. */
const headed: Record<string, string> = {
  home: '/',
  service: '/services',
  sent: '/thanks/contacts',
  lost: '/404',
  request: '/consultation-form',
}

/** The page that shows a document best; `part` is the first key of the field that is edited. */
export const pageOf = (collection: string, id: string, part = ''): string => {
  const own: Record<string, string> = {
    positions: `/careers/${id}`,
    openings: `/careers/${id}`,
    hiring: '/careers',
    services: '/services',
    'service-pages': `/services/${id}`,
    process: '/services',
    work: `/work/${id}`,
    faq: '/faq',
    'consultation-steps': '/consultation',
    'consultation-services': '/consultation',
    plan: '/consultation',
    company: '/about',
    forms: '/consultation-form',
    blog: `/blog/${id}`,
    legal: `/${id}`,
    pages: headed[part] ?? `/${part}`,
  }
  return own[collection] ?? '/'
}

/** Groups of the list, each with its collections in order; a collection of none of them is a longer text. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'On the pages': [
    'consultation-services',
    'positions',
    'openings',
    'faq',
    'testimonials',
    'services',
    'home-services',
    'process',
    'consultation-steps',
    'tags',
  ],
  'Longer texts': [],
  'Forms and scores': ['hiring', 'plan', 'forms'],
  'Only superusers publish': desk.ownersOnly,
}

export const groupsOf = <One extends { collection: string }>(all: readonly One[]) => {
  const grouped = Object.values(groups).flat()
  return Object.entries(groups)
    .map(([group, names]) => {
      const isIn = ({ collection }: One) =>
        names.length > 0 ? names.includes(collection) : !grouped.includes(collection)
      const place = ({ collection }: One) => names.indexOf(collection)
      return [group, all.filter(isIn).toSorted((a, b) => place(a) - place(b))] as const
    })
    .filter(([, members]) => members.length > 0)
}
