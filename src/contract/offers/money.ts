import type { OfferTotals } from './offer.ts'
import type { OfferLine } from './offers.ts'

/**
 * The digits after the point of currencies whose smallest unit is no hundredth (ISO 4217). `Intl` knows other digits for
 * some, and a browser other ones than the server: both would read an amount differently.
 */
const digits: Readonly<Record<string, number>> = Object.fromEntries(
  (
    [
      [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
      [3, 'BHD IQD JOD KWD LYD OMR TND'],
      [4, 'CLF UYW'],
    ] as const
  ).flatMap(([count, codes]) => codes.split(' ').map((code) => [code, count])),
)

export const digitsOf = (currency: string): number => digits[currency] ?? 2

/** "$1,500.00"; the amount is in the currency's smallest unit. */
export const moneyText = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digitsOf(currency),
    maximumFractionDigits: digitsOf(currency),
  }).format(amount / 10 ** digitsOf(currency))

/** "$1,500.00 once and $40.00 a month". */
export const totalsText = ({ once, month }: OfferTotals, currency: string): string =>
  [
    ...(once > 0 || month === 0 ? [`${moneyText(once, currency)} once`] : []),
    ...(month > 0 ? [`${moneyText(month, currency)} a month`] : []),
  ].join(' and ')

export const totalsOf = (lines: readonly Pick<OfferLine, 'amount' | 'per'>[]): OfferTotals => {
  const totals = { once: 0, month: 0 }
  for (const { amount, per } of lines) totals[per] += amount
  return totals
}
