import type { MutationOptions } from '@tanstack/react-query'
import { newKey } from '#client/idempotency-key.ts'
import type { KindPath } from '#contract/inbox.ts'
import { keys } from '../record/keys.ts'
import { patchRows } from '../record/list-records.ts'
import { readRecord } from '../record/read-record.ts'
import { type Patch, type RecordDetail, sameForStaff } from '../record/record.ts'
import { queryClient } from '../session/query-client.ts'
import { onSignedOut, sentenceOf } from '../session/session.ts'
import { dismissNotice, notify } from '../shell/notices.tsx'
import {
  type Change,
  type ChangeMutation,
  changesIn,
  isConflict,
  latestToUndo,
  mutationOf,
  type Saved,
  storedOf,
  undoneAmong,
  unsavedAmong,
} from './change.ts'
import { afterEarlier, versionFor } from './order.ts'
import {
  isTemporary,
  pause,
  refusalOf,
  requestsToTry,
  retryDelayMs,
  tryNow,
} from './retry-policy.ts'
import { undoEvents } from './undo.ts'

/** The life of a change: shown and sent at once, sent again, saved, refused, discarded, undone. */

const cache = queryClient.getMutationCache()

/** Shows a change, saves it, and offers to undo it. A change of a text that is kept may bring its own key. */
export const makeChange = (wanted: Omit<Change, 'key'> & { key?: string }): Change => {
  const change = { key: newKey(), ...wanted }
  const mutation = cache.build(queryClient, optionsOf(change))
  // Failures are told by `onError`.
  void mutation.execute(change).catch(() => undefined)
  if (!change.isLong) announce(change, change.text)
  return change
}

const optionsOf = (change: Change): MutationOptions<Saved, Error, Change> => {
  const [only, ...others] = change.edits
  return {
    mutationKey: keys.change,
    ...(only && others.length === 0 ? { scope: { id: only.record._id } } : {}),
    networkMode: 'always',
    gcTime: Number.POSITIVE_INFINITY,
    retry: (_failures, error) => isTemporary(error, change.message !== undefined),
    // `save` pauses by itself, so that a pause can be ended.
    retryDelay: 0,
    mutationFn: save,
    onSuccess: (saved) => showSaved(change, saved),
    onError: (error) => showRefused(change, error),
    onSettled: (saved) => {
      refresh(change, saved)
      change.onEnd?.()
    },
  }
}

class Discarded extends Error {}

/** The value of {@link requestsToTry} when a change's latest attempt began. */
const requestsBefore = new WeakMap<ChangeMutation, number>()

const save = async (change: Change): Promise<Saved> => {
  const mutation = mutationOf(cache, change)
  if (!mutation) throw new Discarded()
  const { failureCount, failureReason } = mutation.state
  if (failureCount > 0 && requestsBefore.get(mutation) === requestsToTry())
    await pause(retryDelayMs(failureCount, failureReason))
  // Wait for the author: another person may sign in first, here or in another tab.
  while (!isClaimed) await pause(retryDelayMs(1, failureReason))
  requestsBefore.set(mutation, requestsToTry())
  await afterEarlier(mutation)
  if (!mutationOf(cache, change)) throw new Discarded()
  try {
    return await change.save({ key: change.key, version: versionFor(change) })
  } catch (error) {
    // The notice said what is now so; until it is saved, the bar of unsaved changes speaks.
    if (isTemporary(error)) dismissNotice()
    throw error
  }
}

/** Shows records as they are stored now in every loaded page and detail. */
const write = (kind: KindPath, patches: ReadonlyMap<string, Patch>): void => {
  patchRows(kind, patches)
  for (const [id, patch] of patches) {
    const queryKey = keys.detail(kind, id)
    void queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData<RecordDetail>(queryKey, (detail) =>
      'activity' in patch ? (patch as RecordDetail) : detail && { ...detail, ...patch },
    )
  }
}

const showSaved = (change: Change, saved: Saved): void => {
  const { kind, edits } = change
  // The answer came after it was discarded: what was saved is taken back.
  if (discarded.delete(change.key)) {
    makeUndo(change, () => saved)
    return
  }
  const mutation = mutationOf(cache, change)
  if (!mutation) return
  const { record, changed, events, leavesAt } = saved
  const done = edits.filter((edit) => !changed || changed.includes(edit.record._id))
  write(kind, new Map(done.map((edit) => [edit.record._id, record ?? edit.patch])))
  // The sender may be on another screen by now.
  if (leavesAt && mutation.state.failureCount > 0) announce(change, change.text, leavesAt)
  if (!saved.text) return
  if (events.length > 0) announce(change, saved.text)
  // A message that went to nobody: there is nothing to undo.
  else if (change.message !== undefined) notify({ text: saved.text, tone: 'bad' })
}

const announce = (change: Change, text: string, leavesAt?: number): void =>
  notify({
    text,
    ...(leavesAt ? { leavesAt } : {}),
    ...(change.undoes
      ? {}
      : { action: { label: 'Undo', key: 'z', run: () => undo(mutationOf(cache, change)) } }),
  })

const showRefused = (change: Change, error: Error): void => {
  if (discarded.delete(change.key)) {
    // Out of reach still: what is stored shows as soon as it can be read.
    void takeBack(change).catch(() => undefined)
    return
  }
  // After a sign-out the change has left the cache; the next person must not be told about it.
  if (error instanceof Discarded || !mutationOf(cache, change)) return
  const sentence = refusal(change, error)
  if (change.onRefused) {
    change.onRefused(sentence, error)
    return
  }
  const stored = storedOf(error)
  if (!stored) {
    notify({ text: sentence, tone: 'bad' })
    return
  }
  write(change.kind, new Map([[stored._id, stored]]))
  dismissNotice()
  // Changed and changed back: nothing that anyone would have to choose about.
  const [edit] = change.edits
  if (edit && sameForStaff(stored, edit.record)) change.again?.(stored)
}

/** Names the record only if the change is of a single one. */
const refusal = ({ edits: [only, ...others], failure }: Change, error: Error): string =>
  only && others.length === 0
    ? refusalOf(error, only.record.name, failure)
    : sentenceOf(error, failure)

/** Settled changes that are kept, for `z`. */
const historyLength = 50

const refresh = ({ kind, edits }: Change, saved: Saved | undefined): void => {
  void queryClient.invalidateQueries({ queryKey: keys.lists(kind) })
  void queryClient.invalidateQueries({ queryKey: keys.counts })
  if (!saved?.record) {
    const ids = new Set<unknown>(edits.map(({ record }) => record._id))
    void queryClient.invalidateQueries({
      queryKey: keys.details(kind),
      predicate: ({ queryKey }) => ids.size === 0 || ids.has(queryKey.at(-1)),
    })
  }
  const all = changesIn(cache)
  const saves = all.filter(({ state }) => state.status === 'success')
  const failures = all.filter((one) => one.state.status === 'error' && !isConflict(one))
  for (const old of [...failures, ...saves.slice(0, -historyLength)]) cache.remove(old)
}

/** Keys of changes that were discarded; one that is on its way at that moment may still be saved. */
const discarded = new Set<string>()

/**
 * Takes an unsaved change back: the records are shown as they are stored. If it had arrived after all
 * and only its answer was lost, it is undone.
 */
export const discard = (mutation: ChangeMutation): void => {
  const { variables: change } = mutation.state
  discarded.add(change.key)
  cache.remove(mutation)
  void cache.runNext(mutation)
  refresh(change, undefined)
  notify({ text: `Discarded: ${change.text}` })
  // Ends its pause.
  tryNow()
}

/** Undoes a discarded change that is stored all the same; sent again, it gets the lost answer. */
const takeBack = async (change: Change): Promise<void> => {
  const [edit] = change.edits
  if (!edit) return
  const version = versionFor(change)
  const stored = await readRecord(change.kind, edit.record._id)
  const isMade =
    stored.version !== (version ?? edit.record.version) &&
    sameForStaff(stored, { ...edit.record, ...edit.patch })
  if (!isMade) return
  const saved = await change.save({ key: change.key, version })
  makeUndo(change, () => saved)
}

/** Leaves a conflict as it is stored. */
export const dropConflict = (conflict: ChangeMutation): void => cache.remove(conflict)

export const undoLatest = (): void => {
  const latest = latestToUndo(changesIn(cache))
  if (latest) undo(latest)
  else notify({ text: 'Nothing to undo' })
}

export const isUndone = ({ state }: ChangeMutation): boolean =>
  undoneAmong(changesIn(cache)).has(state.variables.key)

export const undo = (mutation: ChangeMutation | undefined): void => {
  if (!mutation) notify({ text: 'That change was not made.' })
  else if (unsavedAmong(changesIn(cache)).includes(mutation)) discard(mutation)
  else makeUndo(mutation.state.variables, () => mutation.state.data)
}

/** A state that a change led to is no more: "in the trash" would read as if it were. */
const undoneText = (
  { edits: [only, ...others], message, text }: Change,
  saved: Saved | undefined,
) =>
  only && others.length === 0 && message === undefined
    ? `${only.record.name} is as before`
    : (saved?.done ?? saved?.text ?? text).replace(/ are .*$/, ' are as before')

const makeUndo = (change: Change, saved: () => Saved | undefined): void => {
  makeChange({
    kind: change.kind,
    edits: change.edits.map(({ record, patch }) => ({
      record: { ...record, ...patch },
      patch: Object.fromEntries(
        Object.entries(record).filter(([field]) => field in patch),
      ) as Patch,
    })),
    text: `Undone: ${undoneText(change, saved())}`,
    failure: 'Failed to undo. Please try again.',
    undoes: change.key,
    save: ({ key }) => undoEvents(change, saved()?.events ?? [], key),
  })
}

let owner: string | null = null
let isClaimed = false

const forget = (): void => {
  discarded.clear()
  for (const mutation of changesIn(cache)) cache.remove(mutation)
}

/**
 * Unsaved changes wait through a lapsed sign-in, for the same person alone. Nothing is sent between
 * the end of one claim, which this returns, and the next.
 */
export const claimChanges = (person: string): (() => void) => {
  if (owner !== null && owner !== person) forget()
  owner = person
  isClaimed = true
  tryNow()
  return () => {
    isClaimed = false
  }
}

onSignedOut(forget)

if (typeof window !== 'undefined')
  window.addEventListener('beforeunload', (event) => {
    if (changesIn(cache).some(({ state }) => state.status === 'pending')) event.preventDefault()
  })
