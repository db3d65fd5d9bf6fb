import type { AdminFacts } from '#contract/content/admin-facts.ts'
import { content, entry, positionIds, positionLabel, serviceIds, serviceLabel } from './content.ts'

/** As JSON within a page. */
export const embeddable = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', '\\u003c')

export const adminFacts = (): AdminFacts => {
  const { brand, forms, plan } = content()
  const { name, mark, features, currency } = brand
  return {
    name,
    mark,
    features,
    currency,
    positions: positionIds().map((id) => ({
      id,
      label: positionLabel(id),
      tag: entry('positions', id)?.data.tag ?? forms.otherPosition.tag,
    })),
    services: serviceIds().map((id) => {
      const {
        title,
        monthly,
        once,
        tag = forms.otherService.tag,
      } = entry('consultation-services', id)?.data ?? {}
      return { id, label: serviceLabel(id), tag, title, monthly, once }
    }),
    planTexts: plan.questions,
  }
}
