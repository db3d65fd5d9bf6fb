import { useLayoutEffect, useMemo } from 'react'
import { newKey } from '#client/idempotency-key.ts'
import type { Draft, KindPath } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { limits } from '#contract/limits.ts'
import { createStore } from '../../browser/store.ts'
import { beforeSignOut } from '../../session/before-sign-out.ts'
import { ask, onSignedOut } from '../../session/session.ts'
import type { RecordDetail } from '../record.ts'

/**
 * Texts that were begun. An answer is stored on the server while it is typed; until it is there, and as long
 * as a note or an offer is typed, the tab's storage keeps it, by ids alone.
 */

/** The storage key of one person's text or form about one record, or of a change of one offer. */
export const draftKey = (
  kind: 'form' | 'note' | 'offer' | 'reply',
  user: string,
  id: string,
): string => `${kind}:${user}:${id}`

/** The storage key of the subject of an answer. */
export const subjectKey = (draft: string): string => draft.replace(':', ':subject:')

/** The storage key of the `Idempotency-Key` of a draft that was sent. */
const sentKey = (draft: string): string => draft.replace(':', ':key:')

/** The storage key of the agents' texts that an answer was made of. */
const usedKey = (draft: string): string => draft.replace(':', ':used:')

/** Counts what was written, for components that show it. */
const writes = createStore(0)
const tell = (): void => writes.set(writes.get() + 1)

/** Typed answers that the server holds. */
const typed = new Map<string, string>()

export const readDraft = (draft: string): string =>
  typed.get(draft) ?? sessionStorage.getItem(draft) ?? ''

export const useDraft = (draft: string): string => {
  writes.use()
  return readDraft(draft)
}

const keepInTab = (key: string, text: string): void => {
  if (text) sessionStorage.setItem(key, text)
  else sessionStorage.removeItem(key)
}

export const writeDraft = (draft: string, text: string): void => {
  sessionStorage.removeItem(sentKey(draft))
  if (draft.startsWith('reply:')) typed.set(draft, text)
  keepInTab(draft, text)
  if (!text) keepInTab(usedKey(draft), '')
  refusals.delete(draft)
  tell()
}

/** The agents' texts that an answer was made of, also those that the server holds no more. */
export const readUsed = (draft: string): string => sessionStorage.getItem(usedKey(draft)) ?? ''

export const keepUsed = (draft: string, text: string): void =>
  keepInTab(usedKey(draft), `${readUsed(draft)}\n${text}`)

const formIn = <Values>(text: string) => (text ? (JSON.parse(text) as Values) : null)

/** The values of a form that the tab keeps; null before the first change, and after the last one is sent. */
export const readForm = <Values>(draft: string) => formIn<Values>(readDraft(draft))

export const keepForm = (draft: string, values: object | null): void =>
  writeDraft(draft, values ? JSON.stringify(values) : '')

export const useKeptForm = <Values extends object>(draft: string) => {
  const text = useDraft(draft)
  return [
    useMemo(() => formIn<Values>(text), [text]),
    (values: Values | null) => keepForm(draft, values),
  ] as const
}

/** An answer as the server holds it, with the time of that: the server's, and when this tab knew it. */
type Held = Pick<Draft, 'text' | 'at'> & { subject: string; since: number }
const held = new Map<string, Held>()

const isHeld = (draft: string): boolean => {
  const known = held.get(draft)
  return (
    (known?.text ?? '') === readDraft(draft) &&
    (known?.subject ?? '') === readDraft(subjectKey(draft))
  )
}

/** True if a message with this text has gone since the server held it, such as from another device. */
const isSent = ({ text, at }: Held, { activity }: RecordDetail): boolean => {
  const begins = [...text.trim()].slice(0, limits.activity.text).join('')
  return activity.some(
    (entry) =>
      entry.kind === 'message' &&
      entry.delivery !== 'recalled' &&
      entry.at >= at &&
      entry.text === begins,
  )
}

/** The server holds it no more, such as after its author has discarded it on another device. */
const keepAgain = (draft: string): void => {
  held.delete(draft)
  for (const key of [draft, subjectKey(draft)]) keepInTab(key, readDraft(key))
  tell()
}

/** Takes over what the server holds of an answer, unless this tab has a newer text. */
const takeHeld = (draft: string, record: RecordDetail): void => {
  const { draft: stored } = record
  const known = held.get(draft)
  if (!stored && known?.text && isHeld(draft)) {
    if (isSent(known, record)) forgetDraft(draft)
    else if ((record.readAt ?? 0) > known.since) keepAgain(draft)
  }
  if (!stored || (known && known.at >= stored.at)) return
  const isNewer = known ? isHeld(draft) : !typed.has(draft) && readDraft(draft) === ''
  held.set(draft, { ...stored, subject: stored.subject ?? '', since: Date.now() })
  if (!isNewer) return
  typed.set(draft, stored.text)
  typed.set(subjectKey(draft), stored.subject ?? '')
  tell()
}

/** One's answer to a record: what is typed, else what the server holds. */
export const useReply = (draft: string, record: RecordDetail): string => {
  const text = useDraft(draft)
  useLayoutEffect(() => takeHeld(draft, record), [draft, record])
  return text
}

/** Answers that are to be stored, each with how, by their keys. */
const waiting = new Map<string, () => Promise<void>>()
const underWay = new Map<string, Promise<void>>()
const timers = new Map<string, number>()

/** Long enough for a pause in typing. */
const PAUSE_MS = 800

/** Stores an answer once its author pauses. */
export const storeDraft = (kind: KindPath, id: string, draft: string): void => {
  waiting.set(draft, () => store(kind, id, draft))
  clearTimeout(timers.get(draft))
  const timer = window.setTimeout(() => void waiting.get(draft)?.(), PAUSE_MS)
  timers.set(draft, timer)
}

const store = async (kind: KindPath, id: string, draft: string): Promise<void> => {
  clearTimeout(timers.get(draft))
  await underWay.get(draft)
  const [text, subject] = [readDraft(draft), readDraft(subjectKey(draft))]
  const work = ask(anyKind[kind].draft, { params: { id }, body: { text, subject } }).then(
    ({ data }) => {
      const at = data?.at ?? held.get(draft)?.at ?? ''
      held.set(draft, { text, subject, at, since: Date.now() })
      if (!isHeld(draft)) return
      waiting.delete(draft)
      for (const key of [draft, subjectKey(draft)]) sessionStorage.removeItem(key)
      tell()
    },
    // It stays in the tab, and is stored with the next keystroke or connection.
    () => undefined,
  )
  underWay.set(draft, work)
  await work
}

export const useIsHeld = (draft: string): boolean => {
  writes.use()
  return isHeld(draft)
}

/** Waits for what is being stored, and stores nothing more: the text goes as a message. */
export const endStoring = async (draft: string): Promise<void> => {
  clearTimeout(timers.get(draft))
  waiting.delete(draft)
  await underWay.get(draft)
}

/** The server has ended the draft together with its message. */
export const forgetDraft = (draft: string): void => {
  held.set(draft, { text: '', subject: '', at: held.get(draft)?.at ?? '', since: Date.now() })
  writeDraft(subjectKey(draft), '')
  writeDraft(draft, '')
}

const storeAll = (): Promise<unknown> => Promise.all([...waiting.values()].map((run) => run()))
beforeSignOut(storeAll)
addEventListener('online', () => void storeAll())
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void storeAll()
})
onSignedOut(() => {
  for (const timer of timers.values()) clearTimeout(timer)
  for (const known of [typed, held, waiting, refusals]) known.clear()
})

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
