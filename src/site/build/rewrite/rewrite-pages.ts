import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { minifySync } from 'vite'
import { finishPage } from './finish-page.ts'
import { type FinishingTable, hashOf, readFinishing } from './finishing.ts'

const filesIn = (folder: string, extension: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith(extension),
  )

/** Astro does not minify inline scripts. */
const minify = (source: string): string => {
  const { code, errors } = minifySync('inline.js', source, { module: false })
  if (errors[0]) throw new Error(`An inline script cannot be read: ${errors[0].message}`)
  return code.trim()
}

const templatesOf = (folder: string): string =>
  filesIn(folder, '.ts')
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')

/** Finishes every page, and leaves for the renderer what that took. */
export const rewritePages = (dist: string): void => {
  const minified: Record<string, string> = {}
  const drawn: Record<string, string> = {}
  const table: FinishingTable = {
    drawn,
    templates: ['status-page', 'times', 'offers']
      .map((feature) => templatesOf(join('src/server', feature)))
      .join('\n'),
    islandElement: readFileSync(new URL('./island-element.js', import.meta.url), 'utf8'),
    minified,
  }
  const finishing = {
    ...readFinishing(dist, table),
    minify: (source: string) => {
      minified[source] ??= minify(source)
      return minified[source]
    },
  }
  for (const file of filesIn(dist, '.html')) {
    const page = join(dist, file)
    const rendered = readFileSync(page, 'utf8')
    drawn[file] = hashOf(rendered)
    writeFileSync(page, finishPage(file, rendered, finishing))
  }
  mkdirSync(join(dist, '../.build/renderer'), { recursive: true })
  const text = JSON.stringify(table)
  writeFileSync(join(dist, '../.build/renderer/finishing.json'), text)
  const id = createHash('sha256').update(text).digest('hex').slice(0, 32)
  writeFileSync(join(dist, '../.build/renderer/at'), new Date().toISOString())
  writeFileSync(join(dist, '../.build/renderer/id'), id)
}
