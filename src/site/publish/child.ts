import { join } from 'node:path'
import type { Content } from '#contract/content/collections.ts'
import type { Moved } from '#site/build/redirects.ts'
import { openBuild } from './draw.ts'
import { type DrawnRelease, drawPreview, drawRelease } from './release.ts'

/** A process of its own that draws pages for `host/render-process.ts`, and ends with it. */

export type Order =
  | { id: number; kind: 'draw'; site: string; documents: Content; at: string; moved: Moved }
  | { id: number; kind: 'preview'; site: string; documents: Content; path: string }

export type Report =
  | { id: number; kind: 'drawn' }
  | { id: number; kind: 'done'; result: DrawnRelease | Awaited<ReturnType<typeof drawPreview>> }
  | { id: number; kind: 'failed'; reason: string }

const build = openBuild(join(import.meta.dirname, '../../..'))
const report = (message: Report) => process.send?.(message)

process.on('message', async (order: Order) => {
  const { id, site, documents } = order
  try {
    const opened = await build
    if (!opened) throw new Error('The build left nothing to draw with')
    const result =
      order.kind === 'draw'
        ? await drawRelease(opened, site, documents, {
            at: order.at,
            moved: order.moved,
            onDrawn: () => report({ id, kind: 'drawn' }),
          })
        : await drawPreview(opened, site, documents, order.path)
    report({ id, kind: 'done', result })
  } catch (error) {
    report({ id, kind: 'failed', reason: String(error) })
  }
})
process.on('disconnect', () => process.exit(0))
