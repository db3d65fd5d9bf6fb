import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { HTMLElement } from 'node-html-parser'
import { brotli, STORED_QUALITY } from './compress.ts'
import { type BuiltPage, isPublic, isShell } from './pages.ts'
import { queryRewrites } from './redirects.ts'
import { runTogether } from './run-together.ts'

/** Budget in bytes for HTML and the CSS that blocks the first paint: the first TCP flight. */
export const criticalBytes = 14_600

export interface Problem {
  path: string
  problem: string
  /** The text or address at fault. */
  text?: string
}

/** A problem and, if known, the text or address at fault. */
type Finding = string | readonly [problem: string, text: string]

const ids = (page: BuiltPage) =>
  new Set(page.root.querySelectorAll('[id]').map((element) => element.getAttribute('id') ?? ''))

const attribute = (element: HTMLElement | null, name: string) => element?.getAttribute(name) ?? ''

function* headings({ root }: BuiltPage): Generator<Finding> {
  const all = root.querySelectorAll('h1,h2,h3,h4,h5,h6')
  const levels = all.map(({ tagName }) => Number(tagName[1]))
  const h1 = levels.filter((level) => level === 1).length
  if (h1 !== 1) yield `has ${h1} h1 elements, not one`
  for (const [index, level] of levels.entries()) {
    const before = levels[index - 1] ?? 0
    if (level > before + 1) yield [`skips from h${before} to h${level}`, all[index]?.text ?? '']
  }
}

function* images({ root }: BuiltPage): Generator<Finding> {
  for (const image of root.querySelectorAll('img')) {
    const source = attribute(image, 'src')
    if (!image.hasAttribute('alt')) yield [`shows ${source} without alt`, source]
    if (!image.hasAttribute('width') || !image.hasAttribute('height')) {
      yield [`shows ${source} without its size`, source]
    }
  }
}

function* structuredData({ root }: BuiltPage) {
  for (const { innerHTML } of root.querySelectorAll('script[type="application/ld+json"]')) {
    try {
      const data = JSON.parse(innerHTML)
      const nodes: unknown = data['@graph']
      if (data['@context'] !== 'https://schema.org' || !Array.isArray(nodes)) {
        yield 'has JSON-LD that is not one graph of schema.org'
      } else if (nodes.some((node) => !node['@type'] || !node['@id'])) {
        yield 'has a JSON-LD node without type or id'
      }
    } catch {
      yield 'has JSON-LD that cannot be read'
    }
  }
}

function* attributes({ root }: BuiltPage): Generator<Finding> {
  for (const element of root.querySelectorAll('[style]')) {
    yield `has a style attribute on ${element.tagName.toLowerCase()}, which the policy forbids`
  }
  const seen = new Set<string>()
  for (const element of root.querySelectorAll('[id]')) {
    const id = attribute(element, 'id')
    if (seen.has(id)) yield [`uses the id ${id} twice`, element.text]
    seen.add(id)
  }
}

/** The id that a fragment names. What cannot be decoded names none. */
const anchorOf = ({ hash }: URL): string => {
  const named = hash.slice(1)
  try {
    return decodeURIComponent(named)
  } catch {
    return named
  }
}

function* links(
  page: BuiltPage,
  known: Map<string, BuiltPage>,
  isFile: (path: string) => boolean,
): Generator<Finding> {
  const origin = 'http://internal'
  for (const link of page.root.querySelectorAll('a[href],link[href],form[action]')) {
    const href = attribute(link, 'href') || attribute(link, 'action')
    const url = URL.canParse(href, origin + page.path) ? new URL(href, origin + page.path) : null
    if (!url) yield [`links to ${href}, which is not a URL`, href]
    else if (url.origin === origin && !/^\/(api|status)(\/|$)/.test(url.pathname)) {
      const target = known.get(url.pathname)
      const variants = queryRewrites().filter(({ from }) => from === url.pathname)
      if (!target && !isFile(url.pathname)) yield [`links to ${href}, which does not exist`, href]
      const isShown = variants.some(({ query, value }) => url.searchParams.get(query) === value)
      if (target && url.search && variants.length > 0 && !isShown)
        yield [`links to ${href}, whose value has no page`, href]
      const anchor = anchorOf(url)
      if (target && anchor && !ids(target).has(anchor))
        yield [`links to the missing anchor ${href}`, href]
    }
  }
}

/** An owner may link a part of a word, as in “[offer]s”, so this stops no release. */
function* spaces({ root }: BuiltPage) {
  for (const place of runTogether(root)) yield `has text without a space between: ${place}`
}

/** The notice about sample content does not count: a deploy must not fail because of its size. */
const withoutNotice = (html: string) =>
  html
    .replace(/<(style|aside)\b[^>]* data-samples[^>]*>.*?<\/\1>/gs, '')
    .replace(/<meta\b[^>]* data-samples[^>]*>/g, '')

async function* weight(page: BuiltPage) {
  // Most pages are light enough as they stand, in the quality that is stored or takes little time.
  const stored = await (page.compressed ?? brotli(page.html, STORED_QUALITY))
  if (stored.length <= criticalBytes) return
  const { length } = await brotli(withoutNotice(page.html))
  if (length > criticalBytes) yield `weighs ${length} bytes in brotli, over ${criticalBytes}`
}

function* stylesheets(page: BuiltPage) {
  if (page.root.querySelector('link[rel=stylesheet]')) yield 'waits for a stylesheet'
}

const names = ({ root }: BuiltPage) => ({
  title: root.querySelector('title')?.text.trim() ?? '',
  description: attribute(root.querySelector('meta[name=description]'), 'content').trim(),
  canonical: attribute(root.querySelector('link[rel=canonical]'), 'href'),
})

type Named = ReadonlyMap<BuiltPage, ReturnType<typeof names>>

/** Every page needs a title of its own, a public one an address and a description too. */
function* metadata(page: BuiltPage, named: Named): Generator<Finding> {
  const { title, description, canonical } = named.get(page) ?? names(page)
  if (!title) yield 'has no title'
  const same = [...named].filter(([other, its]) => other !== page && its.title === title)
  if (same.length > 0)
    yield [`shares its title with ${same.map(([{ path }]) => path).join(', ')}`, title]
  if (!isPublic(page)) return
  if (!canonical) yield 'has no canonical URL'
  if (!description) yield 'has no description'
}

/** Search engines can tell such pages apart by their titles, so this stops no release. */
function* copiedDescription(page: BuiltPage, named: Named) {
  const { description, canonical } = named.get(page) ?? names(page)
  const copied = [...named].filter(
    ([other, its]) =>
      other !== page && its.canonical !== canonical && its.description === description,
  )
  if (!isPublic(page) || !description || copied.length === 0) return
  yield `shares its description with ${copied.map(([{ path }]) => path).join(', ')}`
}

/**
 * The problems of a built site's pages, and the notices about their weight, copied descriptions and missing
 * spaces. `isFile` tells whether a link leads to a file that is no page (an image, the feed). Only pages of
 * `weighed` get notices.
 */
export const checkPages = async (
  pages: readonly BuiltPage[],
  isFile: (path: string) => boolean,
  { weighed }: { weighed?: ReadonlySet<string> } = {},
): Promise<{ problems: Problem[]; notices: Problem[] }> => {
  const known = new Map(pages.map((page) => [page.path, page]))
  const named = new Map(pages.map((page) => [page, names(page)]))
  const problems: Problem[] = []
  const notices: Problem[] = []
  for (const page of pages) {
    const at = (found: Finding): Problem => {
      if (typeof found === 'string') return { path: page.path, problem: found }
      return { path: page.path, problem: found[0], text: found[1] }
    }
    const found = [
      ...(isShell(page) ? [] : [...headings(page), ...stylesheets(page)]),
      ...images(page),
      ...structuredData(page),
      ...attributes(page),
      ...links(page, known, isFile),
      ...metadata(page, named),
    ]
    problems.push(...found.map(at))
    if (isShell(page) || weighed?.has(page.path) === false) continue
    notices.push(...[...copiedDescription(page, named), ...spaces(page)].map(at))
    for await (const notice of weight(page)) notices.push(at(notice))
  }
  return { problems, notices }
}

/** Looks links to files up in a folder. */
export const filesOf =
  (dist: string) =>
  (path: string): boolean =>
    path !== '/' && existsSync(join(dist, path))
