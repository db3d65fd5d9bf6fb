import { getEntry, render } from 'astro:content'
import type { Entry } from '#contract/content/collections.ts'
import { headingsOf } from '#site/documents/text.ts'

/** The sections of a long text; with `Mdx`, which draws it, where it is MDX. */
export const bodyOf = async <Name extends 'blog' | 'legal'>(
  collection: Name,
  { id, data: { body } }: Entry<Name>,
) => {
  const isSection = ({ depth }: { depth: number }) => depth === 2
  if (body.type === 'doc') return { sections: headingsOf(body).filter(isSection) }
  const file = await getEntry('mdx', `${collection}/${id}`)
  if (!file) throw new Error(`src/content/${collection}/${id}.mdx is missing`)
  const { Content, headings } = await render(file)
  return { Mdx: Content, sections: headings.filter(isSection) }
}
