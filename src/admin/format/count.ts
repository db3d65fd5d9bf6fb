/** `12,345`. By hand: the first call of `toLocaleString` takes a phone some 60 ms. */
export const countOf = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

export const countOrDash = (n: number | undefined): string => (n === undefined ? '–' : countOf(n))

/** "1 change", "2 changes". */
export const counted = (n: number, noun: string): string =>
  `${countOf(n)} ${noun}${n === 1 ? '' : 's'}`
