import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { accentOf } from '#contract/content/accent.ts'
import { type Content, inOrder } from '#contract/content/collections.ts'
import { adminFacts, embeddable } from '#site/admin-facts.ts'
import { checkPages, filesOf } from '#site/build/check.ts'
import { contentSecurityPolicy } from '#site/build/content-security-policy.ts'
import { headersFile } from '#site/build/headers.ts'
import { drawIcons, newIcon } from '#site/build/icons.ts'
import { type BuiltPage, builtPage, isPublic, isShell, readPages } from '#site/build/pages.ts'
import { type Moved, redirectsFile, rewritten } from '#site/build/redirects.ts'
import { isServerPage } from '#site/build/rewrite/finish-page.ts'
import { hashOf } from '#site/build/rewrite/finishing.ts'
import {
  drawShareImages,
  namesOfImages,
  shareImagesFile,
  shareImagesOf,
} from '#site/build/share-images.ts'
import { brand, withContent } from '#site/content.ts'
import { isOff } from '#site/features.ts'
import { pagePath } from '#site/page-path.ts'
import type { Build } from './draw.ts'
import { withFieldNames, withMarks } from './mark.ts'

export interface DrawnRelease {
  /** The files that differ from those of the build, by their path; null where there is no such file, a hash for one that is stored. */
  files: Map<string, Uint8Array | string | null>
  problems: { page: string; message: string; text?: string }[]
  /** A notice about a page names it. */
  notices: (string | { page: string; message: string })[]
}

export interface DrawOptions {
  at: string
  /** Addresses of pages that have another one now. */
  moved: Moved
  /** The share images that are stored: the hash of each by its name. */
  images: Readonly<Record<string, string>>
  /** False where share images and icons are drawn when they are asked for. */
  drawsImages?: boolean
  /** Called between drawing and checking. */
  onDrawn?: () => void
}

/** The findings of a check of the pages, as a release reports them. */
export const findings = ({
  problems,
  notices,
}: Awaited<ReturnType<typeof checkPages>>): Pick<DrawnRelease, 'problems' | 'notices'> => ({
  problems: problems.map(({ path, problem, ...more }) => ({
    page: path,
    message: problem,
    ...more,
  })),
  notices: notices.map(({ path, problem }) => {
    const page = path === '/' ? 'The home page' : `The page ${path}`
    const [, bytes, most] = /^weighs (\d+) .* (\d+)$/.exec(problem) ?? []
    if (!bytes || !most) return { page: path, message: `${page} ${problem}.` }
    const more = Math.ceil((Number(bytes) / Number(most) - 1) * 100)
    const size = (Number(bytes) / 1_000).toFixed(1)
    const message = `${page} works, but has become large: ${size} KB are sent, ${more} % more than opens at once on a slow phone. Shorter texts make it lighter.`
    return { page: path, message }
  }),
})

const serverPagesFile = '.build/server-pages.json'

const ACCENT = /<style>@layer tokens\{:root:root\{.*?<\/style>/s

/** An admin's shell with the facts and the accent of these documents; all else is the build's. */
const withFacts = (html: string): string => {
  const { css } = accentOf(brand().accent)
  return html
    .replace(
      /(<script id="site"[^>]*>).*?(?=<\/script>)/s,
      (_, tag: string) => tag + embeddable(adminFacts()),
    )
    .replace(/(?<=<title>[^<|]*\| )[^<]*/, () =>
      brand().name.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    )
    .replace(ACCENT, '')
    .replace('<link rel="icon"', (link) =>
      css ? `<style>@layer tokens{${css}}</style>${link}` : link,
    )
}

const toPage = (file: string, html: string): BuiltPage => builtPage(pagePath(`/${file}`), html)

const PAGE_OF_SITEMAP = /<url><loc>([^<]*)<\/loc>(?:<lastmod>([^<]*)<\/lastmod>)?<\/url>/g

/** The pages that the built sitemap lists, with their day. */
const listedIn = (sitemap: string) =>
  new Map(
    [...sitemap.matchAll(PAGE_OF_SITEMAP)].map(([, address = '', day]) => [
      pagePath(new URL(address).pathname),
      day,
    ]),
  )

/** The sitemap of these pages, each with its own canonical address; a changed one has the time of the release. */
const newSitemap = (
  sitemap: string,
  pages: readonly BuiltPage[],
  changed: readonly BuiltPage[],
  at: string,
): string => {
  const before = listedIn(sitemap)
  const urls = pages.flatMap((page) => {
    const address = page.root.querySelector('link[rel=canonical]')?.getAttribute('href')
    if (!address || !isPublic(page) || pagePath(new URL(address).pathname) !== page.path) return []
    const day = changed.includes(page) ? at : before.get(page.path)
    return [`<url><loc>${address}</loc>${day ? `<lastmod>${day}</lastmod>` : ''}</url>`]
  })
  const head = sitemap.slice(0, sitemap.indexOf('<url>'))
  return `${head}${urls.join('')}</urlset>`
}

/** Draws all pages, and finishes and checks what differs from the build. */
export const drawRelease = async (
  build: Build,
  site: string,
  content: Content,
  { at, moved, images, drawsImages = true, onDrawn }: DrawOptions,
): Promise<DrawnRelease> => {
  const documents = inOrder(content)
  const { dist, table } = build
  const all = await build.drawPages(site, documents)
  const isShown = ({ file }: { file: string }) => !isOff(`/${file.replace(/\.html$/, '')}`)
  const [drawn, off] = withContent(documents, () => [
    all.filter(isShown),
    all.filter((page) => !isShown(page)),
  ])
  const failed = drawn.filter(({ file, status }) => status !== (file === '404.html' ? 404 : 200))
  if (failed.length > 0) {
    const message = 'could not be drawn'
    const problems = failed.map(({ file }) => ({ page: pagePath(`/${file}`), message }))
    return { files: new Map(), problems, notices: [] }
  }
  onDrawn?.()
  return withContent(documents, async () => {
    const files: DrawnRelease['files'] = new Map()
    const setFile = (file: string, content: string | Uint8Array) => {
      const path = file.startsWith('.build/') ? join(dist, '..', file) : join(dist, file)
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      if (!existsSync(path) || !readFileSync(path).equals(bytes)) files.set(file, bytes)
    }
    const pages = drawn.filter(({ file }) => file.endsWith('.html'))
    const changed = pages.filter(({ file, body }) => table.drawn[file] !== hashOf(body))
    const finished = new Map(changed.map(({ file, body }) => [file, build.finish(file, body)]))
    // The admin's shells are not drawn again, so only their addresses say which of them go.
    const isGone = (file: string) =>
      file.startsWith('admin')
        ? isOff(`/${file.replace(/\.html$/, '')}`)
        : !pages.some((page) => page.file === file)
    const removed = Object.keys(table.drawn).filter(isGone)

    for (const { file, body } of drawn) if (!file.endsWith('.html')) setFile(file, body)
    for (const { file } of off) if (existsSync(join(dist, file))) files.set(file, null)
    for (const [file, html] of finished) if (!isServerPage(file)) setFile(file, html)
    for (const file of removed) if (!isServerPage(file)) files.set(file, null)

    const readJson = (file: string) => JSON.parse(readFileSync(join(dist, '..', file), 'utf8'))
    const serverPages = readJson(serverPagesFile)
    for (const [file, html] of finished)
      if (isServerPage(file))
        serverPages[`${dirname(file)}/${basename(file, '.html')}`] = {
          html,
          csp: contentSecurityPolicy(html),
        }
    setFile(serverPagesFile, JSON.stringify(serverPages))

    const ownPages = [...finished].filter(([file]) => !isServerPage(file))
    const changedPages = ownPages.map(([file, html]) => toPage(file, html))
    const gone = removed.map((file) => pagePath(`/${file}`))
    const isKept = ({ path }: BuiltPage) =>
      !gone.includes(path) && !changedPages.some((page) => page.path === path)
    const built = readPages(dist)
      .filter((page) => !isShell(page) || !isOff(page.path))
      .map((page) => (isShell(page) ? builtPage(page.path, withFacts(page.html)) : page))
    // In the order of the build, which the policy's hashes follow.
    const fileOf = ({ path }: BuiltPage) => (path === '/' ? 'index.html' : `${path.slice(1)}.html`)
    const shown = [...built.filter(isKept), ...changedPages].sort((a, b) =>
      fileOf(a) < fileOf(b) ? -1 : 1,
    )
    const headers = readFileSync(join(dist, '_headers'), 'utf8')
    const noindex = /^\/\*\n(?: {2}.*\n)*? {2}X-Robots-Tag: noindex$/m.test(headers)
    setFile('_headers', headersFile(shown, { noindex }))
    const shells = built.filter(isShell)
    for (const shell of shells) setFile(fileOf(shell), shell.html)
    setFile('_redirects', redirectsFile(shells.length > 0, moved))
    const icon = newIcon(dist)
    if (icon) setFile('icon.svg', icon)
    if (icon && drawsImages) for (const [file, image] of await drawIcons()) setFile(file, image)
    const shared = shareImagesOf(shown)
    const builtImages: Record<string, string> = readJson(shareImagesFile)
    for (const image of Object.keys(builtImages))
      if (!shared.some(({ file }) => file === image)) files.set(image, null)
    const differing = shared.filter(({ file, key }) => builtImages[file] !== key)
    for (const { file, key } of differing) {
      const stored = images[key]
      if (stored) files.set(file, stored)
    }
    const unknown = differing.filter(({ file }) => !files.has(file))
    const undrawn: string[] = []
    try {
      const drawn = drawsImages ? await drawShareImages(unknown) : []
      for (const [file, image] of drawn) setFile(file, image)
    } catch (error) {
      undrawn.push(`Images of shared links could not be drawn: ${String(error)}`)
    }
    const named = shared.filter((one) => !unknown.includes(one) || files.has(one.file))
    setFile(shareImagesFile, JSON.stringify(namesOfImages(named)))
    const sitemap = 'sitemap-0.xml'
    if (changedPages.length + gone.length > 0) {
      const text = readFileSync(join(dist, sitemap), 'utf8')
      setFile(sitemap, newSitemap(text, shown, changedPages, at))
    }

    const isBuilt = filesOf(dist)
    const found = await checkPages(
      shown.filter((page) => !isShell(page)),
      (path) => {
        const own = files.get(path.slice(1))
        return own === undefined ? isBuilt(path) : own !== null
      },
      { weighed: new Set(changedPages.map(({ path }) => path)) },
    )
    const { problems, notices } = findings(found)
    const colours = accentOf(brand().accent).moved.map(
      ({ theme, hex }) =>
        `The accent ${brand().accent} cannot be read in the ${theme} theme, which shows ${hex}.`,
    )
    return { files, problems, notices: [...colours, ...notices, ...undrawn] }
  })
}

/**
 * A page with the drafts, each text named by its entry and field; a status of 500 where they keep it from being drawn,
 * of 404 where the site has no such page.
 */
export const drawPreview = async (
  build: Build,
  site: string,
  documents: Content,
  path: string,
  search = '',
): Promise<{ status: number; html: string; csp: string }> => {
  try {
    const { content, places } = withMarks(inOrder(documents))
    const variant = withContent(documents, () => rewritten(path, new URLSearchParams(search)))
    const page = await build.drawPage(site, content, variant ?? path)
    // The feed is no page.
    if (!page?.file.endsWith('.html')) return { status: 404, html: '', csp: '' }
    const html = build.finish(page.file, withFieldNames(page.body, places))
    const csp = contentSecurityPolicy(html).replace(
      "frame-ancestors 'none'",
      "frame-ancestors 'self'",
    )
    return { status: page.status, html, csp }
  } catch {
    // A draft can hold anything.
    return { status: 500, html: '', csp: '' }
  }
}
