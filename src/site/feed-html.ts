import { ELEMENT_NODE, transform, walkSync } from 'ultrahtml'
import sanitize from 'ultrahtml/transformers/sanitize'

const absolute = (page: string | URL) => (attributes: Record<string, string>) => {
  for (const name of ['href', 'src']) {
    const address = attributes[name] ?? ''
    if (/^[/#]/.test(address)) attributes[name] = new URL(address, page).href
  }
  for (const name of Object.keys(attributes)) {
    if (name === 'class' || name === 'tabindex' || name.startsWith('data-')) delete attributes[name]
  }
}

/**
 * An article's HTML as a feed reader can use it: without drawings, styles and hooks of the page, with
 * every address absolute. Figures keep their captions.
 */
export const feedHtml = async (html: string, page: string | URL): Promise<string> => {
  const clean = absolute(page)
  const withoutDocument = html.replace(/^<!doctype html>/i, '')
  return transform(withoutDocument, [
    sanitize({
      dropElements: ['svg', 'style', 'script', 'link'],
      blockElements: ['span', 'section'],
    }),
    (node) => {
      walkSync(node, (at) => {
        if (at.type === ELEMENT_NODE) clean(at.attributes)
      })
      return node
    },
  ])
}
