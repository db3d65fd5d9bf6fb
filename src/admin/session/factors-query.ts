import { factors } from '#contract/accounts/second-factor.ts'
import { dataQuery } from './data-query.ts'

export const factorsQuery = dataQuery(['factors'], factors, {})
