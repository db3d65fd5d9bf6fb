import { queryOptions } from '@tanstack/react-query'
import type { Offer } from '#contract/offers/offer.ts'
import { listOffers } from '#contract/offers/offers.ts'
import { keys } from '../record/keys.ts'
import { queryClient } from '../session/query-client.ts'
import { ask } from '../session/session.ts'

export const offersKey = ['offers'] as const

/** The newest offer to anybody: the next one begins with its terms. */
export const newestOfferQuery = queryOptions({
  queryKey: [...offersKey, 'newest'],
  queryFn: async (): Promise<Offer | null> =>
    (await ask(listOffers, { query: { limit: 1 } })).data[0] ?? null,
})

export const refreshOffers = async (record: string): Promise<void> => {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: offersKey }),
    queryClient.invalidateQueries({ queryKey: keys.detail('consultations', record) }),
    queryClient.invalidateQueries({ queryKey: keys.counts }),
  ])
}
