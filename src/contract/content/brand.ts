import * as z from 'zod/mini'
import { isTimeZone } from '#contract/submission.ts'
import { line, month, sample, text, webAddress } from './fields.ts'

/** Parts of the site that can be switched off: their pages, links, screens and calls. */
const features = ['blog', 'careers', 'work', 'plan'] as const
export type Feature = (typeof features)[number]

/** The owner of the site. No other document and no code repeats these values. */
export const brand = z.strictObject({
  name: line,
  claim: line,
  /** A few words, on shared images. */
  motto: line,
  description: text,
  /** The path of an SVG in a square of 32 units. */
  mark: z.string().check(z.regex(/^[MmZzLlHhVvCcSsQqTtAa0-9 ,.+-]+$/, 'The path of an SVG.')),
  /** Moved to the nearest colour that can be read where it cannot. */
  accent: z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'A colour such as #d43d00.')),
  founded: month,
  /** BCP 47, of the texts: those of the program are English. */
  language: z.string().check(z.regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'A language such as en.')),
  /** ISO 4217; prices are whole units of it. */
  currency: z.string().check(z.regex(/^[A-Z]{3}$/, 'A currency such as USD.')),
  /** ISO 3166, two letters. */
  country: z.string().check(z.regex(/^[A-Z]{2}$/, 'A country such as IN.')),
  /** A name of the IANA database. */
  zone: z.string().check(z.refine(isTimeZone, { error: 'A time zone such as Europe/Berlin.' })),
  features: z.record(z.enum(features), z.boolean()),
  contact: z.strictObject({
    sample,
    email: z.email('An e-mail address such as hello@example.com.'),
    phone: z.strictObject({
      label: line,
      href: line.check(z.startsWith('tel:', 'A number such as tel:+11234567890.')),
    }),
    address: z.strictObject({
      street: line,
      city: line,
      region: line,
      postalCode: line,
      country: line,
    }),
  }),
  author: z.strictObject({ sample, name: line, role: line, bio: text }),
  social: z.array(z.strictObject({ label: line, href: webAddress })),
})

export type Brand = z.output<typeof brand>

/** "$299". */
export const money = ({ currency }: Brand, amount: number): string =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    maximumFractionDigits: 0,
  }).format(amount)
