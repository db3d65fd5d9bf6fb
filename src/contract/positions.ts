/** Internship positions: values and labels, without imports so that pages use them freely. */

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
