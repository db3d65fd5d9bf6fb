import { defineCollection } from 'astro:content'
import { glob } from 'astro/loaders'
import { articles } from '#site/documents/articles.ts'

/** Files whose text holds more than a document can. All other texts are read through `site/content.ts`. */
const files = Object.entries(articles).flatMap(([collection, entries]) =>
  entries.flatMap(({ id, data: { body } }) =>
    body.type === 'mdx' ? [`${collection}/${id}.mdx`] : [],
  ),
)

const mdx = defineCollection({
  loader: glob({ base: 'src/content', pattern: ['.none', ...files] }),
})

export const collections = { mdx }
