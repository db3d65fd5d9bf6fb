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
}

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
