import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { minifySync } from 'vite'
import { withPreloads } from './admin-preloads.ts'
import { withIntegrity } from './integrity.ts'
import { withSmallIslands } from './islands.ts'
import { withSmallScopes } from './scoped-styles.ts'
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
const withUsedStyles = (html: string, scripts: string, drawings: string): string => {
  const loaded = /<astro-island|<script type="module"/.test(html) ? scripts : ''
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
      const sources = [...files.values()].join('\n')
      const drawings = filesIn(join(dist, '_astro'), '.svg')
        .map((file) => readFileSync(join(dist, '_astro', file), 'utf8'))
        .join('\n')
      for (const file of filesIn(dist, '.html')) {
        const page = join(dist, file)
        const source = readFileSync(page, 'utf8')
        // The admin is one island that nothing precedes: it has Astro's own element.
        const built = file.startsWith('admin') ? source : withSmallIslands(source)
        const html = withUsedStyles(withSmallBlocks(built), sources, drawings)
        const preloading = withPreloads(file.replace(/\.html$/, ''), html, files)
        writeFileSync(page, withIntegrity(preloading, files))
      }
    },
  },
})
