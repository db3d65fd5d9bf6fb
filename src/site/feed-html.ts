import { ELEMENT_NODE, transform } from 'ultrahtml'
import sanitize from 'ultrahtml/transformers/sanitize'

const absolute = (site: URL) => (attributes: Record<string, string>) => {
  if (attributes.href?.startsWith('/')) attributes.href = new URL(attributes.href, site).href
  for (const name of Object.keys(attributes)) {
    if (name === 'class' || name === 'tabindex' || name.startsWith('data-')) delete attributes[name]
  }
}

/**
 * An article's HTML as a feed reader can use it: without drawings, styles and hooks of the page, with
 * every link absolute. Figures keep their captions.
 */
export const feedHtml = async (html: string, site: URL): Promise<string> => {
  const clean = absolute(site)
  const withoutDocument = html.replace(/^<!doctype html>/i, '')
  return transform(withoutDocument, [
    sanitize({
      dropElements: ['svg', 'style', 'script', 'link'],
      blockElements: ['span', 'section'],
    }),
    async (node) => {
      const visit = (at: typeof node) => {
        if (at.type === ELEMENT_NODE) clean(at.attributes)
        for (const child of at.children ?? []) visit(child)
      }
      visit(node)
      return node
    },
  ])
}
