import type { PartName, PartResult, Row, Verdict } from '#site/bench-results.ts'

/** Measurements under one name. */
export interface Part {
  name: PartName
  measure(): Promise<Measured>
}

/** What a part measures is not on this machine: neither a result nor a failure. */
export class NotMeasurable extends Error {
  override name = 'NotMeasurable'
}

export type Measured = Pick<PartResult, 'rows' | 'details'>

const verdict = (isMet: boolean): Verdict => (isMet ? 'met' : 'missed')

/** No measured value can be negative: such a figure is a measuring error. */
const checked = (what: string, figure: number): number => {
  if (!(figure >= 0)) throw new Error(`${what}: ${figure} was measured`)
  return figure
}

/** A row whose target is a maximum. */
export const atMost = (
  what: string,
  figure: number,
  limit: number,
  show: (value: number) => string = String,
): Row => ({
  what,
  figure: show(checked(what, figure)),
  target: `≤ ${show(limit)}`,
  verdict: verdict(figure <= limit),
})

/** A row whose target is a minimum. */
export const atLeast = (
  what: string,
  figure: number,
  limit: number,
  show: (value: number) => string = String,
): Row => ({
  what,
  figure: show(checked(what, figure)),
  target: `≥ ${show(limit)}`,
  verdict: verdict(figure >= limit),
})

/** A row whose target is zero. */
export const none = (
  what: string,
  figure: number,
  show: (value: number) => string = String,
): Row => ({
  what,
  figure: show(checked(what, figure)),
  target: '0',
  verdict: verdict(figure === 0),
})

/** A row without a target. */
export const informative = (
  what: string,
  figures: readonly number[],
  remark: string,
  show: (value: number) => string = String,
): Row => ({
  what,
  figure: figures.map((figure) => show(checked(what, figure))).join(' / '),
  target: remark,
  verdict: 'informative',
})

/** Paths of the negative numbers in a part's details. */
export const belowZero = (value: unknown, path = ''): string[] => {
  if (typeof value === 'number') return value < 0 ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    belowZero(inner, path ? `${path}.${name}` : name),
  )
}

export const bytes = (value: number): string => `${Math.round(value).toLocaleString('en')} B`
export const milliseconds = (value: number): string =>
  `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
export const times = (value: number): string => `${value.toFixed(2)} ×`
export const seconds = (value: number): string => `${value.toFixed(1)} s`
