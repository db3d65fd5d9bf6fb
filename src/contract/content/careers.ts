import * as z from 'zod/mini'
import { limits } from '#contract/limits.ts'
import { day, line, sample, text, title } from './fields.ts'

/** /careers/{id}; the API takes the ids as `position`. */
export const position = z.strictObject({
  title,
  /** The title in lists of the admin. */
  tag: line,
  department: line,
  location: line,
  country: line,
  /** Remote work is done from anywhere in the country, other work at the location. */
  remote: z.boolean(),
  type: line,
  /** The type, in the words of search engines. */
  employment: z.enum([
    'FULL_TIME',
    'PART_TIME',
    'CONTRACTOR',
    'TEMPORARY',
    'INTERN',
    'VOLUNTEER',
    'PER_DIEM',
    'OTHER',
  ]),
  hours: text,
  length: text,
  pay: text,
  start: text,
  summary: text,
  duties: z.array(text).check(z.minLength(1)),
  requirements: z.array(text).check(z.minLength(1)),
  posted: day,
  sample,
})

/**
 * The dates between which a position takes applications: whole UTC days, `YYYY-MM-DD`, both
 * included.
 */
export const opening = z
  .strictObject({
    open: z.boolean(),
    opensAt: z.optional(day),
    closesAt: z.optional(day),
    /** By when everybody who has applied until then hears the decision. */
    answerBy: z.optional(day),
  })
  .check(
    z.refine(({ opensAt = '', closesAt = '9999-12-31' }) => opensAt <= closesAt, {
      error: 'It closes before it opens.',
      path: ['closesAt'],
    }),
    z.refine(({ closesAt = '', answerBy = '9999-12-31' }) => closesAt <= answerBy, {
      error: 'It is answered before it closes: those who apply last have to be answered too.',
      path: ['answerBy'],
    }),
  )

/** The rules for judging applications for a position; `other` for those without a position. */
export const judging = z
  .strictObject({
    /** True if staff see the name only after their own score. */
    blind: z.boolean(),
    criteria: z
      .array(
        z.strictObject({
          /** Scores keep it. */
          key: z.string().check(z.regex(/^[a-z][a-z-]{0,39}$/, 'Small letters and hyphens.')),
          label: line,
          /** The meaning of 1, 2, 3 and 4. */
          anchors: z.array(text).check(z.length(limits.score.max)),
        }),
      )
      .check(z.minLength(3), z.maxLength(5)),
  })
  .check(
    z.refine(({ criteria }) => new Set(criteria.map(({ key }) => key)).size === criteria.length, {
      error: 'Two criteria have the same key.',
      path: ['criteria'],
    }),
  )
