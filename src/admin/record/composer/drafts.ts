import { newKey } from '#client/idempotency-key.ts'
import { createStore } from '../../browser/store.ts'

/**
 * Texts that were begun, in the tab's storage, by ids alone: a lapsed sign-in or a reload loses nothing,
 * and nothing names a person.
 */

/** The storage key of one person's text about one record. */
export const draftKey = (kind: 'note' | 'reply', user: string, record: string): string =>
  `${kind}:${user}:${record}`

/** The storage key of the `Idempotency-Key` of a draft that was sent. */
const sentKey = (draft: string): string => draft.replace(':', ':key:')

/** Counts what was written, for components that show it. */
const writes = createStore(0)
const tell = (): void => writes.set(writes.get() + 1)

export const readDraft = (draft: string): string => sessionStorage.getItem(draft) ?? ''

export const useDraft = (draft: string): string => {
  writes.use()
  return readDraft(draft)
}

export const writeDraft = (draft: string, text: string): void => {
  sessionStorage.removeItem(sentKey(draft))
  if (text) sessionStorage.setItem(draft, text)
  else sessionStorage.removeItem(draft)
  refusals.delete(draft)
  tell()
}

/** The `Idempotency-Key` of a draft: sent again unchanged, it is stored once. */
export const keyOfDraft = (draft: string): string => {
  const key = sessionStorage.getItem(sentKey(draft)) ?? newKey()
  sessionStorage.setItem(sentKey(draft), key)
  return key
}

/** After a refusal another try is another text. */
export const forgetKeyOfDraft = (draft: string): void => sessionStorage.removeItem(sentKey(draft))

/** Refusals of drafts, until they are changed or sent again. */
const refusals = new Map<string, string>()

export const setRefusal = (draft: string, sentence: string | null): void => {
  if (sentence === null) refusals.delete(draft)
  else refusals.set(draft, sentence)
  tell()
}

export const useRefusal = (draft: string): string | undefined => {
  writes.use()
  return refusals.get(draft)
}
