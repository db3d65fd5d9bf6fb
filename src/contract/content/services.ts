import * as z from 'zod/mini'
import {
  description,
  entryId,
  figure,
  line,
  point,
  points,
  servicePicture,
  technology,
  text,
  title,
} from './fields.ts'

/**
 * The agency's services: the one list behind /services, the footer and the service pages. A service
 * with an entry in `service-pages` has a page. `drawing` is a file of `src/drawings/services`.
 */
export const service = z.strictObject({
  title,
  summary: text,
  drawing: servicePicture,
  features: z.array(text).check(z.minLength(1)),
  /** The price of a service without a page of its own. `{price:ID}` becomes that of a package. */
  price: z.optional(text),
})

/** Home: what visitors look for, each part of a service. */
export const homeService = z.strictObject({
  title,
  summary: text,
  drawing: servicePicture,
  service: entryId,
})

export const drawnServices: readonly string[] = [
  'website-development',
  'web-application-development',
  'ecommerce-solutions',
  'uiux-design',
  'seo-digital-marketing',
]

/** /services/{id}; titles and order are those of `services`. A page shows the sections it has, in this order. */
export const servicePage = z.strictObject({
  description,
  intro: text,
  drawingAlt: text,
  price: figure,
  time: figure,
  bring: text,
  get: text,
  /** Questions of the FAQ that are answered at the end of the page. */
  questions: z.array(entryId).check(z.minLength(1)),
  /** The case or study that the page leads to. */
  work: entryId,
  /** The feature that visitors try on the page, and what each state of its drawing shows. */
  specimen: z.strictObject({
    feature: line,
    /** The link to it, in the page's head. */
    invite: text,
    note: text,
    states: z
      .array(z.strictObject({ ...point, label: line, detail: text }))
      .check(z.minLength(2), z.maxLength(3)),
    /** In the drawing, by their place in it. */
    words: z.record(z.string(), text),
  }),
  tags: z.optional(z.array(text)),
  features: z.strictObject({ heading: line, intro: text, items: points }),
  /** Another service that visitors look for under a different name. */
  alsoOffered: z.optional(z.strictObject(point)),
  useCases: z.optional(points),
  platforms: z.optional(z.array(z.strictObject({ ...point, fits: text }))),
  /** Each stop has a drawing and says what can be looked at then. */
  process: z.optional(
    z.strictObject({
      heading: line,
      intro: text,
      stops: z
        .array(z.strictObject({ see: text, steps: points.check(z.minLength(1)) }))
        .check(z.maxLength(5)),
    }),
  ),
  technologies: z.optional(z.array(z.strictObject(technology))),
  benefits: z.optional(points),
  metrics: z.optional(z.array(z.strictObject({ ...point, act: text }))),
})

/** /services, "Our Process". */
export const processStep = z.strictObject(point)

/** The technologies of the hero; a phone shows the first eight. */
export const tag = z.strictObject(technology)
