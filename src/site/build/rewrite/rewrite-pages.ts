import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { minifySync } from 'vite'
import { type BuildTable, builtParts, filesIn, hashOf, pageFinisher } from './finish-page.ts'

const minified = (source: string): string => {
  const { code, errors } = minifySync('inline.js', source, { module: false })
  if (errors[0]) throw new Error(`An inline script cannot be read: ${errors[0].message}`)
  return code.trim()
}

/** Finishes every page of the build. */
export const rewritePages = (): AstroIntegration => ({
  name: 'rewrite-pages',
  hooks: {
    'astro:build:done': ({ dir }) => {
      const dist = fileURLToPath(dir)
      const templates = filesIn('src/server/status-page', '.ts')
        .map((file) => readFileSync(join('src/server/status-page', file), 'utf8'))
        .join('\n')
      const table: BuildTable = { drawn: {}, scripts: {}, templates }
      const minify = (source: string) => {
        const code = minified(source)
        table.scripts[hashOf(source)] = code
        return code
      }
      const pages = new Set(filesIn(dist, '.html'))
      const finish = pageFinisher({ ...builtParts(dist), templates, pages, minify })
      for (const file of pages) {
        const page = join(dist, file)
        const source = readFileSync(page, 'utf8')
        table.drawn[file] = hashOf(source)
        writeFileSync(page, finish(file, source))
      }
      const target = join(dist, '../.build/renderer/build.json')
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, JSON.stringify(table))
    },
  },
})
