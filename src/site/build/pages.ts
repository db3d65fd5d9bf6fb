import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { type HTMLElement, parse } from 'node-html-parser'
import { pagePath } from '#site/page-path.ts'

/** A built page: its public path, its HTML and the parsed document. */
export interface BuiltPage {
  path: string
  html: string
  root: HTMLElement
  /** The HTML in brotli, where the build stores it: of pages for search engines as small as it gets. */
  compressed?: Promise<Buffer>
}

export const readPages = (dist: string): BuiltPage[] =>
  readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .sort()
    .map((file) =>
      builtPage(pagePath(`/${file.split(sep).join('/')}`), readFileSync(join(dist, file), 'utf8')),
    )

export const builtPage = (path: string, html: string): BuiltPage => {
  let root: HTMLElement | undefined
  return {
    path: path === '/index' ? '/' : path,
    html,
    // Parsed where it is asked for: a release keeps most pages of its build unread.
    get root() {
      root ??= parse(html, { comment: false, blockTextElements: { script: true, style: true } })
      return root
    },
  }
}

/** The admin's pages are empty shells that a script fills. */
export const isShell = ({ path }: Pick<BuiltPage, 'path'>) => /^\/admin(\/|$)/.test(path)

/**
 * The pages that are meant for search engines: neither admin nor pages marked `noindex` by themselves. (A site with sample content says `noindex, nofollow` on all of them.)
 */
export const isPublic = (page: BuiltPage) =>
  !isShell(page) &&
  page.root.querySelector('meta[name=robots]')?.getAttribute('content') !== 'noindex'
