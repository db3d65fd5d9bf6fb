import { type Mutation, type MutationCache, useMutationState } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ApiError } from '#client/call.ts'
import type { KindPath } from '#contract/inbox.ts'
import { shownDetail, shownRow } from '../record/blind.ts'
import { keys } from '../record/keys.ts'
import { type InboxRecord, type Patch, type RecordDetail, sameForStaff } from '../record/record.ts'

/**
 * A change of records: the variables of a mutation. The mutation cache holds those on their way and
 * the latest that were saved. See docs/decisions/098-changes-are-mutations.md.
 */
export interface Change {
  /** The `Idempotency-Key`, made once: a repeated call gets the first answer again. */
  key: string
  kind: KindPath
  /** The records as they were, and what becomes of each. */
  edits: readonly Edit[]
  text: string
  /** The sentence for a refusal without a message. */
  failure: string
  /** Sends it, for the first time or again. */
  save: (attempt: { key: string; version: number | undefined }) => Promise<Saved>
  /** Makes the same change on top of another version, after a conflict. */
  again?: (stored: InboxRecord) => void
  /** The key of the change that this one undoes. */
  undoes?: string
  /** It is announced once it is saved, not before. */
  isLong?: boolean
  /** The message to the sender, shown in the conversation until it is stored. */
  message?: string
  /** Instead of the notice where the server refuses it. */
  onRefused?: (sentence: string, error: Error) => void
  onUndone?: () => void
  onEnd?: () => void
}

export interface Edit {
  record: InboxRecord
  patch: Patch
}

export interface Saved {
  /** The server's names of what was done, for undo. */
  events: readonly string[]
  /** The stored record after a change of one. */
  record?: RecordDetail
  /** The ids of the changed records, if not all changed. */
  changed?: readonly string[]
  /** Messages only: when it leaves and can no longer be undone, by this device's clock. */
  leavesAt?: number
  /** The sentence for the notice, if it was not known beforehand. */
  text?: string
  /** The name of the change for its undo, if `text` says something else. */
  done?: string
}

/** A change that was made: it is executed, and so has variables, as soon as it is built. */
export type ChangeMutation = Mutation<Saved, Error, Change> & { state: { variables: Change } }

/** All changes that the cache holds, oldest first. */
export const changesIn = (cache: MutationCache): ChangeMutation[] =>
  cache.findAll({ mutationKey: keys.change }) as ChangeMutation[]

export const mutationOf = (cache: MutationCache, { key }: Change): ChangeMutation | undefined =>
  changesIn(cache).find(({ state }) => state.variables.key === key)

/** The stored record of a version conflict. */
export const storedOf = (error: unknown): InboxRecord | null =>
  error instanceof ApiError && error.status === 409 && isRecord(error.data)
    ? shownStored(error.data)
    : null

const shownStored = (record: InboxRecord | RecordDetail): InboxRecord =>
  'activity' in record ? shownDetail(record) : shownRow(record)

const isRecord = (value: unknown): value is InboxRecord =>
  typeof value === 'object' && value !== null && 'box' in value

/** True if a failed change waits for a choice between what is stored and what was wanted. */
export const isConflict = ({ state }: ChangeMutation): boolean => {
  const stored = state.status === 'error' && storedOf(state.error)
  const edit = stored && state.variables.edits[0]
  if (!stored || !edit) return false
  const wanted = { ...edit.record, ...edit.patch }
  return !sameForStaff(stored, edit.record) && !sameForStaff(stored, wanted)
}

/** Changes that were sent without being saved, and changes of the same records that wait behind them. */
export const unsavedAmong = (changes: readonly ChangeMutation[]): ChangeMutation[] => {
  const waiting = new Set<string>()
  return changes.filter((change) => {
    if (!isPending(change)) return false
    const ids = idsOf(change)
    const isUnsaved = change.state.failureCount > 0 || ids.some((id) => waiting.has(id))
    if (isUnsaved) for (const id of ids) waiting.add(id)
    return isUnsaved
  })
}

const useChanges = (filter: (mutation: ChangeMutation) => boolean): ChangeMutation[] =>
  useMutationState({
    filters: {
      mutationKey: keys.change,
      predicate: (mutation) => filter(mutation as ChangeMutation),
    },
    select: (mutation) => mutation as ChangeMutation,
  })

const isAlive = ({ state }: ChangeMutation): boolean => state.status !== 'error'

/** Keys of the changes that others among these undo. */
export const undoneAmong = (changes: readonly ChangeMutation[]): ReadonlySet<string | undefined> =>
  new Set(changes.filter(isAlive).map(({ state }) => state.variables.undoes))

/** The latest change that has not been undone, of those that the cache holds. */
export const latestToUndo = (changes: readonly ChangeMutation[]): ChangeMutation | undefined => {
  const alive = changes.filter(isAlive)
  const undone = undoneAmong(alive)
  return alive.findLast(
    ({ state: { variables } }) => !variables.undoes && !undone.has(variables.key),
  )
}

/** True if there is something that `undoLatest` undoes. */
export const useMayUndo = (): boolean => latestToUndo(useChanges(isAlive)) !== undefined

/** A message to a sender, as this tab sent it. */
export interface SentMessage {
  change: ChangeMutation
  text: string
  isPending: boolean
  /** Tried without success; it is tried again. */
  isWaiting: boolean
  leavesAt: number | undefined
}

/** All changes, each with the part of its state that is drawn: a mutation stays the same object while it changes. */
const useStates = () =>
  useMutationState({
    filters: { mutationKey: keys.change },
    select: (mutation) => {
      const change = mutation as ChangeMutation
      const { status, failureCount, data } = change.state
      return { change, status, failureCount, leavesAt: data?.leavesAt }
    },
  })

/** The messages to the sender of a record that are on their way, or stored and not undone. */
export const useSentMessages = (id: string): SentMessage[] =>
  useStates().flatMap(({ change, status, failureCount, leavesAt }, _, all) => {
    const { message, undoes, edits, key } = change.state.variables
    const isOurs = edits.some(({ record }) => record._id === id)
    if (message === undefined || undoes || !isOurs || status === 'error') return []
    if (undoneAmong(all.map((one) => one.change)).has(key)) return []
    const isPending = status === 'pending'
    return { change, text: message, isPending, isWaiting: isPending && failureCount > 0, leavesAt }
  })

export const useUnsaved = (): ChangeMutation[] => {
  const all = useStates()
  return useMemo(() => unsavedAmong(all.map(({ change }) => change)), [all])
}

export const useConflict = (): ChangeMutation | undefined => useChanges(isConflict)[0]

export const idsOf = ({ state }: ChangeMutation): string[] =>
  state.variables.edits.map(({ record }) => record._id)

export const useUnsavedIds = (): ReadonlySet<string> => {
  const unsaved = useUnsaved()
  return useMemo(() => new Set(unsaved.flatMap(idsOf)), [unsaved])
}

const isPending = ({ state }: ChangeMutation): boolean => state.status === 'pending'

/** Patches of the changes on their way, by record: fetched records are shown with them. */
export const usePatches = (kind: KindPath): ReadonlyMap<string, Patch> => {
  const pending = useChanges(isPending)
  return useMemo(() => {
    const patches = new Map<string, Patch>()
    for (const { state } of pending)
      for (const { record, patch } of state.variables.kind === kind ? state.variables.edits : [])
        patches.set(record._id, { ...patches.get(record._id), ...patch })
    return patches
  }, [pending, kind])
}
