import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { minifySync } from 'vite'
import { serverFolders } from '#site/build/server-pages.ts'
import { withPreloads } from './admin-preloads.ts'
import { reachable, withIntegrity } from './integrity.ts'
import { withSmallIslands } from './islands.ts'
import { withSmallScopes } from './scoped-styles.ts'
import { withShortNames } from './short-names.ts'
import { namesOf, scriptWords, withoutUnused, withoutUnusedProperties } from './unused-styles.ts'

/** Astro does not minify inline scripts and styles. */
const withSmallBlocks = (html: string): string =>
  html
    .replace(/<script>(.*?)<\/script>/gs, (_, source: string) => {
      const { code, errors } = minifySync('inline.js', source, { module: false })
      if (errors[0]) throw new Error(`An inline script cannot be read: ${errors[0].message}`)
      return `<script>${code.trim()}</script>`
    })
    .replace(/(<style\b[^>]*>)\s+|\s+(?=<\/style>)/g, '$1')

/**
 * Without the styles that a page has no use for. Its scripts may draw what its markup does not have yet,
 * and drawings in files of their own read the page's custom properties.
 */
const withUsedStyles = (html: string, loaded: string, drawings: string): string => {
  const names = namesOf(html, loaded)
  const used = html.replace(
    /(<style\b[^>]*>)(.*?)(?=<\/style>)/gs,
    (_, tag: string, css: string) => tag + withoutUnused(css, names),
  )
  const small = withSmallScopes(used, scriptWords(html, loaded))
  return withoutUnusedProperties(small, html.includes('.svg#') ? loaded + drawings : loaded)
}

const filesIn = (folder: string, extension: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith(extension),
  )

/** The sender's pages are drawn on the server, in frames whose styles are those that it may use. */
const isFrame = (file: string): boolean => /^status\/(record|step)\.html$/.test(file)

/**
 * Minifies the inline blocks of every page, leaves out styles that it does not use, and sets the hashes
 * of the script files that it loads.
 */
export const rewritePages = (): AstroIntegration => ({
  name: 'rewrite-pages',
  hooks: {
    'astro:build:done': ({ dir }) => {
      const dist = fileURLToPath(dir)
      const files = new Map(
        filesIn(join(dist, '_astro'), '.js').map((file) => [
          `/_astro/${file}`,
          readFileSync(join(dist, '_astro', file)),
        ]),
      )
      const drawings = filesIn(join(dist, '_astro'), '.svg')
        .map((file) => readFileSync(join(dist, '_astro', file), 'utf8'))
        .join('\n')
      const templates = filesIn('src/server/status-page', '.ts').map((file) =>
        readFileSync(join('src/server/status-page', file), 'utf8'),
      )
      for (const file of filesIn(dist, '.html')) {
        const page = join(dist, file)
        const source = readFileSync(page, 'utf8')
        // The admin is one island that nothing precedes: it has Astro's own element.
        const built = file.startsWith('admin') ? source : withSmallIslands(source)
        const scripts = [
          ...reachable(built, files).map((path) => files.get(path)),
          ...(isFrame(file) ? templates : []),
        ].join('\n')
        const used = withUsedStyles(withSmallBlocks(built), scripts, drawings)
        // The server fills its pages by class, and a page shows parts of the one that the server fills in its place.
        const isFilled = serverFolders.some((folder) => file.startsWith(`${folder}/`))
        const html =
          isFilled || existsSync(join(dist, 'plan', file))
            ? used
            : withShortNames(used, scriptWords(used, scripts))
        const preloading = withPreloads(file.replace(/\.html$/, ''), html, files)
        writeFileSync(page, withIntegrity(preloading, files))
      }
    },
  },
})
