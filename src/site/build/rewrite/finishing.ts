import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finishing } from './finish-page.ts'

/** The part of `Finishing` that the build makes from sources; the rest is in `dist`. */
export interface FinishingTable {
  templates: string
  islandElement: string
  /** The hash of each page as it was rendered, by its file. */
  drawn: Readonly<Record<string, string>>
  /** Minified inline scripts by their source: no script depends on content. */
  minified: Readonly<Record<string, string>>
}

export const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22)

export const readFinishing = (dist: string, table: FinishingTable): Finishing => {
  const assets = join(dist, '_astro')
  const filesOf = (extension: string) =>
    readdirSync(assets, { encoding: 'utf8' })
      .filter((file) => file.endsWith(extension))
      .map((file) => [`/_astro/${file}`, readFileSync(join(assets, file), 'utf8')] as const)
  return {
    scripts: new Map(filesOf('.js')),
    drawings: filesOf('.svg')
      .map(([, content]) => content)
      .join('\n'),
    templates: table.templates,
    islandElement: table.islandElement,
    minify: (source) => {
      const known = table.minified[source]
      if (known === undefined) throw new Error('An inline script is none of this build')
      return known
    },
  }
}
