import type { Entry } from '#contract/content/collections.ts'
import { entries } from '#site/content.ts'

export type Post = Entry<'blog'>

export const getPosts = (): Post[] =>
  entries('blog').toSorted((a, b) => (a.data.date < b.data.date ? 1 : -1))

export const postPath = (post: { id: string }) => `/blog/${post.id}`

/**
 * A category as the listing's filter has it in the URL and, unescaped, in a style sheet: letters, digits, and the
 * marks of a preview.
 */
export const categoryId = (category: string) =>
  category
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{Co}]+/gu, '-')
    // No selector by id begins with a digit.
    .replace(/^(?=\p{N})/u, 'c-')
