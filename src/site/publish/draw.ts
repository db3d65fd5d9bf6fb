import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type BuildTable,
  builtParts,
  hashOf,
  pageFinisher,
} from '#site/build/rewrite/finish-page.ts'
import type { drawPage as DrawPage, drawPages as DrawPages } from '#site/render/entry.ts'

/** The bundle and tables that a build leaves for drawing its pages again. */
export interface Build {
  /** The folder of the site. */
  dist: string
  table: BuildTable
  drawPages: typeof DrawPages
  drawPage: typeof DrawPage
  /** As the build finishes a page. @throws Error for a page with an inline script that the build does not know */
  finish: (file: string, source: string) => string
}

/** Undefined where the build left no bundle. */
export const openBuild = async (root: string): Promise<Build | undefined> => {
  const folder = join(root, '.build/renderer')
  if (!existsSync(join(folder, 'build.json'))) return undefined
  const table = JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8')) as BuildTable
  const { drawPages, drawPage } = await import(pathToFileURL(join(folder, 'renderer.mjs')).href)
  const dist = join(root, 'dist')
  const pages = new Set(Object.keys(table.drawn))
  const minify = (source: string): string => {
    const code = table.scripts[hashOf(source)]
    if (code === undefined) throw new Error('A page has a script that the build does not know')
    return code
  }
  return {
    dist,
    table,
    drawPages,
    drawPage,
    finish: pageFinisher({ ...builtParts(dist), templates: table.templates, pages, minify }),
  }
}
