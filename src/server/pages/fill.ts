import { html as markup } from 'hono/html'
import { ELEMENT_NODE, type ElementNode, parse, walkSync } from 'ultrahtml'
import { querySelectorAll } from 'ultrahtml/selector'

/** The change of an element. Every value is plain text: it is escaped here. */
interface ElementChange {
  /** Replaces the content. */
  text?: string
  /** The value of an `input` or a `textarea`. */
  value?: string
  /** Sets attributes; null removes one. The caller answers for where an `href` leads. */
  attributes?: Readonly<Record<string, string | null>>
}

/**
 * Changes by CSS selector, each for every element that matches: a text replaces the content, null
 * leaves the element out, a list draws the element once for each entry, with the entry's own changes.
 */
export interface Changes {
  readonly [selector: string]: string | null | readonly Changes[] | ElementChange
}

type Page = ReturnType<typeof parse>

interface Edit {
  start: number
  end: number
  html: string
}

const escapeHtml = (text: string): string => String(markup`${text}`)

/** Attributes that do not change are kept as the page has them, already escaped. */
const openingTag = (
  source: string,
  { name, attributes }: ElementNode,
  changes: Readonly<Record<string, string | null>>,
): string => {
  const kept = Object.entries(attributes)
    .filter(([key]) => !(key in changes))
    .map(([key, value]) => `${key}="${value.replaceAll('"', '&quot;')}"`)
  const set = Object.entries(changes).flatMap(([key, value]) =>
    value === null ? [] : [`${key}="${escapeHtml(value)}"`],
  )
  return `<${[name, ...kept, ...set].join(' ')}${source.endsWith('/>') ? '/>' : '>'}`
}

const elementEdits = (html: string, node: ElementNode, change: ElementChange): Edit[] => {
  const [open, close] = node.loc
  const { text, value, attributes = {} } = change
  const isTextarea = node.name === 'textarea'
  const content = text ?? (isTextarea ? value : undefined)
  const set = { ...attributes, ...(value !== undefined && !isTextarea && { value }) }
  const edits: Edit[] = []
  if (Object.keys(set).length > 0) {
    const source = html.slice(open.start, open.end)
    edits.push({ ...open, html: openingTag(source, node, set) })
  }
  if (content !== undefined) {
    // A browser drops the first line break of a textarea.
    const lineBreak = isTextarea && /^[\r\n]/.test(content) ? '\n' : ''
    edits.push({ start: open.end, end: close.start, html: lineBreak + escapeHtml(content) })
  }
  return edits
}

const editsOf = (html: string, node: ElementNode, change: Changes[string]): Edit[] => {
  const whole = { start: node.loc[0].start, end: node.loc[1].end }
  if (change === null) return [{ ...whole, html: '' }]
  if (typeof change === 'string') return elementEdits(html, node, { text: change })
  if (!isList(change)) return elementEdits(html, node, change)
  const template = html.slice(whole.start, whole.end)
  return [
    {
      ...whole,
      html: change.map((entry) => fillParsed(template, parse(template), entry)).join(''),
    },
  ]
}

const isList = (change: ElementChange | readonly Changes[]): change is readonly Changes[] =>
  Array.isArray(change)

/** Edits inside an element that is left out or repeated are dropped with it. */
const apply = (html: string, edits: readonly Edit[]): string => {
  let result = ''
  let end = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (edit.start < end) continue
    result += html.slice(end, edit.start) + edit.html
    end = edit.end
  }
  return result + html.slice(end)
}

const MOST_PAGES = 64

const parsedPages = new Map<string, Page>()

/** A prerendered page is parsed once: a process fills few of them, many times. */
export const parsed = (html: string): Page => {
  const page = parsedPages.get(html) ?? parse(html)
  if (parsedPages.size >= MOST_PAGES) parsedPages.clear()
  parsedPages.set(html, page)
  return page
}

const fillParsed = (html: string, page: Page, changes: Changes): string => {
  const seen = new Set<ElementNode>()
  const edits = Object.entries(changes).flatMap(([selector, change]) => {
    const nodes = querySelectorAll(page, selector) as ElementNode[]
    if (nodes.length === 0) throw new Error(`The page has no ${selector}`)
    return nodes.flatMap((node) => {
      if (!node.loc[1]) throw new Error(`In the page ${selector} is never closed`)
      if (seen.has(node)) throw new Error(`${selector} changes an element twice`)
      seen.add(node)
      return editsOf(html, node, change)
    })
  })
  return apply(html, edits)
}

/**
 * Fills a prerendered page. Whatever no change names stays byte for byte as it is.
 *
 * @throws Error where a selector matches nothing or an element that is never closed, and where two
 * selectors match one element
 */
export const fill = (html: string, changes: Changes): string =>
  fillParsed(html, parsed(html), changes)

export const idsIn = (html: string): string[] => {
  const ids: string[] = []
  walkSync(parsed(html), (node) => {
    if (node.type === ELEMENT_NODE && node.attributes.id) ids.push(node.attributes.id)
  })
  return ids
}
