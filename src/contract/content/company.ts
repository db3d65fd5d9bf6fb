import * as z from 'zod/mini'
import { line, ownPath, point, points, sample, text } from './fields.ts'

/** /about. */
export const company = z.strictObject({
  story: z.array(text).check(z.minLength(1)),
  timeline: z.array(z.strictObject({ ...point, when: text })).check(z.minLength(1)),
  values: points,
  features: points,
  /** Only people who agreed to be shown. */
  people: z.array(z.strictObject({ name: line, role: line, text })),
  week: z
    .array(
      z.strictObject({
        day: text,
        moments: z.array(
          z.strictObject({
            ...point,
            lane: z.enum(['client', 'student', 'professional']),
            artefact: text,
          }),
        ),
      }),
    )
    .check(z.minLength(1), z.maxLength(7)),
})

export const testimonial = z.strictObject({ name: line, role: line, quote: text, sample })

/** In an answer `{price:ID}` becomes the monthly price of that service, `{hours}` those of the promise. */
export const question = z.strictObject({
  question: line.check(
    z.maxLength(160, 'A question has at most 160 characters.'),
    z.endsWith('?', 'A question ends with a question mark.'),
  ),
  answer: z.array(text).check(z.minLength(1)),
  category: z.enum(['services', 'students', 'startups', 'process']),
  more: z.optional(z.strictObject({ label: line, href: ownPath })),
  sample,
})
