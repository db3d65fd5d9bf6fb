import { isDeepStrictEqual } from 'node:util'
import * as contract from '#contract/content/desk.ts'
import { withoutTimeLimit } from '#server/db/time-limit.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError, invalidField, orNotFound } from '#server/http/http-error.ts'
import { type Actor, type Route, route } from '#server/http/route.ts'
import { firstContent } from '#site/content.ts'
import {
  type Desk,
  isTaken,
  large,
  mayChange,
  openDesk,
  requireMayChange,
  requireRenderer,
} from './desk.ts'
import {
  changesOf,
  draftProblems,
  isList,
  movedAddresses,
  ORDER,
  type StoredDraft,
  withDrafts,
} from './documents.ts'
import { finishRelease, jobOf, missingPictures, withoutProblems } from './publish.ts'
import { changedPages, storedSite } from './site.ts'
import { saveDrafts } from './store/drafts.ts'
import { beginRelease, findRelease, listReleases, readSite, showAgain } from './store/releases.ts'
import { draftsOfRelease, draftsTowards } from './towards.ts'

type Named = readonly { collection: string; id: string }[]

/** The drafts that a release publishes. @throws HttpError `forbidden`, `invalid` */
const chosenDrafts = (desk: Desk, entries: Named | undefined, actor: Actor): StoredDraft[] => {
  const drafts = desk.drafts.filter(({ isDraft }) => isDraft)
  if (!entries) return drafts.filter(({ collection }) => mayChange(actor, collection))
  for (const { collection } of entries) requireMayChange(actor, collection)
  const isKnown = ({ collection, id }: Named[number]) =>
    id === ORDER ? isList(collection) : isTaken(desk, collection, id)
  if (!entries.every(isKnown)) throw invalidField('entries', 'One of these entries does not exist.')
  return drafts.filter((draft) =>
    entries.some(({ collection, id }) => collection === draft.collection && id === draft.entry),
  )
}

const findByNumber = async (db: Deps['db'], n: string) =>
  /^\d{1,9}$/.test(n) ? findRelease(db, Number(n)) : undefined

const requireRelease = async ({ db }: Deps, { n }: { n: string }) =>
  orNotFound(await findByNumber(db, n))

export const releaseRoutes: Route[] = [
  route(
    contract.publish,
    async ({ body, actor, request }, deps) => {
      const renderer = requireRenderer(deps)
      const desk = await openDesk(deps)
      const drafts = chosenDrafts(desk, body.entries, actor)
      const problems = [
        ...draftProblems(desk.published, drafts),
        ...(await missingPictures(deps, withDrafts(desk.published, drafts))),
      ]
      if (problems.length > 0)
        throw new HttpError('invalid', {
          message: 'Some texts have problems. Correct them first.',
          data: { problems },
        })
      const moved = desk.live?.moved ?? {}
      const job = jobOf(desk.published, drafts, { seen: body.release, moved })
      const begun = await beginRelease(deps.db, { ...job, note: body.note ?? null }, actor)
      if (begun === 'busy')
        throw new HttpError('busy', 'A release is under way. Wait until it is live.')
      if (begun === 'conflict')
        throw new HttpError(
          'conflict',
          'Another release is live by now. Look at the changes again.',
        )
      request.afterResponse(
        withoutTimeLimit(() =>
          finishRelease(deps, renderer, begun.n, job)
            .then(() => deps.contentChanged?.())
            .then(() => deps.deliver()),
        ),
      )
      return { data: begun }
    },
    large,
  ),

  route(contract.listReleases, async (_call, { db }) => ({ data: await listReleases(db) })),

  route(contract.readRelease, async ({ params }, deps) => ({
    data: (await requireRelease(deps, params)).release,
  })),

  route(
    contract.bringBack,
    async ({ params, body, actor }, deps) => {
      // The texts of the files are the release before the first.
      const documents =
        params.n === '0' ? firstContent() : (await requireRelease(deps, params)).documents
      for (const { collection } of body.entries ?? []) requireMayChange(actor, collection)
      const desk = await openDesk(deps)
      const wanted = { ...desk.published, ...documents }
      const isChosen = ({ collection, entry }: StoredDraft) =>
        body.entries
          ? body.entries.some((one) => one.collection === collection && one.id === entry)
          : mayChange(actor, collection)
      const drafts = draftsOfRelease(desk.published, wanted, desk.drafts, isChosen)
      await saveDrafts(deps.db, drafts, actor)
      return { data: { changed: drafts.map(({ collection, entry: id }) => ({ collection, id })) } }
    },
    {
      ...large,
      exists: async ({ n }, { db }) => n === '0' || (await findByNumber(db, n)) !== undefined,
    },
  ),

  route(contract.showRelease, async ({ params, actor, request }, deps) => {
    const { release, documents, moved: former } = await requireRelease(deps, params)
    const renderer = requireRenderer(deps)
    const { build, redirects } = renderer
    const desk = await openDesk(deps)
    const drafts = draftsTowards(desk.published, { ...desk.published, ...documents })
    for (const { collection } of drafts) requireMayChange(actor, collection)
    const seen = desk.live?.n ?? 0
    const wanted = await readSite(deps.db, release.n, build)
    const now = (await readSite(deps.db, seen, build)) ?? {}
    if (!wanted || release.liveAt === null)
      throw new HttpError(
        'conflict',
        'This release was not drawn by the present build. Bring it back as drafts.',
      )
    const pages = changedPages(now, wanted)
    const changes = changesOf(desk.published, drafts).map(withoutProblems)
    // Addresses that came after that release lead to those that it has.
    const moved = movedAddresses(desk.published, documents, { ...former, ...desk.live?.moved })
    const files = new Map<string, Uint8Array | string | null>(Object.entries(wanted))
    if (!isDeepStrictEqual(moved, former))
      files.set('_redirects', Buffer.from(redirects(documents, moved)))
    const site = await storedSite(build, { files, problems: [], notices: [] })
    const again = { site, moved, pages, changes, seen }
    const shown = await showAgain(deps.db, release.n, again, actor)
    if (!shown)
      throw new HttpError('conflict', 'Another release is live by now. Look at the list again.')
    await deps.contentChanged?.()
    // The release is live whether or not a build draws it.
    const asked = renderer.onLive?.().catch((error: unknown) => {
      deps.log({ level: 'error', event: 'publish_failed', message: String(error) })
    })
    request.afterResponse(Promise.all([asked, deps.deliver()]))
    return { data: { ...shown, state: 'live' as const } }
  }),
]
