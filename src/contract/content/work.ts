import * as z from 'zod/mini'
import {
  day,
  decisionDrawing,
  description,
  figure,
  line,
  ownPath,
  point,
  points,
  screenDrawing,
  text,
  title,
  webAddress,
} from './fields.ts'
import { imagePath } from './rich-text.ts'

/** A drawing of `src/drawings/decisions`, and the line above it. */
const side = z.strictObject({ caption: line, drawing: decisionDrawing, alt: text })

/**
 * /work/{id}: a `study` is a concept of ours, a `case` is real work with a dated figure. What has a `plate` is
 * shown on the home page.
 */
export const work = z
  .strictObject({
    kind: z.enum(['case', 'study']),
    title,
    description,
    intro: text,
    /** One line, for the plate. */
    summary: text,
    category: z.enum(['web', 'mobile']),
    technologies: z.array(text).check(z.minLength(1)),
    for: text,
    what: text,
    reviewedBy: z.optional(figure),
    plate: z.optional(
      z.strictObject({
        drawing: z.union([screenDrawing, imagePath], 'Choose a picture.'),
        alt: text,
        ground: z.enum(['sea', 'land', 'accent-w', 'paper-2']),
        wide: z.boolean(),
      }),
    ),
    situation: text,
    constraint: text,
    decisions: z
      .array(
        z.strictObject({
          ...point,
          cost: text,
          /** The mark that the review left in the drawing before. */
          mark: z.optional(text),
          before: z.optional(side),
          after: z.optional(side),
        }),
      )
      .check(z.minLength(1), z.maxLength(3)),
    /** `bench`: this site's own figures, as the bench measured them last. */
    result: z.optional(
      z.union([
        z.literal('bench'),
        z.strictObject({ figure: text, meaning: text, date: day, method: text }),
      ]),
    ),
    different: z.optional(points),
    live: z.optional(
      z.union([ownPath, webAddress], {
        error:
          'A web address such as https://example.com or, on this site, one that begins with /.',
      }),
    ),
  })
  .check(
    z.refine(({ kind, result }) => kind === 'study' || result !== undefined, {
      error: 'A case needs a result with its day.',
      path: ['result'],
    }),
  )
