/** `12,345`. By hand: the first call of `toLocaleString` takes a phone some 60 ms. */
export const countOf = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')
