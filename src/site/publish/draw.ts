import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { finishPage } from '#site/build/rewrite/finish-page.ts'
import { type FinishingTable, readFinishing } from '#site/build/rewrite/finishing.ts'
import type * as Renderer from '#site/render/entry.ts'

const TABLE = '.build/renderer/finishing.json'

/**
 * The bundle and tables that a build leaves for drawing its pages again.
 *
 * @throws Error where the build left no bundle
 */
export const openBuild = async (root: string) => {
  if (!existsSync(join(root, TABLE))) throw new Error('The build left nothing to draw with')
  const table = JSON.parse(readFileSync(join(root, TABLE), 'utf8')) as FinishingTable
  const bundle = pathToFileURL(join(root, '.build/renderer/renderer.mjs')).href
  const { drawPages, drawPage }: typeof Renderer = await import(bundle)
  const dist = join(root, 'dist')
  const finishing = readFinishing(dist, table)
  return {
    dist,
    table,
    drawPages,
    drawPage,
    /** As the build finishes a page. @throws Error for a page with an inline script that the build does not know */
    finish: (file: string, source: string) => finishPage(file, source, finishing),
  }
}

export type Build = Awaited<ReturnType<typeof openBuild>>
