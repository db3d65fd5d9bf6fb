import { isDeepStrictEqual } from 'node:util'
import { money } from '#contract/content/brand.ts'
import {
  type Content,
  contentProblems,
  type Entry,
  isReserved,
  type ListName,
  lists,
  type Problem,
  type SingleName,
  singles,
  textsOf,
} from '#contract/content/collections.ts'
import type { Change, Draft, EntryState } from '#contract/content/desk.ts'
import { plainText } from '#contract/content/rich-text.ts'
import { openingState } from '#contract/positions.ts'
import type { contentDrafts } from '#server/db/schema/content.ts'

/** Applies drafts to the published documents, without reading or writing anything. */

/** The row of `content_drafts` under this name is the order of the collection. */
export const ORDER = 'order'

export type StoredDraft = typeof contentDrafts.$inferSelect

export type CollectionName = ListName | SingleName

export const isList = (collection: string): collection is ListName =>
  Object.hasOwn(lists, collection)

export const isSingle = (collection: string): collection is SingleName =>
  Object.hasOwn(singles, collection)

export const collectionNames = [...Object.keys(lists), ...Object.keys(singles)] as CollectionName[]

export const entriesOf = (content: Content, collection: ListName) =>
  content[collection] as readonly Entry<ListName>[]

/** All documents; one that stands alone has the id of its collection. */
export const documentsIn = (content: Content) =>
  collectionNames.flatMap((collection) =>
    (isList(collection)
      ? entriesOf(content, collection)
      : [{ id: collection, data: content[collection] as unknown }]
    ).map(({ id, data }) => ({ collection, id, data: data as unknown })),
  )

export const publishedValue = (content: Content, collection: string, id: string): unknown => {
  if (isList(collection)) return entriesOf(content, collection).find((one) => one.id === id)?.data
  return isSingle(collection) && id === collection ? content[collection] : undefined
}

/** The published value that a draft stands beside: the ids for an order. */
export const besideDraft = (
  content: Content,
  { collection, entry }: Pick<StoredDraft, 'collection' | 'entry'>,
): unknown =>
  isList(collection) && entry === ORDER
    ? entriesOf(content, collection).map(({ id }) => id)
    : publishedValue(content, collection, entry)

/** @param published undefined for what is not published */
export const stateOf = (published: unknown, draft: StoredDraft | undefined): EntryState => {
  if (!draft?.isDraft) return 'same'
  if (draft.value === null) return 'removed'
  return published === undefined ? 'new' : 'changed'
}

const inOrder = <T extends { id: string }>(entries: readonly T[], ids: readonly string[]): T[] => {
  const place = (id: string) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
  return [...entries].sort((a, b) => place(a.id) - place(b.id))
}

export const withDrafts = (content: Content, drafts: readonly StoredDraft[]): Content => {
  const changed = drafts.filter(({ isDraft }) => isDraft)
  const its = (collection: string) => changed.filter((draft) => draft.collection === collection)
  const listEntries = (Object.keys(lists) as ListName[]).map((collection) => {
    const mine = its(collection).filter(({ entry }) => entry !== ORDER)
    const draftOf = (id: string) => mine.find(({ entry }) => entry === id)
    const published = entriesOf(content, collection)
    const kept = published.flatMap(({ id, data }) => {
      const draft = draftOf(id)
      if (!draft) return [{ id, data }]
      return draft.value === null ? [] : [{ id, data: draft.value }]
    })
    const added = mine
      .filter(({ entry, value }) => value !== null && !published.some(({ id }) => id === entry))
      .map(({ entry, value }) => ({ id: entry, data: value }))
    const order = its(collection).find(({ entry }) => entry === ORDER)
    const all = [...kept, ...added]
    return [collection, order ? inOrder(all, order.value as string[]) : all]
  })
  const singleValues = (Object.keys(singles) as SingleName[]).map((collection) => [
    collection,
    its(collection)[0]?.value ?? content[collection],
  ])
  return Object.fromEntries([...listEntries, ...singleValues]) as Content
}

/** An order that moves nothing is no change: what it had moved can have been removed since. */
export const withoutIdleOrders = (content: Content, drafts: readonly StoredDraft[]) => {
  const ids = (collection: ListName, from: readonly StoredDraft[]) =>
    withDrafts(content, from)[collection].map(({ id }) => id)
  return drafts.map((draft): StoredDraft => {
    const { collection, entry, isDraft } = draft
    if (entry !== ORDER || !isDraft || !isList(collection)) return draft
    const others = drafts.filter((other) => other !== draft)
    const isIdle = isDeepStrictEqual(ids(collection, drafts), ids(collection, others))
    return isIdle ? { ...draft, isDraft: false, value: null } : draft
  })
}

/** Entries that a page can do without, by the fields that name them: those that are gone are left out. */
const spared: Readonly<Record<string, Readonly<Record<string, ListName>>>> = {
  'service-pages': { questions: 'faq', work: 'work' },
  blog: { related: 'blog' },
}

/** References by the field's name: the collection whose entries it names. */
export const references: Record<string, Record<string, string>> = {
  ...spared,
  'home-services': { service: 'services' },
  plan: { service: 'services' },
}

/** Names of no entry that the drafts bring: the published document does not hold them. */
const unknownNames = (published: Content, drafts: readonly StoredDraft[], all: Content) =>
  drafts
    .filter(({ isDraft }) => isDraft)
    .flatMap(({ collection, entry: id, value }) =>
      Object.entries(spared[collection] ?? {}).flatMap(([field, list]): Problem[] => {
        const named = (document: unknown): unknown =>
          (document as Record<string, unknown> | null | undefined)?.[field]
        const before = [named(publishedValue(published, collection, id))].flat()
        const now = named(value)
        return [now ?? []].flat().flatMap((name, index) => {
          const isKnown = before.includes(name) || all[list].some((one) => one.id === name)
          const path = Array.isArray(now) ? [field, index] : [field]
          return isKnown ? [] : [{ collection, id, path, message: `There is no ${name}.` }]
        })
      }),
    )

export const draftProblems = (published: Content, drafts: readonly StoredDraft[]): Problem[] => {
  const all = withDrafts(published, drafts)
  return [...contentProblems(all), ...unknownNames(published, drafts, all)]
}

export const problemsOf = (problems: readonly Problem[], collection: string, id: string) =>
  problems
    .filter((problem) => problem.collection === collection && problem.id === id)
    .map(({ path, message }) => ({ path, message }))

const fieldLabels: Record<string, string> = {
  alsoOffered: 'Other name of the service',
  answerBy: 'Day of the answer',
  artefact: 'What it is',
  different: 'What we would do differently',
  drawingAlt: 'The picture in words',
  alt: 'The picture in words',
  hero: 'Picture at the head',
  heroAlt: 'The picture in words',
  href: 'Link to',
  intro: 'Introduction',
  heads: 'Headings',
  live: 'Link to the work',
  monthly: 'Price',
  once: 'Paid once',
  plate: 'Picture of the case (home, work, case page)',
  posted: 'Published on',
  reviewedBy: 'Reviewer',
  sample: 'Sample text',
  tag: 'Short name',
  updated: 'Last change',
  zone: 'Time zone',
}

/** "Opens at" for `opensAt`. */
export const labelOf = (key: string): string => {
  const label = fieldLabels[key]
  if (label) return label
  const words = key
    .replace(/[-_]/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const collectionLabels: Record<string, string> = {
  'consultation-services': 'Prices',
  positions: 'Positions',
  openings: 'Open or closed',
  hiring: 'Scoring of applications',
  faq: 'Questions',
  testimonials: 'Quotes',
  work: 'Cases',
  'home-services': 'Services on the home page',
  process: 'How we work',
  tags: 'Technologies',
  company: 'About',
  plan: 'Plan builder',
  forms: 'Labels of the forms',
  pages: 'Headings and introductions',
  blog: 'Articles',
  legal: 'Legal pages',
  brand: 'Brand and contact',
}

export const collectionLabel = (collection: string): string =>
  collectionLabels[collection] ?? labelOf(collection)

/** The words beside an entry in lists: whether a position is open, what a service costs, whose quote it is. */
export const noteIn = (all: Content, collection: string, id: string): string | null => {
  if (collection === 'testimonials') {
    const role: unknown = all.testimonials.find((one) => one.id === id)?.data.role
    return isText(role) ? role : null
  }
  if (collection === 'consultation-services') {
    const service = all['consultation-services'].find((one) => one.id === id)?.data
    if (typeof service?.monthly !== 'number') return service ? 'Free' : null
    return `${money(all.brand, service.monthly)}${service.once ? '' : ' a month'}`
  }
  if (collection !== 'positions' && collection !== 'openings') return null
  const opening = all.openings.find((one) => one.id === id)?.data
  if (typeof opening?.open !== 'boolean') return 'Closed'
  const states = { open: 'Open', upcoming: 'Opens later', closed: 'Closed' }
  return states[openingState(opening, new Date())]
}

/** The title of an entry in lists: that of the first of its values which has one. */
export const titleOf = (collection: string, id: string, ...values: unknown[]): string => {
  if (isSingle(collection)) return collectionLabel(collection)
  if (id === ORDER) return 'Order'
  const titles = values.flatMap((value) => {
    const named = (value ?? {}) as Record<string, unknown>
    return ['title', 'question', 'name', 'label'].map((key) => named[key])
  })
  return titles.find(isText) ?? id
}

/** The collection whose entries have the same ids, and name the entries of this one. */
const abouts: Readonly<Record<string, 'positions' | 'services'>> = {
  openings: 'positions',
  hiring: 'positions',
  'service-pages': 'services',
}

/** The same, where an entry about a position or a service has the title of that. */
export const titleIn = (all: Content, collection: string, id: string, ...values: unknown[]) => {
  const about = id === ORDER ? undefined : abouts[collection]
  const title: unknown = about && all[about].find((one) => one.id === id)?.data.title
  return isText(title) ? title : titleOf(collection, id, ...values)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The blocks of a long text that others took the place of, as text. */
const changedBlocks = (from: readonly unknown[], to: readonly unknown[]) => {
  let start = 0
  while (start < from.length && isDeepStrictEqual(from[start], to[start])) start += 1
  let end = 0
  while (
    end < Math.min(from.length, to.length) - start &&
    isDeepStrictEqual(from.at(-1 - end), to.at(-1 - end))
  )
    end += 1
  const words = (blocks: readonly unknown[]) =>
    blocks
      .slice(start, blocks.length - end)
      .map(plainText)
      .join('\n')
  return { from: words(from), to: words(to) }
}

const blocksOf = (value: unknown): readonly unknown[] | undefined =>
  isObject(value) && value.type === 'doc' && Array.isArray(value.content)
    ? value.content
    : undefined

/** The fields that differ. Lists of different lengths are one field, and so is a long text. */
const changedFields = (
  from: unknown,
  to: unknown,
  path: readonly (string | number)[] = [],
): Change['fields'] => {
  if (isDeepStrictEqual(from, to)) return []
  const [blocks, others] = [blocksOf(from), blocksOf(to)]
  if (others) return [{ path: [...path], label: 'Text', ...changedBlocks(blocks ?? [], others) }]
  if (isObject(from) && isObject(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])]
    return keys.flatMap((key) => changedFields(from[key], to[key], [...path, key]))
  }
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length)
    return from.flatMap((item, index) => changedFields(item, to[index], [...path, index]))
  const named = path.findLast((key) => typeof key === 'string')
  return [
    { path: [...path], label: labelOf(String(named ?? '')), from: from ?? null, to: to ?? null },
  ]
}

/** The part of a page's address before the name of its entry. */
const pageFolders: Readonly<Record<string, string>> = {
  'service-pages': '/services',
  work: '/work',
  positions: '/careers',
  blog: '/blog',
  legal: '',
}

export const addressOf = (collection: string, id: string): string | undefined => {
  const folder = pageFolders[collection]
  return folder === undefined ? undefined : `${folder}/${id}`
}

/** Entries whose texts name an entry, ask for its price or link to its page. */
export const usersOf = (all: Content, collection: string, id: string): Draft['usedBy'] => {
  const address = addressOf(collection, id)
  const price = collection === 'consultation-services' ? `{price:${id}}` : undefined
  return documentsIn(all)
    .filter((one) => {
      const isSame = one.id === id && one.collection === collection
      const isPage =
        one.id === id && one.collection === 'service-pages' && collection === 'services'
      const uses = textsOf(one.data).some(
        ([path, text]) =>
          (price && text.includes(price)) ||
          text.split(/[#?]/)[0] === address ||
          (text === id &&
            references[one.collection]?.[String(path.findLast(isText))] === collection),
      )
      return !isSame && (isPage || uses)
    })
    .map((one) => ({
      collection: one.collection,
      id: one.id,
      title: titleIn(all, one.collection, one.id, one.data),
      label: collectionLabel(one.collection),
    }))
}

/** Former addresses of pages, with the present ones. */
export type Moved = Readonly<Record<string, string>>

/** The part of the fields that are the same, from 0 to 1. */
const likeness = (a: unknown, b: unknown): number => {
  if (!isObject(a) || !isObject(b)) return 0
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return keys.filter((key) => isDeepStrictEqual(a[key], b[key])).length / keys.length
}

/**
 * The redirects of a release: those of the one before, and one for each page whose address has changed. An entry that
 * goes while one like it comes has changed its address; where several go or come, those most alike belong together.
 */
export const movedAddresses = (before: Content, after: Content, known: Moved): Moved => {
  const pagesOf = (content: Content) =>
    (Object.keys(pageFolders) as ListName[]).flatMap((collection) =>
      (content[collection] ?? []).map(({ id, data }) => ({
        collection,
        id,
        data,
        address: `${pageFolders[collection]}/${id}`,
      })),
    )
  // The address of another page stays its own.
  const former = pagesOf(before).filter(({ collection, id }) => !isReserved(collection, id))
  const present = pagesOf(after)
  const isIn = (pages: typeof former, one: { collection: string; id: string }) =>
    pages.some(({ collection, id }) => collection === one.collection && id === one.id)
  const added = present.filter((page) => !isIn(former, page))
  const pairs = former
    .filter((page) => !isIn(present, page))
    .flatMap((page) =>
      added
        .filter(({ collection }) => collection === page.collection)
        .map((now) => ({
          from: page.address,
          to: now.address,
          like: likeness(now.data, page.data),
        })),
    )
    .sort((a, b) => b.like - a.like)
  const moves: Record<string, string> = {}
  for (const { from, to, like } of pairs)
    if (like >= 0.5 && !moves[from] && !Object.values(moves).includes(to)) moves[from] = to
  const all = [
    ...Object.entries(known).map(([from, to]) => [from, moves[to] ?? to] as const),
    ...Object.entries(moves),
  ]
  const shown = new Set(present.map(({ address }) => address))
  return Object.fromEntries(all.filter(([from, to]) => !shown.has(from) && shown.has(to)))
}

const followLinks = (value: unknown, moved: Moved): unknown => {
  if (Array.isArray(value)) return value.map((one) => followLinks(one, moved))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === 'href' && typeof one === 'string'
        ? one.replace(/^[^?#]*/, (path) => moved[path] ?? path)
        : followLinks(one, moved),
    ]),
  )
}

/** The documents with each link to a former address replaced by one to the present address. */
export const withLinksFollowed = (documents: Content, moved: Moved): Content =>
  Object.keys(moved).length === 0 ? documents : (followLinks(documents, moved) as Content)

export const changesOf = (content: Content, drafts: readonly StoredDraft[]): Change[] => {
  const problems = draftProblems(content, drafts)
  return drafts
    .filter(({ isDraft }) => isDraft)
    .map((draft) => {
      const { collection, entry: id, value } = draft
      const isOrder = isList(collection) && id === ORDER
      const published = besideDraft(content, draft)
      return {
        collection,
        id,
        title: titleIn(content, collection, id, value, published),
        state: isOrder ? ('changed' as const) : stateOf(published, draft),
        fields: isOrder
          ? [{ path: [], label: 'Order', from: published, to: value }]
          : changedFields(published ?? {}, value ?? {}),
        problems: problemsOf(problems, collection, id),
      }
    })
}

/** The problems that the drafts make in entries without a draft. */
export const problemsElsewhere = (content: Content, drafts: readonly StoredDraft[]) =>
  draftProblems(content, drafts).filter(
    ({ collection, id }) =>
      !drafts.some((one) => one.isDraft && one.collection === collection && one.entry === id),
  )

export const picturesIn = (documents: Content): string[] => [
  ...new Set(
    [...JSON.stringify(documents).matchAll(/\/media\/([0-9a-f]{64})/g)].map(
      ([, hash = '']) => hash,
    ),
  ),
]
