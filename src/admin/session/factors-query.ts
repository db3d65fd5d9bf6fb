import { queryOptions } from '@tanstack/react-query'
import { factors } from '#contract/accounts/second-factor.ts'
import { ask } from './session.ts'

export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: async ({ signal }) => (await ask(factors, {}, { signal })).data,
})
