import { isDeepStrictEqual } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'
import type { AuditEntry } from '#contract/audit.ts'
import { type Content, textsOf } from '#contract/content/collections.ts'
import type { Change, EntryProblem, Release } from '#contract/content/desk.ts'
import { openingState } from '#contract/positions.ts'
import type { Deps } from '#server/deps.ts'
import { content } from '#site/content.ts'
import { pictureOfFiles } from '#site/content-folder.ts'
import {
  addressOf,
  besideDraft,
  changesOf,
  documentsIn,
  movedAddresses,
  picturesIn,
  type StoredDraft,
  withDrafts,
  withLinksFollowed,
} from './documents.ts'
import {
  changedPages,
  type PageProblem,
  type SiteRenderer,
  storedImages,
  storedSite,
  withDaysOf,
} from './site.ts'
import { readDesk } from './store/drafts.ts'
import { storedHashes } from './store/images.ts'
import {
  beginRelease,
  checkRelease,
  countFailed,
  type Finished,
  failRelease,
  findRelease,
  goLive,
  keepUnderWay,
  type NewRelease,
  readFiles,
  readSite,
} from './store/releases.ts'
import { draftsTowards } from './towards.ts'

/** The fields of a value whose text holds the needle, or is a part of it, and the length that they share with it. */
const pathsTo = (value: unknown, needle: string) =>
  textsOf(value).flatMap(([path, text]) =>
    text.includes(needle) || (text.length > 7 && needle.includes(text))
      ? [{ path, shared: Math.min(text.length, needle.length) }]
      : [],
  )

/** The entry and field that a page's problem comes from: among the changed ones first. */
const located = (
  { page, message, text }: PageProblem,
  documents: Content,
  changes: readonly Pick<Change, 'collection' | 'id' | 'fields'>[],
): EntryProblem => {
  const sentence = `${page}: ${message}`
  const isChanged = (collection: string, id: string) =>
    changes.some((change) => change.collection === collection && change.id === id)
  const places = text
    ? documentsIn(documents).flatMap(({ collection, id, data }) =>
        pathsTo(data, text).map((found) => ({ collection, id, ...found })),
      )
    : []
  places.sort((a, b) => b.shared - a.shared)
  const changed = places.filter(({ collection, id }) => isChanged(collection, id))
  const own = documentsIn(documents).find((one) => addressOf(one.collection, one.id) === page)
  const ofPage = (one: { collection: string; id: string }) =>
    one.collection === own?.collection && one.id === own.id
  const place = changed.find(ofPage) ?? changed[0] ?? places.find(ofPage) ?? places[0]
  if (place)
    return { collection: place.collection, id: place.id, path: place.path, message: sentence }
  // The page was fine before the change.
  const blamed = changes.find((change) => own && ofPage(change)) ?? changes[0]
  return {
    collection: blamed?.collection ?? null,
    id: blamed?.id ?? null,
    path: blamed?.fields[0]?.path ?? [],
    message: sentence,
  }
}

const PICTURE = '/media/'

/** Pictures of documents that nothing serves. */
export const missingPictures = async ({ db }: Pick<Deps, 'db'>, documents: Content) => {
  const named = picturesIn(documents)
  const stored = named.length > 0 ? await storedHashes(db, named) : []
  const isServed = async (hash: string): Promise<boolean> =>
    stored.includes(hash) ||
    (/^[0-9a-f]{64}$/.test(hash) && (await pictureOfFiles(hash)) !== undefined)
  const shown = documentsIn(documents).flatMap(({ collection, id, data }) =>
    textsOf(data).flatMap(([path, text]) =>
      text.startsWith(PICTURE) ? [{ collection, id, path, text }] : [],
    ),
  )
  const problems = await Promise.all(
    shown.map(async ({ text, ...place }) =>
      (await isServed(text.slice(PICTURE.length)))
        ? []
        : [{ ...place, message: 'There is no such picture. Choose another.' }],
    ),
  )
  return problems.flat()
}

const SIGN_MS = 10_000

type Job = Omit<NewRelease, 'note'> & Pick<Finished, 'via' | 'drafts'>

/**
 * Draws and checks a release that has begun, and makes it live. Never throws: what fails leaves the live site alone
 * and is stored with the release.
 */
export const finishRelease = async (
  { db, log }: Pick<Deps, 'db' | 'log'>,
  renderer: SiteRenderer,
  n: number,
  { documents, changes, drafts, seen, moved, via }: Job,
): Promise<void> => {
  const fail = (problems: readonly EntryProblem[]) => failRelease(db, n, problems)
  const signs = setInterval(() => void keepUnderWay(db, n).catch(() => {}), SIGN_MS)
  try {
    const before = seen === 0 ? {} : ((await readSite(db, seen, renderer.build)) ?? {})
    const bodyOf = async (hash: string) =>
      brotliDecompressSync((await readFiles(db, [hash])).get(hash) ?? Buffer.of()).toString()
    const drawn = await renderer.draw(documents, {
      moved,
      images: await storedImages(before, bodyOf),
      onDrawn: async () => {
        await checkRelease(db, n)
      },
    })
    if (drawn.problems.length > 0)
      return void (await fail(drawn.problems.map((one) => located(one, documents, changes))))
    const site = await storedSite(renderer.build, await withDaysOf(drawn, before, bodyOf))
    const pages = changedPages(before, site.files)
    const isLive = await goLive(db, n, {
      site,
      pages,
      // Earlier releases have told of the other pages.
      notices: drawn.notices.flatMap((notice) => {
        if (typeof notice === 'string') return notice
        return pages.includes(notice.page) ? notice.message : []
      }),
      changes,
      via,
      seen,
      drafts,
    })
    const message = 'Another release went live meanwhile. Look at the changes and publish again.'
    if (isLive) await renderer.onLive?.()
    else await fail([{ collection: null, id: null, path: [], message }])
  } catch (error) {
    log({ level: 'error', event: 'publish_failed', message: String(error) })
    const message = 'The pages could not be drawn. The site is unchanged.'
    await fail([{ collection: null, id: null, path: [], message }]).catch(() => {})
  } finally {
    clearInterval(signs)
  }
}

export const withoutProblems = ({ problems: _, ...change }: Change) => change

export const jobOf = (
  published: Content,
  drafts: readonly StoredDraft[],
  { seen, moved }: Pick<Job, 'seen' | 'moved'>,
): Job => {
  const drafted = withDrafts(published, drafts)
  const addresses = movedAddresses(published, drafted, moved)
  const documents = withLinksFollowed(drafted, addresses)
  const changes = changesOf(published, drafts)
  const ofLinks =
    documents === drafted
      ? []
      : changesOf(drafted, draftsTowards(drafted, documents)).filter(
          (link) =>
            !changes.some(({ collection, id }) => collection === link.collection && id === link.id),
        )
  return {
    documents,
    changes: [...changes, ...ofLinks].map(withoutProblems),
    drafts: drafts.map(({ collection, entry, version }) => {
      const before = besideDraft(published, { collection, entry }) ?? null
      return { collection, entry, version, before }
    }),
    seen,
    moved: addresses,
  }
}

/**
 * Makes a release of these documents, as the program does by a command or at night; drafts stay. Undefined where
 * somebody else publishes at this moment.
 */
export const publishDocuments = async (
  { db, log }: Pick<Deps, 'db' | 'log'>,
  renderer: SiteRenderer,
  wanted: Content,
  { note, via }: { note: string; via: AuditEntry['via'] },
): Promise<Release | undefined> => {
  const { live } = await readDesk(db)
  const published = { ...content(), ...live?.documents }
  const drafts = draftsTowards(published, wanted)
  const job = jobOf(published, drafts, { seen: live?.n ?? 0, moved: live?.moved ?? {} })
  const begun = await beginRelease(db, { ...job, note }, null)
  if (typeof begun === 'string') return undefined
  await finishRelease({ db, log }, renderer, begun.n, { ...job, drafts: [], via })
  return (await findRelease(db, begun.n))?.release
}

const DAY_NOTE = 'Positions that open or close today, or a new year'

/** Tries within a day: what cannot be drawn fails each time, and each try is in the history. */
const DAY_TRIES = 3

/**
 * Publishes what the day changes: positions that open or close, and the year in the footer of a site that has been
 * published; another has its next build. A no-op where nothing changes.
 *
 * @param drawnAt when the shown pages were drawn, where they are the build's own
 */
export const publishDay = async (
  deps: Pick<Deps, 'db' | 'log'>,
  renderer: SiteRenderer,
  drawnAt: Date,
): Promise<Release | undefined> => {
  const { live } = await readDesk(deps.db)
  const documents = { ...content(), ...live?.documents }
  const { openings, brand } = documents
  const state = (at: Date) => [
    live && at.getUTCFullYear(),
    brand.features.careers && openings.map(({ data }) => openingState(data, at)),
  ]
  const drawn = live?.drawnAt
    ? new Date(live.drawnAt)
    : new Date(Math.max(live ? Date.parse(live.begunAt) : 0, drawnAt.getTime()))
  if (isDeepStrictEqual(state(drawn), state(new Date()))) return undefined
  if ((await countFailed(deps.db, DAY_NOTE)) >= DAY_TRIES) return undefined
  return publishDocuments(deps, renderer, documents, {
    note: DAY_NOTE,
    via: 'retention',
  })
}
