/** Internship positions: values, labels and when they are open, without imports so that pages use them freely. */

export const positions = [
  'frontend-intern',
  'ui-ux-intern',
  'backend-intern',
  'digital-marketing-intern',
  'other',
] as const
export type Position = (typeof positions)[number]

export const positionLabels: Record<Position, string> = {
  'frontend-intern': 'Frontend Development Intern',
  'ui-ux-intern': 'UI/UX Design Intern',
  'backend-intern': 'Backend Development Intern',
  'digital-marketing-intern': 'Digital Marketing Intern',
  other: 'Internship Position',
}

export const positionLabel = (value: string): string =>
  positionLabels[Object.hasOwn(positionLabels, value) ? (value as Position) : 'other']

/** Whether a position takes applications. Days are whole UTC days, `YYYY-MM-DD`, both included. */
export interface Opening {
  open: boolean
  opensAt?: string | undefined
  closesAt?: string | undefined
  /** By when everybody who has applied until then hears the decision. */
  answerBy?: string | undefined
}

/** What an application is scored by: 1 to 4, in the words of `anchors`. */
export interface Criterion {
  key: string
  label: string
  anchors: readonly string[]
}

/** How applications for a position are judged. */
export interface Judging {
  /** Whether staff see who it is only when their own score is in. */
  blind: boolean
  criteria: readonly Criterion[]
}

/** Scores apply to applications without a position, too. */
export type Hiring = Readonly<Record<Position, Judging>>

/** `other` has no opening: it is always open. */
export type Openings = Readonly<Record<Exclude<Position, 'other'>, Opening>>

export type OpeningState = 'open' | 'upcoming' | 'closed'

export const openingState = (
  { open, opensAt = '', closesAt = '9999-12-31' }: Opening,
  now: Date,
): OpeningState => {
  const today = now.toISOString().slice(0, 10)
  if (!open || today > closesAt) return 'closed'
  return today < opensAt ? 'upcoming' : 'open'
}

const SOON_MS = 7 * 86_400_000

/** Whether a position has closed, or closes within 7 days. */
export const closing = (opening: Opening, now: Date): 'closed' | 'soon' | null => {
  if (openingState(opening, now) === 'closed') return 'closed'
  const inAWeek = new Date(now.getTime() + SOON_MS)
  return openingState(opening, inAWeek) === 'closed' ? 'soon' : null
}

/**
 * The day by which an application is answered, `YYYY-MM-DD`; null where none was named, or only for those
 * who applied before.
 *
 * @param appliedAt an ISO time
 */
export const answerDay = (
  openings: Openings,
  position: string,
  appliedAt: string,
): string | null => {
  const { answerBy } = Object.entries(openings).find(([name]) => name === position)?.[1] ?? {}
  return answerBy !== undefined && appliedAt.slice(0, 10) <= answerBy ? answerBy : null
}
