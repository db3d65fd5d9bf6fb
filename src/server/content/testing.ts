import type { Entry } from '#contract/content/collections.ts'
import { content } from '#site/content.ts'

/** An article for tests: the site may have none. */
export const ownArticle = (id: string): Entry<'blog'> => ({
  id,
  data: {
    title: `About ${id}`,
    excerpt: 'A summary that is long enough to stand below its title in a list.',
    category: content().pages.blog.categories[0] ?? '',
    date: '2026-01-31',
    tags: ['Tests'],
    hero: 'first-flight',
    heroAlt: 'A drawing',
    related: [],
    body: {
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'This is old.' }] }],
    },
  },
})
