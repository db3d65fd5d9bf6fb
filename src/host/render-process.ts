import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PreviewPage, ReadPicture, SiteRenderer } from '#server/content/site.ts'
import { redirectsOf } from '#site/build/redirects.ts'
import { buildId, builtAt } from '#site/publish/build-id.ts'
import type { Order, Report } from '#site/publish/child.ts'
import type { DrawnRelease } from '#site/publish/release.ts'

const root = join(import.meta.dirname, '../..')

/** The lifetime of the process after a preview, for the next one. */
const IDLE_MS = 60_000

/** The memory of the machine is the host's: what the process needs beside its heap is about 60 MB. */
const HEAP_MB = 160

type Question = Order extends infer One ? (One extends Order ? Omit<One, 'id'> : never) : never

interface Waiting {
  onDrawn?: (() => Promise<void>) | undefined
  /** The work that `onDrawn` has begun. */
  begun: Promise<void>
  resolve: (result: Extract<Report, { kind: 'done' }>['result']) => void
  reject: (error: Error) => void
}

/**
 * Draws the site in a process of its own, which ends when nothing has been asked for a while. Undefined where the
 * build left nothing to draw with.
 *
 * @param way `rebuild` draws a release by a whole build, which takes Astro and about 1 GB
 */
export const startRenderer = (
  site: string,
  way: 'draw' | 'rebuild' = 'draw',
): (SiteRenderer & { builtAt: Date; readPicture: ReadPicture; stop: () => void }) | undefined => {
  const build = buildId(root)
  if (!build || (way === 'rebuild' && !existsSync(join(root, 'node_modules/astro'))))
    return undefined
  let renderer: { child: ChildProcess; waiting: Map<number, Waiting> } | undefined
  let timer: NodeJS.Timeout | undefined
  let count = 0

  const stop = () => {
    clearTimeout(timer)
    if (renderer?.child.connected) renderer.child.disconnect()
    renderer = undefined
  }
  const open = () => {
    const child = fork(join(root, 'src/site/publish/child.ts'), [], {
      serialization: 'advanced',
      execArgv: [
        ...(way === 'draw' ? [`--max-old-space-size=${HEAP_MB}`] : []),
        '--max-semi-space-size=2',
      ],
      env: { ...process.env, MALLOC_ARENA_MAX: '2' },
    })
    // Each process has its own: while one ends, the next may already be at work.
    const waiting = new Map<number, Waiting>()
    const started = { child, waiting }
    child.on('message', (report: Report) => {
      const one = waiting.get(report.id)
      if (!one) return
      if (report.kind === 'drawn') {
        one.begun = one.onDrawn?.() ?? one.begun
        return
      }
      waiting.delete(report.id)
      if (report.kind === 'failed') one.reject(new Error(report.reason))
      else one.begun.then(() => one.resolve(report.result), one.reject)
    })
    const end = () => {
      if (renderer === started) renderer = undefined
      for (const { reject } of waiting.values()) reject(new Error('The renderer has ended'))
    }
    child.on('exit', end)
    // A process that cannot be started, for want of files or processes, has no exit.
    child.on('error', end)
    return started
  }
  const ask = <Result>(question: Question, onDrawn?: () => Promise<void>): Promise<Result> => {
    clearTimeout(timer)
    renderer ??= open()
    const { child, waiting } = renderer
    count += 1
    const id = count
    return new Promise<Result>((resolve, reject) => {
      waiting.set(id, {
        onDrawn,
        begun: Promise.resolve(),
        resolve: resolve as Waiting['resolve'],
        reject,
      })
      child.send({ ...question, id }, (error) => error && reject(error))
    }).finally(() => {
      if (waiting.size > 0) return
      // Two answers may have come at once.
      clearTimeout(timer)
      timer = setTimeout(stop, IDLE_MS)
      timer.unref()
    })
  }
  return {
    build,
    builtAt: builtAt(root),
    stop,
    draw: (documents, { at = new Date().toISOString(), moved = {}, images = {}, onDrawn } = {}) =>
      ask<DrawnRelease>({ kind: way, site, documents, at, moved, images }, onDrawn),
    redirects: redirectsOf,
    readPicture: (bytes) => ask({ kind: 'picture', bytes }),
    preview: (documents, path, search) =>
      ask<PreviewPage>({ kind: 'preview', site, documents, path, search }),
  }
}
