import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { HTMLElement } from 'node-html-parser'
import { brotliSize } from './compress.ts'
import { type BuiltPage, isPublic } from './pages.ts'
import { queryRewrites } from './redirects.ts'
import { runTogether } from './run-together.ts'

/** Budget in bytes for HTML and the CSS that blocks the first paint: the first TCP flight. */
export const criticalBytes = 14_600

/** The admin's page is an empty shell that its script fills. */
const isShell = (path: string) => path === '/admin' || path.startsWith('/admin/')

interface Problem {
  path: string
  problem: string
  /** The text of the page that causes it, such as the address of a link. */
  text?: string | undefined
  /** Whether the page is only heavier than the budget. */
  isWeight: boolean
}

const ids = (page: BuiltPage) =>
  new Set(page.root.querySelectorAll('[id]').map((element) => element.getAttribute('id') ?? ''))

const attribute = (element: HTMLElement | null, name: string) => element?.getAttribute(name) ?? ''

function* headings({ root }: BuiltPage) {
  const levels = root.querySelectorAll('h1,h2,h3,h4,h5,h6').map(({ tagName }) => Number(tagName[1]))
  const h1 = levels.filter((level) => level === 1).length
  if (h1 !== 1) yield `has ${h1} h1 elements, not one`
  for (const [index, level] of levels.entries()) {
    const before = levels[index - 1] ?? 0
    if (level > before + 1) yield `skips from h${before} to h${level}`
  }
}

function* images({ root }: BuiltPage) {
  for (const image of root.querySelectorAll('img')) {
    const source = attribute(image, 'src')
    if (!image.hasAttribute('alt')) yield `shows ${source} without alt`
    if (!image.hasAttribute('width') || !image.hasAttribute('height')) {
      yield `shows ${source} without its size`
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

function* attributes({ root }: BuiltPage) {
  for (const element of root.querySelectorAll('[style]')) {
    yield `has a style attribute on ${element.tagName.toLowerCase()}, which the policy forbids`
  }
  const seen = new Set<string>()
  for (const element of root.querySelectorAll('[id]')) {
    const id = attribute(element, 'id')
    if (seen.has(id)) yield `uses the id ${id} twice`
    seen.add(id)
  }
}

function* links(page: BuiltPage, known: Map<string, BuiltPage>, isFile: (path: string) => boolean) {
  const origin = 'http://internal'
  for (const link of page.root.querySelectorAll('a[href],link[href],form[action]')) {
    const href = attribute(link, 'href') || attribute(link, 'action')
    const url = URL.canParse(href, origin + page.path) ? new URL(href, origin + page.path) : null
    if (!url) yield `links to ${href}, which is not a URL`
    else if (url.origin === origin && !/^\/(api|status)(\/|$)/.test(url.pathname)) {
      const target = known.get(url.pathname)
      const rewritten = queryRewrites().some(
        ({ from, query, value }) => from === url.pathname && url.searchParams.get(query) === value,
      )
      if (!target && !isFile(url.pathname)) yield `links to ${href}, which does not exist`
      if (
        target &&
        url.search &&
        queryRewrites().some(({ from }) => from === url.pathname) &&
        !rewritten
      ) {
        yield `links to ${href}, whose value has no page`
      }
      const anchor = decodeURIComponent(url.hash.slice(1))
      if (target && anchor && !ids(target).has(anchor)) yield `links to the missing anchor ${href}`
    }
  }
}

function* spaces({ root }: BuiltPage) {
  for (const place of runTogether(root)) yield `has text without a space between: ${place}`
}

/** The notice about sample content does not count: a deploy must not fail because of its size. */
const withoutNotice = (html: string) =>
  html
    .replace(/<(style|aside)\b[^>]* data-samples[^>]*>.*?<\/\1>/gs, '')
    .replace(/<meta\b[^>]* data-samples[^>]*>/g, '')

async function* weight(page: BuiltPage) {
  const bytes = await brotliSize(withoutNotice(page.html))
  if (bytes > criticalBytes) yield `weighs ${bytes} bytes in brotli, over ${criticalBytes}`
  if (page.root.querySelector('link[rel=stylesheet]')) yield 'waits for a stylesheet'
}

/** Every public page needs a title and a description of its own. */
function* metadata(page: BuiltPage, others: readonly BuiltPage[]) {
  const read = {
    title: ({ root }: BuiltPage) => root.querySelector('title')?.text.trim() ?? '',
    description: ({ root }: BuiltPage) =>
      attribute(root.querySelector('meta[name=description]'), 'content').trim(),
  }
  const canonical = ({ root }: BuiltPage) =>
    attribute(root.querySelector('link[rel=canonical]'), 'href')
  if (!read.title(page)) yield 'has no title'
  const same = others.filter((other) => other !== page && read.title(other) === read.title(page))
  if (same.length > 0) yield `shares its title with ${same.map(({ path }) => path).join(', ')}`
  if (!isPublic(page)) return
  if (!canonical(page)) yield 'has no canonical URL'
  if (!read.description(page)) yield 'has no description'
  const copied = others.filter(
    (other) =>
      other !== page &&
      canonical(other) !== canonical(page) &&
      read.description(other) === read.description(page),
  )
  if (copied.length > 0) {
    yield `shares its description with ${copied.map(({ path }) => path).join(', ')}`
  }
}

interface CheckOptions {
  /** Files beside those of the folder, by their path. */
  isFile?: (path: string) => boolean
  /** The pages to weigh; all when left out. */
  isWeighed?: (page: BuiltPage) => boolean
}

/**
 * The problems of a site's pages. Links to other files (images, feeds) are looked up in `dist`.
 */
export const checkPages = async (
  dist: string,
  pages: readonly BuiltPage[],
  { isFile: isNewFile = () => false, isWeighed = () => true }: CheckOptions = {},
): Promise<Problem[]> => {
  const known = new Map(pages.map((page) => [page.path, page]))
  const isFile = (path: string) => isNewFile(path) || (existsSync(join(dist, path)) && path !== '/')
  const problems: Problem[] = []
  for (const page of pages) {
    const found = [
      ...(isShell(page.path) ? [] : headings(page)),
      ...images(page),
      ...structuredData(page),
      ...attributes(page),
      ...spaces(page),
      ...links(page, known, isFile),
      ...metadata(page, pages),
    ]
    const { path } = page
    problems.push(
      ...found.map((problem) => ({
        path,
        problem,
        text: /^links to (?:the missing anchor )?(\S+?)(?:,|$)/.exec(problem)?.[1],
        isWeight: false,
      })),
    )
    if (isShell(path) || !isWeighed(page)) continue
    for await (const problem of weight(page)) problems.push({ path, problem, isWeight: true })
  }
  return problems
}
