import { createHash } from 'node:crypto'

/** What scripts hold, by address: `/_astro/home.js`. */
export type ScriptFiles = ReadonlyMap<string, Buffer>

const ownScript = /<script\b([^>]*?) src="(\/[^"]+)"([^>]*)>/g
/** Modules that a page's markup names: scripts, and what Astro's islands import. */
const entry = /\b(?:src|href|component-url|renderer-url|before-hydration-url)="(\/[^"]+\.js)"/g
/** An island's own files; Astro asks for them once more, at another address, when they don't come. */
const islandEntry = /\b(?:component|renderer)-url="(\/[^"]+\.js)"/g
const retryTime = /(astro-retry["'`], ?)Date\.now\(\)\.toString\(\)/g
/** Modules that a script names: its imports, and those that it preloads for them. */
const reference = /["'`](?:\.\/|\/?_astro\/)([\w.~-]+\.js)["'`]/g
const firstLoader = /<astro-island|<script type="module"/

/** SHA-256: 20 bytes a file less in a page than SHA-384, and as safe here. */
const digest = (content: Buffer): string =>
  `sha256-${createHash('sha256').update(content).digest('base64')}`

/** Every script file that a page can come to load, sorted. */
const reachable = (html: string, files: ScriptFiles): string[] => {
  const found = new Set<string>()
  const visit = (path: string) => {
    const content = files.get(path)
    if (!content || found.has(path)) return
    found.add(path)
    for (const [, name] of content.toString().matchAll(reference)) visit(`/_astro/${name}`)
  }
  for (const [, path = ''] of html.matchAll(entry)) visit(path)
  return [...found].sort()
}

/**
 * Gives every script that a page can load the hash of what it must hold: files that markup names by
 * an attribute, modules that scripts import by an import map in front of the first of them
 * (https://html.spec.whatwg.org/multipage/webappapis.html#import-maps, `integrity`). The time that
 * Astro adds to the address of a second try becomes a constant, which the map can name.
 */
export const withIntegrity = (html: string, files: ScriptFiles): string => {
  const paths = reachable(html, files)
  if (paths.length === 0) return html
  if (!firstLoader.test(html)) throw new Error(`Nothing in the page loads ${paths[0]}`)
  const hashes = Object.fromEntries(
    paths.flatMap((path) => {
      const content = files.get(path)
      return content ? [[path, digest(content)]] : []
    }),
  )
  const islands = [...html.matchAll(islandEntry)].map(([, path = '']) => path)
  if (islands.length > 0 && html.search(retryTime) < 0) {
    throw new Error('Astro retries islands in another way than the hashes are made for')
  }
  const retried = islands.map((path) => [`${path}?astro-retry=1`, hashes[path]])
  const integrity = { ...hashes, ...Object.fromEntries(retried) }
  return html
    .replace(retryTime, '$1"1"')
    .replace(ownScript, (tag, before: string, path: string, after: string) => {
      const hash = hashes[path]
      return hash ? `<script${before} src="${path}" integrity="${hash}"${after}>` : tag
    })
    .replace(
      firstLoader,
      (tag) => `<script type="importmap">${JSON.stringify({ integrity })}</script>${tag}`,
    )
}
