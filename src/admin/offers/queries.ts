import { queryOptions } from '@tanstack/react-query'
import type { Offer, OfferState } from '#contract/offers/offer.ts'
import { listOffers } from '#contract/offers/offers.ts'
import { keys } from '../record/keys.ts'
import { queryClient } from '../session/query-client.ts'
import { ask } from '../session/session.ts'

const offers = ['offers'] as const

interface OfferFilter {
  state: OfferState | undefined
  /** Sent in the last so many days. */
  days: string | undefined
}

export const offersPage = (filter: OfferFilter, cursor: string | undefined) =>
  ask(listOffers, { query: { ...filter, cursor } })

export const offersKey = (filter: OfferFilter) => [...offers, 'list', filter] as const

/** The newest offer to anybody: the next one begins with its terms. */
export const newestOfferQuery = queryOptions({
  queryKey: [...offers, 'newest'],
  queryFn: async (): Promise<Offer | null> =>
    (await ask(listOffers, { query: { limit: 1 } })).data[0] ?? null,
})

export const refreshOffers = async (record: string): Promise<void> => {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: offers }),
    queryClient.invalidateQueries({ queryKey: keys.detail('consultations', record) }),
    queryClient.invalidateQueries({ queryKey: keys.counts }),
  ])
}
