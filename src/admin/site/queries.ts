import { queryOptions } from '@tanstack/react-query'
import * as desk from '#contract/desk.ts'
import { ask } from '../session/session.ts'

/** All that the desk has loaded; a change of a draft makes it stale as a whole. */
export const deskKey = ['desk']

export const collectionsQuery = queryOptions({
  queryKey: [...deskKey, 'collections'],
  queryFn: ({ signal }) => ask(desk.listCollections, {}, { signal }),
})

export const entriesQuery = (collection: string) =>
  queryOptions({
    queryKey: [...deskKey, 'entries', collection],
    queryFn: ({ signal }) => ask(desk.listEntries, { params: { collection } }, { signal }),
  })

export const entryQuery = (collection: string, id: string) =>
  queryOptions({
    queryKey: [...deskKey, 'entry', collection, id],
    queryFn: async ({ signal }) =>
      (await ask(desk.readEntry, { params: { collection, id } }, { signal })).data,
    // The form holds what is typed; it asks again when it is opened again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const changesQuery = queryOptions({
  queryKey: [...deskKey, 'changes'],
  queryFn: async ({ signal }) => (await ask(desk.listChanges, {}, { signal })).data,
})

const isUnderWay = ({ state }: desk.Release) => state === 'drawing' || state === 'checking'

export const releasesQuery = queryOptions({
  queryKey: ['releases'],
  queryFn: async ({ signal }) => (await ask(desk.listReleases, {}, { signal })).data,
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? 500 : false),
})

/** The page that shows a document best. */
export const pageOf = (collection: string, id: string): string => {
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
  }
  return own[collection] ?? '/'
}
