import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib'
import { parseAccept } from 'hono/utils/accept'
import { getMimeType } from 'hono/utils/mime'
import { headersFor, parseHeaders, parseRedirects, targetOf } from '#host/rules.ts'
import type { Deps } from '#server/deps.ts'
import { refusal } from '#server/http/answer.ts'
import { HttpError } from '#server/http/http-error.ts'
import { isUriTooLong } from '#server/http/input.ts'
import { pagePath } from '#site/page-path.ts'

type Encoding = 'br' | 'gzip'

interface SiteFile {
  body: Buffer
  /** True if the body is the build's `.br`, which browsers take. To keep both would cost 7 MB of memory. */
  isBrotli: boolean
  type: string
  /** Weak: it stands for the file in whatever encoding it travels (RFC 9110, section 8.8.3). */
  etag: string
  /** As the build left it, else made when first asked for; null where it would not be smaller. */
  encoded: Partial<Record<Encoding, Buffer | null>>
}

export type Site = ReturnType<typeof loadSite>

/** Reads the built site whole; only what is found now can ever be served. */
export function loadSite(folder: string) {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Error('There is no built site in dist. Build it with: npm run build')
  }
  const built = readFiles(folder)
  const builtRules = {
    _headers: readRules(folder, '_headers'),
    _redirects: readRules(folder, '_redirects'),
  }
  let files: ReadonlyMap<string, SiteFile> = built
  let headerRules = parseHeaders(builtRules._headers)
  let redirects = parseRedirects(builtRules._redirects)
  const find = (path: string) => files.get(path)
  const headersAt = (path: string) => headersFor(headerRules, path)
  const empty = (status: number, path: string, more: Record<string, string>) => {
    const headers = headersAt(path)
    for (const [name, value] of Object.entries(more)) headers.set(name, value)
    return new Response(null, { status, headers })
  }

  const serve = (request: Request, path: string, file: SiteFile, status = 200): Response => {
    const headers = headersAt(path)
    headers.set('Content-Type', file.type)
    // The pages' policy holds a hash for each inline script: 4 kB that only a document has a use for.
    if (headers.has('Content-Security-Policy') && !isDocument(file.type)) {
      headers.set('Content-Security-Policy', "default-src 'none'")
    }
    headers.set('ETag', file.etag)
    // A file that is missing while a deploy goes on is asked for again, whatever its folder's rule.
    if (status === 404 || !headers.has('Cache-Control')) {
      headers.set('Cache-Control', 'public, max-age=0, must-revalidate')
    }
    const encoding = isText(file.type) && preferred(request.headers.get('Accept-Encoding'))
    const encoded = encoding && encode(file, encoding)
    if (isText(file.type)) headers.set('Vary', 'Accept-Encoding')
    if (encoded) headers.set('Content-Encoding', encoding)
    if (status === 200 && matches(request.headers.get('If-None-Match'), file.etag)) {
      return new Response(null, { status: 304, headers })
    }
    const body = encoded || plain(file)
    headers.set('Content-Length', String(body.length))
    const content = request.method === 'HEAD' ? null : (body as Uint8Array<ArrayBuffer>)
    return new Response(content, { status, headers })
  }

  const redirected = (request: Request, url: URL, force: boolean): Response | undefined => {
    for (const rule of redirects) {
      const target = rule.force === force ? targetOf(rule, url) : undefined
      if (target === undefined) continue
      if (rule.status >= 300 && rule.status < 400) {
        const location = target.includes('?') ? target : target + url.search
        return empty(rule.status, url.pathname, { Location: location })
      }
      const file = find(target)
      if (file) return serve(request, url.pathname, file, rule.status)
    }
    return undefined
  }

  const notFound = (request: Request, path: string): Response => {
    const page = find('/404')
    return page
      ? serve(request, path, page, 404)
      : new Response('Not found\n', { status: 404, headers: headersAt(path) })
  }

  return {
    headersAt,
    /**
     * Shows the built site with other files in place of its own, from one request to the next; null removes a file.
     * The paths are those in the site's folder.
     */
    show(others: ReadonlyMap<string, Buffer | null>): void {
      const shown = new Map(built)
      const rules = (name: keyof typeof builtRules) =>
        others.get(name)?.toString() ?? builtRules[name]
      for (const [file, body] of others) {
        const path = `/${file}`
        if (!isPublic(path)) continue
        if (body) shown.set(addressOf(path), siteFile(path, body, {}))
        else shown.delete(addressOf(path))
      }
      files = shown
      headerRules = parseHeaders(rules('_headers'))
      redirects = parseRedirects(rules('_redirects'))
    },
    /** Answers a GET or HEAD for anything but the API. */
    respond(request: Request): Response {
      const url = new URL(request.url)
      const { pathname: path } = url
      if (isUriTooLong(request.url)) return refusal(new HttpError('uri_too_long'), randomUUID())
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return empty(405, path, { Allow: 'GET, HEAD' })
      }
      const canonical = pagePath(path)
      const isKnown = () =>
        find(canonical) || redirects.some(({ pattern }) => pattern.test(canonical))
      if (canonical !== path && isKnown()) {
        return empty(301, path, { Location: canonical + url.search })
      }
      const file = path === '/404' ? undefined : find(path)
      return (
        redirected(request, url, true) ??
        (file && serve(request, path, file)) ??
        redirected(request, url, false) ??
        notFound(request, path)
      )
    },
  }
}

export const pagesOf =
  (site: Site, siteUrl: string): Deps['publicPage'] =>
  async (path) => {
    // The second of two slashes would begin a host.
    if (path.startsWith('//') || !URL.canParse(siteUrl + path)) return undefined
    const { pathname } = new URL(siteUrl + path)
    const response = site.respond(new Request(new URL(pathname, siteUrl)))
    const isPage = response.ok && response.headers.get('Content-Type')?.startsWith('text/html')
    return isPage ? response.text() : undefined
  }

const addressOf = (path: string): string =>
  path.endsWith('.html') ? pagePath(path) : encodeURI(path)

const siteFile = (path: string, body: Buffer, encoded: SiteFile['encoded']): SiteFile => ({
  body: encoded.br ?? body,
  isBrotli: Boolean(encoded.br),
  type: typeOf(path),
  etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
  encoded,
})

function readFiles(folder: string): Map<string, SiteFile> {
  const files = new Map<string, SiteFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const full = join(entry.parentPath, entry.name)
    const path = full.slice(folder.length).split(sep).join('/')
    if (!isPublic(path)) continue
    const body = readFileSync(full)
    const encoded: SiteFile['encoded'] = {}
    if (existsSync(`${full}.br`)) encoded.br = readFileSync(`${full}.br`)
    if (existsSync(`${full}.gz`)) encoded.gzip = readFileSync(`${full}.gz`)
    files.set(addressOf(path), siteFile(path, body, encoded))
  }
  return files
}

/** No rule files, no source maps, no precompressed side files, no dot files but `.well-known`. */
function isPublic(path: string): boolean {
  return (
    path !== '/_headers' &&
    path !== '/_redirects' &&
    !/\.(map|br|gz)$/.test(path) &&
    !path.split('/').some((part) => part.startsWith('.') && part !== '.well-known')
  )
}

function readRules(folder: string, name: string): string {
  const file = join(folder, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function typeOf(path: string): string {
  const type = getMimeType(path) ?? 'application/octet-stream'
  return /^application\/(json|manifest\+json|xml|rss\+xml)$|^image\/svg\+xml$/.test(type)
    ? `${type}; charset=utf-8`
    : type
}

/** True if a browser can show it as a page, to which a policy applies. */
function isDocument(type: string): boolean {
  return /html|xml/.test(type)
}

function isText(type: string): boolean {
  return /charset=|^application\/wasm/.test(type)
}

function preferred(accepted: string | null): Encoding | undefined {
  // Names and weights are case-insensitive (RFC 9110, sections 8.4.1 and 12.4.2).
  const names = parseAccept((accepted ?? '').toLowerCase()).map(({ type, q }) => q > 0 && type)
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : undefined
}

const plain = ({ body, isBrotli }: SiteFile): Buffer =>
  isBrotli ? brotliDecompressSync(body) : body

function encode(file: SiteFile, encoding: Encoding): Buffer | null {
  const known = file.encoded[encoding]
  if (known !== undefined) return known
  const body = plain(file)
  const made =
    encoding === 'br'
      ? brotliCompressSync(body, {
          params: {
            // The highest would keep the first visitor waiting for a little less to load.
            [constants.BROTLI_PARAM_QUALITY]: 9,
            [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
            [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
          },
        })
      : gzipSync(body, { level: 9 })
  const kept = made.length < body.length ? made : null
  file.encoded[encoding] = kept
  return kept
}

/** Weak comparison, as a conditional GET asks for (RFC 9110, section 13.1.2). */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((one) => one.trim() === '*' || opaque(one) === opaque(etag))
}
