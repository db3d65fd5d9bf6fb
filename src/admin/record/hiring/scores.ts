import type { Criterion } from '#contract/positions.ts'

/** One person's score of an application. */
export interface Given {
  /** A username; null for one's own. */
  by: string | null
  criteria: Readonly<Record<string, number>>
  comment: string | null
}

/** The people behind each value of a criterion, 1 first. */
export const givenTo = ({ key, anchors }: Criterion, scores: readonly Given[]): Given[][] =>
  anchors.map((_, index) => scores.filter(({ criteria }) => criteria[key] === index + 1))

const gapOf = ({ key }: Criterion, scores: readonly Given[]): number => {
  const values = scores.flatMap(({ criteria }) => criteria[key] ?? [])
  return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values)
}

/** The criteria that scores differ most on, by two or more. */
export const widestGaps = (criteria: readonly Criterion[], scores: readonly Given[]) => {
  const widest = Math.max(0, ...criteria.map((one) => gapOf(one, scores)))
  return widest < 2 ? [] : criteria.filter((one) => gapOf(one, scores) === widest)
}
