/** Amounts as people type them, as whole numbers of the currency's smallest unit. */

/** "1,450", "1450.5" or "79,00" in the smallest unit; null for what is no amount. */
export const readAmount = (typed: string, digits: number): number | null => {
  const plain = typed
    .trim()
    .replace(/[,.\s'’](?=\d{3}(?:\D|$))/g, '')
    .replace(',', '.')
  const [, whole, part = ''] = /^(\d{1,10})(?:\.(\d*))?$/.exec(plain) ?? []
  if (whole === undefined || part.length > digits) return null
  return Number(whole + part.padEnd(digits, '0'))
}

/** As a field shows it. */
export const shownAmount = (amount: number, digits: number): string =>
  (amount / 10 ** digits).toFixed(digits)
