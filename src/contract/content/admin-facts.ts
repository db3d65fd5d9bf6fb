import type { PlanTexts } from '#contract/plan.ts'
import type { Brand } from './brand.ts'

interface Named {
  id: string
  label: string
  tag: string
}

/** Facts of the site for the admin; its pages carry them as JSON. */
export interface AdminFacts extends Pick<Brand, 'name' | 'mark' | 'features' | 'currency'> {
  positions: Named[]
  /** `monthly`: the price in whole units of the currency, where the service has one; `once` for a single fee. */
  services: (Named & {
    title?: string | undefined
    monthly?: number | undefined
    once?: boolean | undefined
  })[]
  planTexts: PlanTexts
}
