import { isDeepStrictEqual } from 'node:util'
import { type Content, type ListName, lists } from '#contract/content/collections.ts'
import {
  collectionNames,
  entriesOf,
  isList,
  ORDER,
  publishedValue,
  type StoredDraft,
  withDrafts,
} from './documents.ts'

/** Makes drafts that lead from the published documents to others, such as those of the files or of an older release. */

const none = { isDraft: true, version: 0, updatedAt: '', updatedBy: '' }

const idsIn = (content: Content, collection: ListName): string[] =>
  entriesOf(content, collection).map(({ id }) => id)

export const draftsTowards = (published: Content, wanted: Content): StoredDraft[] =>
  collectionNames.flatMap((collection): StoredDraft[] => {
    if (!isList(collection)) {
      if (isDeepStrictEqual(published[collection], wanted[collection])) return []
      return [{ ...none, collection, entry: collection, value: wanted[collection] as unknown }]
    }
    const [from, to] = [idsIn(published, collection), idsIn(wanted, collection)]
    const changed = [...new Set([...from, ...to])].flatMap((entry) => {
      const value = publishedValue(wanted, collection, entry) ?? null
      const now = publishedValue(published, collection, entry) ?? null
      return isDeepStrictEqual(now, value) ? [] : [{ ...none, collection, entry, value }]
    })
    const isMoved = !isDeepStrictEqual(idsIn(withDrafts(published, changed), collection), to)
    return isMoved ? [...changed, { ...none, collection, entry: ORDER, value: to }] : changed
  })

const isSame = (a: StoredDraft, b: StoredDraft): boolean =>
  a.collection === b.collection && a.entry === b.entry

/** Orders that put entries which come back behind those that they followed. */
const placesOf = (
  published: Content,
  wanted: Content,
  drafts: readonly StoredDraft[],
  chosen: readonly StoredDraft[],
): StoredDraft[] =>
  (Object.keys(lists) as ListName[]).flatMap((collection) => {
    const mine = chosen.filter((draft) => draft.collection === collection)
    if (mine.some(({ entry }) => entry === ORDER)) return []
    const others = drafts.filter((draft) => !mine.some((one) => isSame(one, draft)))
    const ids = idsIn(withDrafts(published, [...others, ...mine]), collection)
    const wantedIds = idsIn(wanted, collection)
    const value = mine
      .map(({ entry }) => entry)
      .filter((id) => wantedIds.includes(id) && !idsIn(published, collection).includes(id))
      .reduce((all, id) => {
        const rest = all.filter((one) => one !== id)
        const before = wantedIds.slice(0, wantedIds.indexOf(id))
        const place = rest.indexOf(before.findLast((one) => rest.includes(one)) ?? '') + 1
        return rest.toSpliced(place, 0, id)
      }, ids)
    return isDeepStrictEqual(value, ids) ? [] : [{ ...none, collection, entry: ORDER, value }]
  })

/**
 * Gives the changes of drafts that bring a release back: a draft for each text that has changed since, the place of
 * each entry that comes back, and the end of the draft (`isDraft` false) where the published text is that of the
 * release. A new entry that was never published keeps its draft.
 *
 * @param isChosen false for what stays as it is
 */
export const draftsOfRelease = (
  published: Content,
  wanted: Content,
  drafts: readonly StoredDraft[],
  isChosen: (draft: StoredDraft) => boolean,
): StoredDraft[] => {
  const towards = draftsTowards(published, wanted)
  const isKept = (draft: StoredDraft) =>
    (draft.entry !== ORDER &&
      publishedValue(published, draft.collection, draft.entry) === undefined) ||
    towards.some((one) => isSame(one, draft))
  const idle = drafts.filter((draft) => draft.isDraft && !isKept(draft))
  const chosen = [
    ...towards,
    ...idle.map((draft) => ({ ...draft, isDraft: false, value: null })),
  ].filter(isChosen)
  return [...chosen, ...placesOf(published, wanted, drafts, chosen)]
}
