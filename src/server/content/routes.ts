import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Content, contentProblems } from '#contract/content/collections.ts'
import * as contract from '#contract/content/desk.ts'
import { entryId } from '#contract/content/fields.ts'
import { may } from '#contract/http/access.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError, invalidField, orNotFound } from '#server/http/http-error.ts'
import { type Actor, type Route, route } from '#server/http/route.ts'
import { hashTokenSecret, newTokenSecret } from '#server/secrets/token-secret.ts'
import { content, firstContent } from '#site/content.ts'
import { pictureOfFiles } from '#site/content-folder.ts'
import { isOff } from '#site/features.ts'
import {
  asKey,
  type CollectionName,
  changesOf,
  collectionLabel,
  collectionNames,
  draftProblems,
  draftsOfRelease,
  draftsTowards,
  entriesOf,
  isList,
  isSingle,
  isUsed,
  noteIn,
  ORDER,
  problemsElsewhere,
  problemsOf,
  publishedValue,
  type StoredDraft,
  stateOf,
  titleIn,
  titleOf,
  usersOf,
  withDrafts,
  withoutIdleOrders,
} from './documents.ts'
import { finishRelease, jobOf, withoutProblems } from './publish.ts'
import { schemaOf } from './schema.ts'
import { changedPages, type PreviewPage, type SiteRenderer } from './site.ts'
import { readDesk, type StoredDesk, saveDraft, saveDrafts } from './store/drafts.ts'
import { addImage, findImage, listImages } from './store/images.ts'
import { addPreview, findPreview } from './store/previews.ts'
import { beginRelease, findRelease, listReleases, readSite, showAgain } from './store/releases.ts'

/** Only superusers change and publish these. */
const ownersOnly = ['brand', 'legal']

const mayChange = (actor: Actor, collection: string): boolean =>
  !ownersOnly.includes(collection) || may(actor.role, 'content.own')

const requireMayChange = (actor: Actor, collection: string): void => {
  if (!mayChange(actor, collection))
    throw new HttpError('forbidden', 'Only a superuser changes this.')
}

const pathRight = ({ collection }: { collection: string }) =>
  ownersOnly.includes(collection) ? 'content.own' : undefined

/** The desk with the documents that are live. */
const openDesk = async ({ db }: Deps): Promise<StoredDesk & { published: Content }> => {
  const desk = await readDesk(db)
  const published = { ...content(), ...desk.live?.documents }
  return { ...desk, drafts: withoutIdleOrders(published, desk.drafts), published }
}

type Desk = Awaited<ReturnType<typeof openDesk>>

const draftOf = ({ drafts }: Desk, collection: string, id: string): StoredDraft | undefined =>
  drafts.find((draft) => draft.collection === collection && draft.entry === id)

/** Undefined for a collection of a part that the brand switches off, unless it has changes to publish. */
const findCollection = async (
  deps: Deps,
  { collection }: { collection: string },
): Promise<{ collection: CollectionName; desk: Desk } | undefined> => {
  if (!isList(collection) && !isSingle(collection)) return undefined
  const desk = await openDesk(deps)
  const hasChanges = desk.drafts.some((one) => one.isDraft && one.collection === collection)
  const shown = withDrafts(desk.published, desk.drafts)
  return hasChanges || isUsed(shown, collection) ? { collection, desk } : undefined
}

/** @throws HttpError `not_found` */
const requireCollection = async (deps: Deps, params: { collection: string }) =>
  orNotFound(await findCollection(deps, params))

const collectionExists = async (params: { collection: string }, deps: Deps): Promise<boolean> =>
  (await findCollection(deps, params)) !== undefined

const entryExists = async (
  params: { collection: string; id: string },
  deps: Deps,
): Promise<boolean> => {
  const found = await findCollection(deps, params)
  return found !== undefined && isTaken(found.desk, found.collection, params.id)
}

/** The answer about one document. */
const draftAnswer = (desk: Desk, collection: string, id: string): contract.Draft => {
  const draft = draftOf(desk, collection, id)
  const published = publishedValue(desk.published, collection, id)
  const problems = draftProblems(desk.published, desk.drafts)
  return {
    id,
    value: (draft?.isDraft ? draft.value : published) ?? null,
    published: published ?? null,
    state: stateOf(published, draft),
    version: draft?.version ?? 0,
    problems: problemsOf(problems, collection, id),
    usedBy: usersOf(withDrafts(desk.published, desk.drafts), collection, id),
  }
}

/**
 * The document as published and drafted.
 *
 * @throws HttpError `not_found` where it is neither
 */
const requireEntry = (desk: Desk, collection: string, id: string) => {
  const draft = draftOf(desk, collection, id)
  const published = publishedValue(desk.published, collection, id)
  if (published === undefined && !draft?.isDraft) throw new HttpError('not_found')
  return { draft, published }
}

const MAX_DEPTH = 24
const MAX_VALUES = 25_000

/** Refuses what the database cannot store as JSON, and nesting and numbers of values that no document has. */
const requireStorable = (value: unknown): void => {
  let level: unknown[] = [value]
  let count = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length
    if (count > MAX_VALUES) throw invalidField('value', 'This document has too many parts.')
    if (depth > MAX_DEPTH) throw invalidField('value', 'This document is nested too deeply.')
    const texts = level.flatMap((item) =>
      typeof item === 'string' ? [item] : isObject(item) ? Object.keys(item) : [],
    )
    if (texts.some((text) => text.includes('\0') || !text.isWellFormed()))
      throw invalidField('value', 'This document holds a character that cannot be stored.')
    level = level.flatMap((item) => (isObject(item) ? Object.values(item) : []))
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const imageTypes: readonly string[] = contract.imageTypes

const MAX_DRAFT_BYTES = 200 * 1_024

const requireDocument = (value: unknown): void => {
  if (!isObject(value) || Array.isArray(value))
    throw invalidField('value', 'Send the document as a JSON object.')
  requireStorable(value)
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_DRAFT_BYTES)
    throw new HttpError('too_large', 'A document has at most 200 KiB.')
}

/** @throws HttpError `conflict` with the stored document */
const saved = async (deps: Deps, draft: Parameters<typeof saveDraft>[1], actor: Actor) => {
  const { collection, entry } = draft
  const stored = await saveDraft(deps.db, draft, actor)
  const data = draftAnswer(await openDesk(deps), collection, entry)
  if (!stored) throw new HttpError('conflict', { data })
  return { data }
}

/** "new-question" for what has no address of its own yet. */
const freeId = (desk: Desk, collection: string, value: unknown): string => {
  const slug = titleOf(collection, '', value)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 70)
  const base = slug && slug !== ORDER ? slug : `new-${collection}`
  const taken = (id: string) => isTaken(desk, collection, id)
  if (!taken(base)) return base
  let number = 2
  while (taken(`${base}-${number}`)) number += 1
  return `${base}-${number}`
}

const isTaken = (desk: Desk, collection: string, id: string): boolean =>
  publishedValue(desk.published, collection, id) !== undefined ||
  draftOf(desk, collection, id)?.isDraft === true

/** @throws HttpError `unavailable` where no build can draw the site */
const requireRenderer = ({ renderer }: Deps): SiteRenderer => {
  if (!renderer)
    throw new HttpError('unavailable', {
      message: 'This build cannot draw the site. Build the site again, then publish.',
      retryAfter: 3_600,
    })
  return renderer
}

const previewResponse = ({ status, html, csp }: PreviewPage): Response =>
  new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': csp,
      'X-Frame-Options': 'SAMEORIGIN',
    },
  })

const previewErrorStyle =
  ':root{color-scheme:light dark;background:light-dark(#f9f5ed,#0d131d);color:light-dark(#131c2e,#efebe2);font:1rem/1.5 system-ui,sans-serif}body{max-width:28rem;margin:20vh auto;padding:0 1.5rem}h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.2}p{margin:0}'
const previewErrorPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(previewErrorStyle).digest('base64')}'; frame-ancestors 'self'`

/** Says in the desk's frame, and to somebody without an account, why there is no preview. */
export const previewErrorPage = async ({ status, message }: HttpError): Promise<Response> => {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Preview</title><style>${previewErrorStyle}</style></head><body><h1>No preview</h1><p>${message}</p></body></html>`
  return previewResponse({ status, html, csp: previewErrorPolicy })
}

const preview = async (deps: Deps, path: string, { scripts = true } = {}): Promise<Response> => {
  const renderer = requireRenderer(deps)
  const desk = await openDesk(deps)
  const all = withDrafts(desk.published, desk.drafts)
  const noPage = new HttpError('not_found', 'The site has no page at this address.')
  if (isOff(path, all.brand.features)) throw noPage
  let page = await renderer.preview(all, path)
  const isDrawn = page.status < 500
  // A draft that lacks what a page needs does not keep the others from being seen.
  if (!isDrawn) {
    const problems = contentProblems(all)
    const isSound = ({ collection, entry }: StoredDraft) =>
      problemsOf(problems, collection, entry).length === 0
    const isOfPath = ({ entry }: StoredDraft) => path.endsWith(`/${entry}`)
    for (const isKept of [(one: StoredDraft) => isSound(one) || isOfPath(one), isSound])
      if (page.status >= 500)
        page = await renderer.preview(withDrafts(desk.published, desk.drafts.filter(isKept)), path)
  }
  if (page.status === 404 && isDrawn) throw noPage
  if (page.status >= 400)
    throw new HttpError(
      'invalid',
      'This page cannot be drawn yet: fill in the fields that it needs, and correct their problems.',
    )
  const html = scripts ? page.html : page.html.replace(/<script\b.*?<\/script>/gs, '')
  return previewResponse({ ...page, html })
}

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

/** A body larger than other calls may have: a whole document. */
const large = { bodyBytes: () => 256 * 1_024 }

export const contentRoutes: Route[] = [
  route(contract.listCollections, async ({ actor }, deps) => {
    const desk = await openDesk(deps)
    const shown = withDrafts(desk.published, desk.drafts)
    const changed = changesOf(desk.published, desk.drafts)
    const counted = collectionNames.map((collection) => ({
      collection,
      label: collectionLabel(collection),
      single: isSingle(collection),
      entries: isList(collection) ? shown[collection].length : 1,
      changed: changed.filter((change) => change.collection === collection).length,
    }))
    return {
      data: counted.filter((one) => one.changed > 0 || isUsed(shown, one.collection)),
      meta: {
        release: desk.live?.n ?? 0,
        state: desk.state ?? ('live' as const),
        at: desk.live?.at ?? null,
        by: desk.live?.by ?? null,
        changed: changed.length,
        canPublish: may(actor.role, 'content.publish') && deps.renderer !== undefined,
      },
    }
  }),

  route(contract.listChanges, async (_call, deps) => {
    const desk = await openDesk(deps)
    const problems = problemsElsewhere(desk.published, desk.drafts)
    return { data: changesOf(desk.published, desk.drafts), meta: { problems } }
  }),

  route(contract.previewPage, async ({ query }, deps) => preview(deps, query.path)),

  route(contract.addPreviewLink, async ({ body: { path }, actor }, deps) => {
    requireRenderer(deps)
    const { secret, hash } = newTokenSecret()
    const expiresAt = await addPreview(deps.db, { hash, path }, actor)
    return { data: { url: `${deps.config.siteUrl}/preview/${secret}`, expiresAt } }
  }),

  route(contract.listImages, async (_call, { db }) => ({ data: await listImages(db) })),

  route(
    contract.addImage,
    async ({ body: { file, alt }, actor }, { db, readPicture }) => {
      if (file.type && !imageTypes.includes(file.type) && file.type !== 'application/octet-stream')
        throw new HttpError('unsupported_media_type', 'Send a PNG, JPEG, WebP or AVIF.')
      const tooLarge = new HttpError('too_large', 'An image has at most 5 MB and 12 megapixels.')
      if (file.bytes.byteLength > contract.MAX_IMAGE_BYTES) throw tooLarge
      if (!readPicture) throw new HttpError('unavailable', 'Images cannot be read here.')
      const picture = await readPicture(file.bytes)
      if (picture === 'too_large') throw tooLarge
      if (!picture) throw invalidField('file', 'This image cannot be read.')
      const { width, height } = picture
      const hash = createHash('sha256').update(picture.body).digest('hex')
      const stored = Buffer.from(picture.body).toString('base64')
      return { data: await addImage(db, { hash, alt, width, height, body: stored }, actor) }
    },
    { bodyBytes: () => 5.5 * 1_048_576 },
  ),

  route(contract.publish, async ({ body, actor, request }, deps) => {
    const renderer = requireRenderer(deps)
    const desk = await openDesk(deps)
    const drafts = chosenDrafts(desk, body.entries, actor)
    const problems = draftProblems(desk.published, drafts)
    if (problems.length > 0)
      throw new HttpError('invalid', {
        message: 'Some texts have problems. Correct them first.',
        data: {
          problems: problems.map((problem) => ({ ...problem, path: problem.path.map(asKey) })),
        },
      })
    const moved = desk.live?.moved ?? {}
    const job = jobOf(desk.published, drafts, { seen: body.release, moved })
    const begun = await beginRelease(deps.db, { ...job, note: body.note ?? null }, actor)
    if (begun === 'busy')
      throw new HttpError('busy', 'A release is under way. Wait until it is live.')
    if (begun === 'conflict')
      throw new HttpError('conflict', 'Another release is live by now. Look at the changes again.')
    request.afterResponse(
      finishRelease(deps, renderer, begun.n, job)
        .then(() => deps.contentChanged?.())
        .then(() => deps.deliver()),
    )
    return { data: begun }
  }),

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
      const drafts = draftsOfRelease(desk.published, wanted, desk.drafts).filter(
        ({ collection, entry }) =>
          body.entries
            ? body.entries.some((one) => one.collection === collection && one.id === entry)
            : mayChange(actor, collection),
      )
      await saveDrafts(deps.db, drafts, actor)
      return { data: { changed: drafts.map(({ collection, entry: id }) => ({ collection, id })) } }
    },
    { exists: async ({ n }, { db }) => n === '0' || (await findByNumber(db, n)) !== undefined },
  ),

  route(contract.showRelease, async ({ params, actor, request }, deps) => {
    const { release, documents } = await requireRelease(deps, params)
    const { build } = requireRenderer(deps)
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
    const shown = await showAgain(deps.db, release.n, { build, pages, changes, seen }, actor)
    if (!shown)
      throw new HttpError('conflict', 'Another release is live by now. Look at the list again.')
    await deps.contentChanged?.()
    request.afterResponse(deps.deliver())
    return { data: { ...shown, state: 'live' as const } }
  }),

  route(contract.listEntries, async ({ params }, deps) => {
    const { collection, desk } = await requireCollection(deps, params)
    const shown = withDrafts(desk.published, desk.drafts)
    // A draft of the brand may name no currency.
    const noted = { ...shown, brand: desk.published.brand }
    const problems = draftProblems(desk.published, desk.drafts)
    const removed = desk.drafts.filter(
      (draft) => draft.collection === collection && draft.isDraft && draft.value === null,
    )
    const ids = isList(collection)
      ? [...shown[collection].map(({ id }) => id), ...removed.map(({ entry }) => entry)]
      : [collection]
    return {
      data: ids.map((id) => {
        const draft = draftOf(desk, collection, id)
        const published = publishedValue(desk.published, collection, id)
        return {
          id,
          title: titleIn(shown, collection, id, draft?.isDraft && draft.value, published),
          note: noteIn(noted, collection, id),
          state: stateOf(published, draft),
          version: draft?.version ?? 0,
          updatedAt: draft?.updatedAt ?? null,
          updatedBy: draft?.updatedBy ?? null,
          problems: problemsOf(problems, collection, id).length,
        }
      }),
      meta: {
        schema: schemaOf(collection, shown),
        version: draftOf(desk, collection, ORDER)?.version ?? 0,
      },
    }
  }),

  route(
    contract.addEntry,
    async ({ params, body, actor }, deps) => {
      const { collection, desk } = await requireCollection(deps, params)
      if (!isList(collection)) throw new HttpError('invalid', 'There is only one.')
      const value = body.value ?? {}
      requireDocument(value)
      const entry = body.id ?? freeId(desk, collection, value)
      const [issue] = entryId.safeParse(entry).error?.issues ?? []
      if (issue || entry === ORDER)
        throw invalidField('id', issue?.message ?? 'Choose another address.')
      if (isTaken(desk, collection, entry))
        throw invalidField('id', 'Another entry has this address.')
      const version = draftOf(desk, collection, entry)?.version ?? 0
      return saved(deps, { collection, entry, isDraft: true, value, version }, actor)
    },
    { ...large, pathRight, exists: collectionExists },
  ),

  route(contract.readEntry, async ({ params }, deps) => {
    const { collection, desk } = await requireCollection(deps, params)
    requireEntry(desk, collection, params.id)
    return { data: draftAnswer(desk, collection, params.id) }
  }),

  route(
    contract.writeDraft,
    async ({ params, body: { value, version }, actor }, deps) => {
      const { collection, desk } = await requireCollection(deps, params)
      const { draft, published } = requireEntry(desk, collection, params.id)
      requireDocument(value)
      const isDraft = !isDeepStrictEqual(value, published)
      const now = draft?.isDraft ? draft.value : published
      const isStale = version !== undefined && version !== (draft?.version ?? 0)
      if (!isStale && isDeepStrictEqual(value, now))
        return { data: draftAnswer(desk, collection, params.id) }
      const wanted = isDraft ? value : null
      return saved(deps, { collection, entry: params.id, isDraft, value: wanted, version }, actor)
    },
    { ...large, pathRight, exists: entryExists },
  ),

  route(
    contract.removeEntry,
    async ({ params, actor }, deps) => {
      const { collection, desk } = await requireCollection(deps, params)
      requireEntry(desk, collection, params.id)
      if (!isList(collection)) throw new HttpError('invalid', 'This document cannot be removed.')
      const { id: entry } = params
      const followers = collection === 'positions' ? ['openings', 'hiring'] : []
      const drafts = [collection, ...followers].flatMap((name) => {
        const isDraft = publishedValue(desk.published, name, entry) !== undefined
        return isDraft || draftOf(desk, name, entry)?.isDraft
          ? [{ collection: name, entry, isDraft, value: null }]
          : []
      })
      await saveDrafts(deps.db, drafts, actor)
      return { data: {} }
    },
    { pathRight },
  ),

  route(
    contract.orderEntries,
    async ({ params, body, actor }, deps) => {
      const { collection, desk } = await requireCollection(deps, params)
      if (!isList(collection)) throw new HttpError('not_found')
      const ids = withDrafts(desk.published, desk.drafts)[collection].map(({ id }) => id)
      const isWhole = body.ids.length === ids.length && ids.every((id) => body.ids.includes(id))
      if (!isWhole) throw invalidField('ids', 'Name every entry of the collection once.')
      const published = entriesOf(desk.published, collection).map(({ id }) => id)
      const isDraft = !isDeepStrictEqual(body.ids, published)
      const { version } = body
      const draft = { collection, entry: ORDER, isDraft, value: isDraft ? body.ids : null, version }
      const stored = await saveDraft(deps.db, draft, actor)
      const now = stored ?? draftOf(await openDesk(deps), collection, ORDER)
      const data = {
        ids: ((now?.isDraft && now.value) || published) as string[],
        version: now?.version ?? 0,
      }
      if (!stored) throw new HttpError('conflict', { data })
      return { data }
    },
    {
      pathRight,
      exists: async ({ collection }, deps) =>
        isList(collection) && collectionExists({ collection }, deps),
    },
  ),

  route(
    contract.discardDraft,
    async ({ params, actor }, deps) => {
      const { collection, desk } = await requireCollection(deps, params)
      const isOrder = params.id === ORDER && isList(collection)
      const { draft } = isOrder
        ? { draft: draftOf(desk, collection, ORDER) }
        : requireEntry(desk, collection, params.id)
      if (draft?.isDraft)
        return saved(deps, { collection, entry: params.id, isDraft: false, value: null }, actor)
      return { data: draftAnswer(desk, collection, params.id) }
    },
    { pathRight },
  ),
]

/** Pages and images for those without an account. */
export const publicContent: Route[] = [
  route(contract.readImage, async ({ params }, { db }) => {
    const { hash } = params
    const isHash = /^[0-9a-f]{64}$/.test(hash)
    const body = isHash && ((await findImage(db, hash)) ?? (await pictureOfFiles(hash)))
    if (!body) throw new HttpError('not_found')
    return new Response(new Uint8Array(body), {
      headers: {
        'Content-Type': 'image/webp',
        'Cache-Control': 'public, max-age=31536000, immutable',
        ETag: `"${hash.slice(0, 32)}"`,
      },
    })
  }),

  route(contract.openPreviewLink, async ({ params, query }, deps) => {
    const path = await findPreview(deps.db, hashTokenSecret(params.token))
    if (!path) throw new HttpError('not_found', 'This preview has ended. Ask for a new link.')
    return preview(deps, path, { scripts: query.frame === undefined })
  }),
]
