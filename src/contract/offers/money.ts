import type { OfferTotals } from './offer.ts'
import type { OfferLine } from './offers.ts'

const format = (currency: string) => new Intl.NumberFormat('en-US', { style: 'currency', currency })

/** The number of the currency's digits after the point. */
export const digitsOf = (currency: string): number =>
  format(currency).resolvedOptions().maximumFractionDigits ?? 2

/** "$1,500.00"; the amount is in the currency's smallest unit. */
export const moneyText = (amount: number, currency: string): string =>
  format(currency).format(amount / 10 ** digitsOf(currency))

/** "$1,500.00 once and $40.00 a month". */
export const totalsText = ({ once, month }: OfferTotals, currency: string): string =>
  [
    ...(once > 0 || month === 0 ? [`${moneyText(once, currency)} once`] : []),
    ...(month > 0 ? [`${moneyText(month, currency)} a month`] : []),
  ].join(' and ')

export const totalsOf = (lines: readonly Pick<OfferLine, 'amount' | 'per'>[]): OfferTotals => ({
  once: sum(lines.filter(({ per }) => per === 'once')),
  month: sum(lines.filter(({ per }) => per === 'month')),
})

const sum = (lines: readonly { amount: number }[]): number =>
  lines.reduce((total, { amount }) => total + amount, 0)
