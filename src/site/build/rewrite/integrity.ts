import { createHash } from 'node:crypto'

/** The content of scripts by URL path: `/_astro/home.js`. */
export type ScriptFiles = ReadonlyMap<string, string>

const ownScript = /<script\b([^>]*?) src="(\/[^"]+)"([^>]*)>/g
/** Modules that a page's markup names: scripts, and what Astro's islands import. */
const entry = /\b(?:src|href|component-url|renderer-url|before-hydration-url)="(\/[^"]+\.js)"/g
/** An island's own files; Astro requests them once more, at another URL, when loading fails. */
const islandEntry = /\b(?:component|renderer)-url="(\/[^"]+\.js)"/g
const retryTime = /(astro-retry["'`], ?)Date\.now\(\)\.toString\(\)/g
/** Modules that a script names: its imports, and what it preloads for them. */
const reference = /["'`](?:\.\/|\/?_astro\/)([\w.~-]+\.js)["'`]/g
const firstLoader = /<link rel="modulepreload"|<astro-island|<script type="module"/

/** SHA-256: saves 20 bytes per file compared with SHA-384, and is as safe here. */
const digest = (content: string): string =>
  `sha256-${createHash('sha256').update(content).digest('base64')}`

/** The scripts at these paths and all that their code names, directly or through others. */
export const linkedScripts = (starts: readonly string[], names: RegExp, files: ScriptFiles) => {
  const found = new Set<string>()
  const visit = (path: string) => {
    const content = files.get(path)
    if (!content || found.has(path)) return
    found.add(path)
    for (const [, name] of content.matchAll(names)) visit(`/_astro/${name}`)
  }
  for (const path of starts) visit(path)
  return [...found]
}

export const reachable = (html: string, files: ScriptFiles): string[] => {
  const starts = [...html.matchAll(entry)].map(([, path = '']) => path)
  return linkedScripts(starts, reference, files).sort()
}

/**
 * Sets the integrity hash of every script that a page may load: by an attribute for files that the
 * markup names, by an import map before the first script for modules that scripts import
 * (https://html.spec.whatwg.org/multipage/webappapis.html#import-maps, `integrity`). The timestamp
 * that Astro adds to the URL of a second attempt becomes a constant, which the map can name.
 */
export const withIntegrity = (html: string, files: ScriptFiles): string => {
  const paths = reachable(html, files)
  if (paths.length === 0) return html
  if (!firstLoader.test(html)) throw new Error(`Nothing in the page loads ${paths[0]}`)
  const hashes = Object.fromEntries(paths.map((path) => [path, digest(files.get(path) ?? '')]))
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
