import type { Value } from '#contract/content/collections.ts'
import { type GraphNode, namedOrganization } from './structured-data.ts'

interface Work extends Pick<Value<'work'>, 'title' | 'description' | 'technologies'> {
  path: string
  /** The day of its figure, `YYYY-MM-DD`, UTC. */
  day?: string | undefined
}

/** A case or study as search engines read it. */
export const creativeWork = (
  site: URL,
  { title, description, path, technologies, day }: Work,
): GraphNode => ({
  '@type': 'CreativeWork',
  '@id': new URL(`${path}#work`, site).href,
  name: title,
  description,
  url: new URL(path, site).href,
  keywords: technologies.join(', '),
  ...(day && { dateModified: day }),
  creator: namedOrganization(site),
})

export const itemList = (
  site: URL,
  id: string,
  items: readonly { title: string; href: string }[],
): GraphNode => ({
  '@type': 'ItemList',
  '@id': new URL(id, site).href,
  itemListElement: items.map(({ title, href }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: title,
    url: new URL(href, site).href,
  })),
})
