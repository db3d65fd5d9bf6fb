import { factors } from '#contract/accounts/second-factor.ts'
import { dataQuery } from './query-client.ts'

export const factorsQuery = dataQuery(['factors'], factors, {})
