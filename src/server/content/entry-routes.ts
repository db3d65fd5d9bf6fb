import { isDeepStrictEqual } from 'node:util'
import { isReserved, type ListName } from '#contract/content/collections.ts'
import * as contract from '#contract/content/desk.ts'
import { entryId } from '#contract/content/fields.ts'
import { entryName } from '#contract/fields.ts'
import { may } from '#contract/http/access.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError, invalidField, orNotFound } from '#server/http/http-error.ts'
import { type Actor, type Route, route } from '#server/http/route.ts'
import { isUsed } from '#site/features.ts'
import {
  type Desk,
  draftOf,
  findCollection,
  isTaken,
  large,
  openDesk,
  requireCollection,
} from './desk.ts'
import {
  changesOf,
  collectionLabel,
  collectionNames,
  draftProblems,
  entriesOf,
  isList,
  isSingle,
  noteIn,
  ORDER,
  problemsElsewhere,
  problemsOf,
  publishedValue,
  stateOf,
  titleIn,
  titleOf,
  usersOf,
} from './documents.ts'
import { schemaOf } from './schema.ts'
import { saveDraft, saveDrafts } from './store/drafts.ts'

const pathRight = ({ collection }: { collection: string }) =>
  contract.ownersOnly.includes(collection) ? 'content.own' : undefined

const collectionExists = async (params: { collection: string }, deps: Deps): Promise<boolean> =>
  (await findCollection(deps, params)) !== undefined

const entryExists = async (params: { collection: string; id: string }, deps: Deps) => {
  const found = await findCollection(deps, params)
  return found !== undefined && isTaken(found.desk, found.collection, params.id)
}

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
    usedBy: usersOf(desk.drafted, collection, id),
  }
}

/** @throws HttpError `not_found` for what is neither published nor drafted */
const requireEntry = (desk: Desk, collection: string, id: string) => {
  const draft = draftOf(desk, collection, id)
  const published = publishedValue(desk.published, collection, id)
  if (published === undefined && !draft?.isDraft) throw new HttpError('not_found')
  return { draft, published }
}

/**
 * The entry of a path; what cannot be a name names none.
 *
 * @throws HttpError `not_found`
 */
const pathEntry = ({ id }: { id: string }): string => {
  if (!entryName.test(id)) throw new HttpError('not_found')
  return id
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
const freeId = (desk: Desk, collection: ListName, value: unknown): string => {
  const slug = titleOf(collection, '', value)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 70)
  const base = slug && slug !== ORDER ? slug : `new-${collection}`
  const taken = (id: string) => isTaken(desk, collection, id) || isReserved(collection, id)
  if (!taken(base)) return base
  let number = 2
  while (taken(`${base}-${number}`)) number += 1
  return `${base}-${number}`
}

/** The collections whose entries go and come back with an entry of this one. */
const followersOf = (collection: string) =>
  collection === 'positions' ? ['openings', 'hiring'] : []

export const entryRoutes: Route[] = [
  route(contract.listCollections, async ({ actor }, deps) => {
    const desk = await openDesk(deps)
    const changed = changesOf(desk.published, desk.drafts)
    const counted = collectionNames.map((collection) => ({
      collection,
      label: collectionLabel(collection),
      single: isSingle(collection),
      entries: isList(collection) ? desk.drafted[collection].length : 1,
      changed: changed.filter((change) => change.collection === collection).length,
    }))
    return {
      data: counted.filter((one) => one.changed > 0 || isUsed(desk.drafted, one.collection)),
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

  route(contract.listEntries, async ({ params }, deps) => {
    const { collection, desk } = await requireCollection(deps, params)
    // A draft of the brand may name no currency.
    const noted = { ...desk.drafted, brand: desk.published.brand }
    const problems = draftProblems(desk.published, desk.drafts)
    const removed = desk.drafts.filter(
      (draft) => draft.collection === collection && draft.isDraft && draft.value === null,
    )
    const ids = isList(collection)
      ? [...desk.drafted[collection].map(({ id }) => id), ...removed.map(({ entry }) => entry)]
      : [collection]
    return {
      data: ids.map((id) => {
        const draft = draftOf(desk, collection, id)
        const published = publishedValue(desk.published, collection, id)
        return {
          id,
          title: titleIn(desk.drafted, collection, id, draft?.isDraft && draft.value, published),
          note: noteIn(noted, collection, id),
          state: stateOf(published, draft),
          version: draft?.version ?? 0,
          updatedAt: draft?.updatedAt ?? null,
          updatedBy: draft?.updatedBy ?? null,
          problems: problemsOf(problems, collection, id).length,
        }
      }),
      meta: {
        schema: schemaOf(collection, desk),
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
      if (isReserved(collection, entry))
        throw invalidField('id', 'The site has another page at this address.')
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
      const entry = pathEntry(params)
      if (!isList(collection)) {
        requireEntry(desk, collection, entry)
        throw new HttpError('invalid', 'This document cannot be removed.')
      }
      // Some followers have entries of their own, such as the scores for no position in particular.
      const followers = isTaken(desk, collection, entry) ? followersOf(collection) : []
      const drafts = [collection, ...followers].map((name) => {
        const isDraft = publishedValue(desk.published, name, entry) !== undefined
        return { collection: name, entry, isDraft, value: null }
      })
      orNotFound((await saveDrafts(deps.db, drafts, actor)) > 0)
      return { data: {} }
    },
    { pathRight },
  ),

  route(
    contract.orderEntries,
    async ({ params, body, actor }, deps) => {
      const { collection, desk } = await requireCollection(deps, params)
      if (!isList(collection)) throw new HttpError('not_found')
      const ids = desk.drafted[collection].map(({ id }) => id)
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
      ...large,
      pathRight,
      exists: async ({ collection }, deps) =>
        isList(collection) && collectionExists({ collection }, deps),
    },
  ),

  route(
    contract.discardDraft,
    async ({ params, actor }, deps) => {
      const { collection, desk: before } = await requireCollection(deps, params)
      const entry = pathEntry(params)
      const isRemoved = (name: string) => {
        const draft = draftOf(before, name, entry)
        return draft?.isDraft === true && draft.value === null
      }
      const followers = isRemoved(collection) ? followersOf(collection).filter(isRemoved) : []
      const drafts = [collection, ...followers].map((name) => {
        return { collection: name, entry, isDraft: false, value: null }
      })
      const hadDraft = (await saveDrafts(deps.db, drafts, actor)) > 0
      const desk = await openDesk(deps)
      const isOrder = entry === ORDER && isList(collection)
      if (!hadDraft && !isOrder) requireEntry(desk, collection, entry)
      return { data: draftAnswer(desk, collection, entry) }
    },
    { pathRight },
  ),
]
