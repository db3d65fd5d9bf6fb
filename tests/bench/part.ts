import type { PartResult, Row } from '#site/bench-results.ts'

/** What is measured together under one name. */
export interface Part {
  name: string
  measure(): Promise<Measured>
}

export type Measured = Pick<PartResult, 'rows' | 'details'>

/** A row whose figure must not be above its target. */
export const atMost = (
  what: string,
  figure: number,
  limit: number,
  show: (value: number) => string = String,
): Row => ({ what, figure: show(figure), target: `≤ ${show(limit)}`, met: figure <= limit })

/** A row whose figure must not be below its target. */
export const atLeast = (
  what: string,
  figure: number,
  limit: number,
  show: (value: number) => string = String,
): Row => ({ what, figure: show(figure), target: `≥ ${show(limit)}`, met: figure >= limit })

/** A row of which there must be none. */
export const none = (what: string, figure: number): Row => ({
  what,
  figure: String(figure),
  target: '0',
  met: figure === 0,
})

export const bytes = (value: number): string => `${Math.round(value).toLocaleString('en')} B`
export const milliseconds = (value: number): string =>
  `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
export const times = (value: number): string => `${value.toFixed(2)} ×`
export const seconds = (value: number): string => `${value.toFixed(1)} s`
