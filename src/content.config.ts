import { defineCollection, reference } from 'astro:content'
import { glob } from 'astro/loaders'
import { z } from 'astro/zod'
import { blogCategories } from './content/blog-categories.ts'

/** Articles and legal pages; all else is JSON, read through `site/content.ts`. */

/** A page's description for search results and shared links. */
const description = z.string().min(50).max(170)

/** Each `##` of a legal page is one section. */
const legal = defineCollection({
  loader: glob({ base: 'src/content/legal', pattern: '*.mdx' }),
  schema: z.object({
    title: z.string(),
    description,
    intro: z.string(),
    /** The month of the last change, as `YYYY-MM`. */
    updated: z.string().regex(/^\d{4}-\d{2}$/),
  }),
})

const blog = defineCollection({
  loader: glob({ base: 'src/content/blog', pattern: '*.mdx' }),
  schema: z.object({
    title: z.string(),
    slug: z.string().optional(),
    excerpt: z.string().min(50).max(220),
    category: z.enum(blogCategories),
    /** The day of publication, UTC. */
    date: z.coerce.date(),
    /** Minutes, at 200 to 240 words each. */
    readTime: z.int().positive(),
    featured: z.boolean(),
    tags: z.array(z.string()).min(2),
    /** The drawing in src/drawings/articles at the head of the article. */
    hero: z.string(),
    heroAlt: z.string(),
    related: z.array(reference('blog')).length(2),
  }),
})

export const collections = { legal, blog }
