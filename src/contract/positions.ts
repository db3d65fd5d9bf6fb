import type * as z from 'zod/mini'
import type { judging, opening } from '#contract/content/careers.ts'

/** Opening dates and judging of positions. It imports types alone, so that pages use it freely. */

type Opening = z.output<typeof opening>

export type Judging = z.output<typeof judging>

/** A criterion of applications: 1 to 4, in the words of `anchors`. */
export type Criterion = Judging['criteria'][number]

/** By position. One without an entry is judged as `other`, which is also an application without a position. */
export type Hiring = Readonly<Record<string, Judging>>

/** By position. `other` has none: it is always open. */
export type Openings = Readonly<Record<string, Opening>>

export const openingState = (
  { open, opensAt = '', closesAt = '9999-12-31' }: Opening,
  now: Date,
): 'open' | 'upcoming' | 'closed' => {
  const today = now.toISOString().slice(0, 10)
  if (!open || today > closesAt) return 'closed'
  return today < opensAt ? 'upcoming' : 'open'
}

const SOON_MS = 7 * 86_400_000

/** The state of a position that has closed, or closes within 7 days. */
export const closing = (opening: Opening, now: Date): 'closed' | 'soon' | null => {
  if (openingState(opening, now) === 'closed') return 'closed'
  const inAWeek = new Date(now.getTime() + SOON_MS)
  return openingState(opening, inAWeek) === 'closed' ? 'soon' : null
}

const DAY_END = 'T23:59:59.999Z'

/** The time at which an application is due that is answered by this day. */
export const answerTimeOf = (day: string): string => `${day}${DAY_END}`

/** True if a due time is the end of such a day; a reply's promise has an hour. */
export const isAnswerTime = (time: string): boolean => time.endsWith(DAY_END)

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
  const { answerBy } = (Object.hasOwn(openings, position) && openings[position]) || {}
  return answerBy !== undefined && appliedAt.slice(0, 10) <= answerBy ? answerBy : null
}
