import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Content } from '#contract/content/collections.ts'
import type { Moved } from './documents.ts'
import type { StoredSite } from './store/releases.ts'

const compress = promisify(brotliCompress)

/** A problem of a page, if known with the text at fault. */
export interface PageProblem {
  page: string
  message: string
  /** A text of a document that causes it, such as the address of a dead link. */
  text?: string
}

/**
 * A drawn site: the files that differ from those of the build, by their path; null where it has no such file. A hash
 * stands for a file that is stored already.
 */
interface DrawnSite {
  files: ReadonlyMap<string, Uint8Array | string | null>
  problems: readonly PageProblem[]
  /** Notices for the owner; those about a page, such as one that has become heavy, name it. */
  notices: readonly (string | PageProblem)[]
}

export interface PreviewPage {
  status: number
  html: string
  csp: string
}

/** A picture as it is served: WebP without metadata, at most 1,600 pixels wide. */
interface Picture {
  body: Uint8Array
  width: number
  height: number
}

/** Undefined for what is no PNG, JPEG, WebP or AVIF, or cannot be decoded. */
export type ReadPicture = (bytes: Uint8Array) => Promise<Picture | 'too_large' | undefined>

/** Draws the site with the bundle that the build made. */
export interface SiteRenderer {
  build: string
  draw(
    content: Content,
    options?: {
      /** The sitemap's day of the pages that it changes; the present by default. */
      at?: string | undefined
      /** Former addresses of pages, with the present ones. */
      moved?: Moved
      /** The share images that are stored: the hash of each by its name (`site/build/share-images.ts`). */
      images?: Readonly<Record<string, string>>
      /** Called once all pages are drawn and before they are checked. */
      onDrawn?: () => Promise<void>
    },
  ): Promise<DrawnSite>
  preview(content: Content, path: string, search?: string): Promise<PreviewPage>
  /** The rules of the site's redirects, with those of former addresses. */
  redirects(content: Content, moved: Moved): string
  /** Called when a release is live; for a renderer that can only draw it then. */
  onLive?(): Promise<void>
}

const SITEMAP = 'sitemap-0.xml'

const DATED = /<loc>([^<]*)<\/loc><lastmod>([^<]*)<\/lastmod>/g

const hashOf = (body: Uint8Array | string): string =>
  typeof body === 'string' ? body : hash('sha256', body, 'hex')

const IMAGES = '.build/renderer/images.json'

/** The hash of each share image of a release by its name. */
export const storedImages = async (
  before: StoredSite['files'],
  bodyOf: (hash: string) => Promise<string>,
): Promise<Record<string, string>> => {
  const names: Record<string, string> = before[IMAGES]
    ? JSON.parse(await bodyOf(before[IMAGES]))
    : {}
  return Object.fromEntries(
    Object.entries(names).flatMap(([file, name]) => (before[file] ? [[name, before[file]]] : [])),
  )
}

/** Pages that the release before shows too keep the day that its sitemap gives them. */
export const withDaysOf = async (
  { files, ...drawn }: DrawnSite,
  before: StoredSite['files'],
  bodyOf: (hash: string) => Promise<string>,
): Promise<DrawnSite> => {
  const sitemap = files.get(SITEMAP)
  const hash = before[SITEMAP]
  if (!sitemap || typeof sitemap === 'string' || !hash) return { files, ...drawn }
  const days = new Map(
    [...(await bodyOf(hash)).matchAll(DATED)].map(([, page, day]) => [page, day]),
  )
  const text = Buffer.from(sitemap)
    .toString()
    .replace(DATED, (whole, page: string) => {
      const path = new URL(page).pathname.replace(/^\//, '')
      const own = files.get(`${path || 'index'}.html`)
      const day = days.get(page)
      const isSame = own && hashOf(own) === before[`${path || 'index'}.html`]
      return isSame && day ? `<loc>${page}</loc><lastmod>${day}</lastmod>` : whole
    })
  return { ...drawn, files: new Map(files).set(SITEMAP, Buffer.from(text)) }
}

export const storedSite = async (build: string, { files }: DrawnSite): Promise<StoredSite> => {
  const bodies = new Map<string, string>()
  for (const [path, content] of files) {
    if (!content || typeof content === 'string' || bodies.has(hashOf(content))) continue
    // An image is compressed already. The host sends neither as it is stored.
    const params = { [constants.BROTLI_PARAM_QUALITY]: path.endsWith('.png') ? 0 : 9 }
    bodies.set(hashOf(content), (await compress(content, { params })).toString('base64'))
  }
  return {
    build,
    files: Object.fromEntries(
      [...files].map(([path, content]) => [path, content && hashOf(content)]),
    ),
    bodies: [...bodies].map(([hash, body]) => ({ hash, body })),
  }
}

/** "/faq" for `faq.html`; undefined for a file that is no page of the site. */
const pageOf = (file: string): string | undefined => {
  const name = /^(.+)\.html$/.exec(file)?.[1]
  return name && (name === 'index' ? '/' : `/${name}`)
}

export const changedPages = (from: StoredSite['files'], to: StoredSite['files']): string[] =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((file) => from[file] !== to[file])
    .flatMap((file) => pageOf(file) ?? [])
    .sort()
