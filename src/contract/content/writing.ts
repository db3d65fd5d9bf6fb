import * as z from 'zod/mini'
import { day, description, entryId, line, month, text, title } from './fields.ts'
import { imagePath, richText } from './rich-text.ts'

/** Drawings at the head of an article, by their names in `src/drawings/articles`. */
export const articleDrawings = [
  'first-flight',
  'found-page',
  'next-fixes',
  'one-layout',
  'own-page',
  'shop-front',
  'the-gate',
  'three-clocks',
] as const

/** A text of an MDX file that holds more than a rich text can: it is drawn as MDX, and a developer edits it. */
const mdxBody = z.strictObject({ type: z.literal('mdx'), words: z.int() })

const body = z.discriminatedUnion('type', [richText, mdxBody], { error: 'Write the text.' })

/** /blog/{id}. */
export const article = z.strictObject({
  title,
  excerpt: text.check(
    z.minLength(50, 'A summary has at least 50 characters.'),
    z.maxLength(220, 'A summary has at most 220 characters.'),
  ),
  /** One of `pages.blog.categories`. */
  category: line,
  date: day,
  /** The day of the last change that readers should know of. */
  updated: z.optional(day),
  /** Large at the head of the blog. */
  featured: z.optional(z.boolean()),
  tags: z
    .array(line.check(z.maxLength(40, 'A tag has at most 40 characters.')))
    .check(z.minLength(1, 'Name a tag.'), z.maxLength(8, 'An article has at most 8 tags.')),
  hero: z.union([z.enum(articleDrawings), imagePath], 'Choose a picture.'),
  heroAlt: text,
  related: z.array(entryId).check(z.maxLength(2, 'At most two articles are related.')),
  body,
})

/** /{id}. Each heading of the second level is a section. */
export const legalPage = z.strictObject({
  title,
  description,
  intro: text,
  /** The month of the last change. */
  updated: month,
  body,
})

export type Body = z.output<typeof body>
