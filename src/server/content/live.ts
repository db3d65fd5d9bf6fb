import { brotliDecompressSync } from 'node:zlib'
import type { Database } from '#server/db/drizzle.ts'
import type { Deps } from '#server/deps.ts'
import { followAnswerDays } from '#server/kinds/store/answer-days.ts'
import { setPublished } from '#site/content.ts'
import { picturesIn } from './documents.ts'
import { type PageProblem, type SiteRenderer, storedSite } from './site.ts'
import { readImages } from './store/images.ts'
import {
  type LiveSite,
  readFiles,
  readLiveNumber,
  readLiveSite,
  storeSite,
} from './store/releases.ts'

/** A process that draws may be short of memory for a moment, a function out of reach. */
const DRAW_TRIES = 3

/**
 * Follows the live release. A release that this build has not drawn yet is drawn first.
 *
 * @param renderer only with a name of the build: shows what is drawn elsewhere
 * @param show shows the site with these files in place of the build's own
 * @param isShown which files are of use here
 * @returns looks whether another release is live, and shows it; false where it is not drawn yet, also where drawing
 *   fails: the log says why
 */
export const followLive = (
  { db, log }: Pick<Deps, 'db' | 'log'>,
  renderer: (Pick<SiteRenderer, 'build'> & Partial<SiteRenderer>) | undefined,
  show: (files: ReadonlyMap<string, Buffer | null>) => void,
  isShown: (file: string) => boolean = () => true,
): (() => Promise<boolean>) => {
  let shown = 0
  let tries = 0
  const bodies = new Map<string, Buffer>()

  const bodyOf = (hash: string): Buffer => {
    const body = bodies.get(hash)
    if (!body) throw new Error('A file of the live release is missing')
    return body
  }
  const filesOf = async (
    hashes: Record<string, string | null>,
  ): Promise<Map<string, Buffer | null>> => {
    const wanted = new Set(Object.values(hashes).flatMap((hash) => hash ?? []))
    for (const hash of bodies.keys()) if (!wanted.has(hash)) bodies.delete(hash)
    const missing = [...wanted].filter((hash) => !bodies.has(hash))
    if (missing.length > 0)
      for (const [hash, body] of await readFiles(db, missing))
        bodies.set(hash, brotliDecompressSync(body))
    return new Map(
      Object.entries(hashes).map(([path, hash]) => [path, hash === null ? null : bodyOf(hash)]),
    )
  }

  const refresh = async (): Promise<boolean> => {
    if ((await readLiveNumber(db)) === shown) return true
    const build = renderer?.build ?? ''
    const live = await readLiveSite(db, build)
    // A demonstration that begins again says what its files say.
    if (!live) {
      setPublished({})
      show(new Map())
      shown = 0
      return true
    }
    let { files } = live
    let problem: Partial<PageProblem> | undefined
    if (!files && renderer?.draw) {
      tries += 1
      const drawn = await renderer
        .draw(live.documents, { at: live.at, moved: live.moved })
        .catch((error: unknown) => ({ problems: [{ message: String(error) }] }))
      problem = drawn.problems[0]
      if ('files' in drawn && !problem) {
        const site = await storedSite(build, drawn)
        await storeSite(db, live.n, site)
        files = site.files
      }
    }
    // Facts act at once even where the pages cannot be drawn.
    setPublished(live.documents)
    await followAnswerDays(db)
    if (files) {
      const own = Object.entries(files).filter(([file]) => isShown(file))
      show(await filesOf(Object.fromEntries(own)))
    } else
      log({
        level: problem ? 'error' : 'warn',
        event: 'release_not_drawn',
        release: live.n,
        ...(problem && { page: problem.page, message: problem.message }),
      })
    // The same build finds the same problem in a page again.
    if (files || problem?.page || tries === DRAW_TRIES || !renderer) {
      shown = live.n
      tries = 0
    }
    return files !== null
  }

  let running = Promise.resolve(true)
  return () => {
    running = running.then(refresh, refresh)
    return running
  }
}

/** The live release with the pictures that it shows, in base64 by their hash, for files. */
export type PulledRelease = LiveSite & { pictures: Record<string, string> }

/** Undefined before the first publish. */
export const readPulled = async (db: Database): Promise<PulledRelease | undefined> => {
  const live = await readLiveSite(db, '')
  return live && { ...live, pictures: await readImages(db, picturesIn(live.documents)) }
}
