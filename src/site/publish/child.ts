import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Content } from '#contract/content/collections.ts'
import { type Build, openBuild } from './draw.ts'
import { readPicture } from './picture.ts'
import { type DrawnRelease, type DrawOptions, drawPreview, drawRelease } from './release.ts'

/** A process of its own that draws pages and reads pictures for `host/render-process.ts`, and ends with it. */

export type Order =
  | ({ id: number; kind: 'draw' | 'rebuild'; site: string; documents: Content } & Omit<
      DrawOptions,
      'onDrawn' | 'drawsImages'
    >)
  | {
      id: number
      kind: 'preview'
      site: string
      documents: Content
      path: string
      search?: string | undefined
    }
  | { id: number; kind: 'picture'; bytes: Uint8Array }

export type Report =
  | { id: number; kind: 'drawn' }
  | { id: number; kind: 'done'; result: Awaited<ReturnType<typeof follow>> }
  | { id: number; kind: 'failed'; reason: string }

const root = join(import.meta.dirname, '../../..')

const report = (message: Report) => process.send?.(message)

let build: Promise<Build> | undefined

const follow = async (
  order: Order,
): Promise<DrawnRelease | Awaited<ReturnType<typeof drawPreview | typeof readPicture>>> => {
  if (order.kind === 'picture') return readPicture(order.bytes)
  const { id, site, documents } = order
  const onDrawn = () => report({ id, kind: 'drawn' })
  if (order.kind === 'rebuild') {
    // Loaded here: a container has no Astro.
    const { rebuildRelease } = await import('./rebuild.ts')
    const folder = mkdtempSync(join(tmpdir(), 'release-'))
    return rebuildRelease(root, folder, documents, { moved: order.moved, onDrawn }).finally(() =>
      rmSync(folder, { recursive: true }),
    )
  }
  build ??= openBuild(root)
  const opened = await build
  if (order.kind === 'preview')
    return drawPreview(opened, site, documents, order.path, order.search)
  const { at, moved, images } = order
  return drawRelease(opened, site, documents, { at, moved, images, onDrawn })
}

process.on('message', async (order: Order) => {
  const { id } = order
  try {
    report({ id, kind: 'done', result: await follow(order) })
  } catch (error) {
    report({ id, kind: 'failed', reason: String(error) })
  }
})
process.on('disconnect', () => process.exit(0))
