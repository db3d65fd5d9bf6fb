/** What a consultation can be about: slugs, labels and prices, without imports so that pages use them freely. */

export const services = ['website-creation', 'basic-package', 'premium-package', 'custom'] as const
export type Service = (typeof services)[number]

/** US dollars a month. */
export const packagePrices = { 'basic-package': 299, 'premium-package': 599 } as const

export const serviceLabels: Record<Service, string> = {
  'website-creation': 'Website Creation (Free Consultation)',
  'basic-package': `Basic Package ($${packagePrices['basic-package']}/month)`,
  'premium-package': `Premium Package ($${packagePrices['premium-package']}/month)`,
  custom: 'Custom Requirements',
}

export const serviceLabel = (slug: string): string =>
  serviceLabels[Object.hasOwn(serviceLabels, slug) ? (slug as Service) : 'custom']
