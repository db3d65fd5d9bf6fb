import type { Blindness } from '#contract/inbox.ts'

/** Applicants whose name is hidden until one's own score is in. */

/** Query parameter `blind=auto`: the server hides the names of applicants. */
export const blind = { blind: 'auto' } as const satisfies { blind: Blindness }

/** `Candidate 004 120`. */
export const candidateName = (candidate: number): string =>
  `Candidate ${String(candidate)
    .padStart(6, '0')
    .replace(/(?=\d{3}$)/, '\u00a0')}`
