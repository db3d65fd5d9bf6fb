import * as z from 'zod/mini'
import { entryId as namedEntry } from '#contract/fields.ts'
import { hidden } from '#contract/text.ts'

const refused = /<script|javascript:|[\p{Cc}\p{Cs}]/iu

const SCRIPT = 'This text holds a script or a control character.'

/** One paragraph or less. Any `<` is text; what a browser would run is refused. */
export const text = z.string().check(
  z.minLength(1, { error: 'Write a text.', abort: true }),
  z.refine((value) => value.trim() !== '', { error: 'Write a text.', abort: true }),
  z.refine((value) => !refused.test(value.replaceAll('\n', '')), { error: SCRIPT }),
)

/** A text of one line: a name, a label or a heading. */
export const line = text.check(
  z.refine((value) => !value.includes('\n') && !hidden.test(value), {
    error: 'This text is one line, without invisible characters.',
  }),
)

/** The name of a page or a part of one; search results cut longer ones. */
export const title = line.check(z.maxLength(80, 'A title has at most 80 characters.'))

export const entryId = namedEntry('A name has 1 to 80 of a to z, 0 to 9 and the hyphen.')

/** Browsers leave line breaks out of an address. */
const harmless = z.refine<string>((value) => !refused.test(value), { error: SCRIPT })

export const ownPath = z
  .string()
  .check(z.regex(/^\/(?![/\\])\S*$/, 'An address on this site begins with /.'), harmless)

export const webAddress = z
  .url({ protocol: /^https?$/, error: 'A web address such as https://example.com.' })
  .check(harmless)

export const description = line.check(
  z.minLength(50, 'A description has at least 50 characters.'),
  z.maxLength(170, 'A description has at most 170 characters.'),
)

/** A UTC day, `YYYY-MM-DD`. */
export const day = z.iso.date('Choose a day.')

/** A month, `YYYY-MM`. */
export const month = z
  .string()
  .check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'A month such as 2026-12.'))

/** Marks a placeholder: a production build counts them and says so on every page. */
export const sample = z.optional(z.boolean())

export const point = { title, text }

export const points = z.array(z.strictObject(point)).check(z.minLength(1))

export const figure = z.strictObject({ text, sample })

/** The symbol that a technology carries on the chart: triangle, hexagon, ringed dot, diamond. */
const waypoint = z.enum(['interface', 'server', 'data', 'shop'])

export const technology = { name: line, waypoint }

export const servicePicture = z.enum([
  'web-design',
  'web-development',
  'seo-optimization',
  'mobile-app-development',
  'ecommerce-solutions',
  'web-application',
  'digital-marketing',
  'maintenance',
])

export const screenDrawing = z.enum([
  'ecommerce-platform',
  'corporate-website',
  'mobile-banking-app',
  'real-estate-platform',
  'fitness-tracking-app',
  'restaurant-ordering-system',
])

export const decisionDrawing = z.enum([
  'two-trips',
  'one-trip',
  'whole-page',
  'first-screen',
  'small-whole',
  'readable-part',
])
