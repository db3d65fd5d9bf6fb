import { limits } from '#contract/limits.ts'
import { digitsOf, moneyText } from '#contract/offers/money.ts'

/** Amounts as people type them, as whole numbers of the currency's smallest unit. */

const withoutThousands = (digits: string): string =>
  digits.replace(/[,.\s'’](?=\d{3}(?:\D|$))/g, '')

/** "1,450", "1450.5" or "79,00" in the smallest unit; null for what is no amount. */
export const readAmount = (typed: string, digits: number): number | null => {
  const text = typed.trim()
  const [, head = '', mark = '', tail = ''] = /^(.*)([.,])(\d{3})$/.exec(text) ?? []
  // With thousandths the field shows "1.450". "1,450" means thousands in every currency, "0,450" does not.
  const isPoint =
    digits >= 3 && !head.includes(mark) && (mark === '.' || head === '0' || /[.\s'’]/.test(head))
  const plain = isPoint
    ? `${withoutThousands(head)}.${tail}`
    : withoutThousands(text).replace(',', '.')
  const [, whole, part = ''] = /^(\d{1,10})(?:\.(\d*))?$/.exec(plain) ?? []
  if (whole === undefined || part.length > digits) return null
  return Number(whole + part.padEnd(digits, '0'))
}

export const shownAmount = (amount: number, digits: number): string =>
  (amount / 10 ** digits).toFixed(digits)

/** Says what is wrong with a typed amount; undefined if nothing is. */
export const amountProblem = (typed: string, currency: string): string | undefined => {
  const digits = digitsOf(currency)
  const amount = readAmount(typed, digits)
  if (typed.trim() === '') return 'How much is it? Write 0 if it is free.'
  if (amount === null)
    return `“${typed}” is not an amount. Write it like ${shownAmount(1_450 * 10 ** digits, digits)}.`
  if (amount > limits.offer.amount)
    return `The most is ${moneyText(limits.offer.amount, currency)}.`
  return undefined
}
