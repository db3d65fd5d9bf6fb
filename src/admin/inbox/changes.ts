import { useSyncExternalStore } from 'react'
import { ApiError } from '#client/call.ts'
import type { KindPath } from '#contract/inbox.ts'
import { dismissNotice, notify } from '../shell/notices.tsx'
import { queryClient } from '../shell/query-client.ts'
import { onSignedOut, sentenceOf } from '../shell/session.ts'
import { readRecord, undoEvent } from './api/endpoints.ts'
import type { InboxRecord, RecordDetail } from './api/record.ts'
import { askAbout } from './conflict.ts'
import type { Pair } from './list-data.ts'
import {
  findRecord,
  overlays,
  refreshLists,
  refreshRecord,
  showAnswer,
  showPairs,
} from './queries.ts'
import { untilAnswered, type Wake } from './retry.ts'
import { forgetVersions, madeVersion, versionOf } from './versions.ts'

/**
 * Changes of records: shown at once, saved at once, undone by a second saved change. One that the
 * server could not take stays visible as unsaved and is tried again until it is saved or given back;
 * none pretends to be saved. See docs/decisions/050-optimistic-changes.md.
 */
export interface Change {
  key: number
  kind: KindPath
  pairs: readonly Pair[]
  /** What it does, in one line. */
  text: string
  state: 'saving' | 'unsaved' | 'saved' | 'refused'
  /** The server's names of what was done, for undo. */
  events: string[]
}

interface Outcome {
  events: string[]
  /** The stored record after a change of one. */
  answer?: RecordDetail
  /** The records that grew a version, where no record was answered. */
  changed?: readonly string[]
}

interface Plan {
  kind: KindPath
  pairs: readonly Pair[]
  text: string
  /** What to say when the server refuses without a sentence of its own. */
  failure: string
  /** Sends it, for the first time or again. */
  run: (tries: number) => Promise<Outcome>
  /** How to make the same change on top of another version, after a conflict. */
  again?: (stored: InboxRecord) => void
  undoable?: boolean
  /** Says nothing by itself: whoever made it shows how far it is, and what came of it. */
  quiet?: boolean
  /** However it ended: saved, refused or given back. */
  onEnd?: () => void
}

interface Entry {
  change: Change
  plan: Plan
  done: Promise<void>
  /** Ends the pause of an unsaved change: true tries again, false gives it back. */
  wake: Wake | null
}

let open: readonly Entry[] = []
let history: readonly Entry[] = []
let unsaved: readonly Change[] = []
let nextKey = 1
let owner: string | null = null

const listeners = new Set<() => void>()
const tails = new Map<string, Promise<void>>()

const tell = (): void => {
  unsaved = open.filter(({ change }) => change.state === 'unsaved').map(({ change }) => change)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Changes that the server has not taken yet. */
export const useUnsaved = (): readonly Change[] => useSyncExternalStore(subscribe, () => unsaved)

export const useIsUnsaved = (id: string): boolean =>
  useSyncExternalStore(subscribe, () =>
    unsaved.some(({ pairs }) => pairs.some(({ after }) => after._id === id)),
  )

const reversed = (pairs: readonly Pair[]): Pair[] =>
  pairs.map(({ before, after }) => ({ before: after, after: before }))

/** The answer, or null when the person gave the change back. */
const persist = (entry: Entry): Promise<Outcome | null> =>
  untilAnswered(
    (tries) => {
      entry.change.state = 'saving'
      return entry.plan.run(tries)
    },
    {
      pause: (tries) => {
        entry.change.state = 'unsaved'
        // It said what is now so; until it is saved, the bar of unsaved changes speaks.
        if (tries === 0) dismissNotice()
        tell()
      },
      wake: (wake) => {
        entry.wake = wake
      },
    },
  )

const isRecord = (value: unknown): value is InboxRecord =>
  typeof value === 'object' && value !== null && '_id' in value && 'version' in value

/** Alike in all that staff can change. */
const isAlike = (a: InboxRecord, b: InboxRecord): boolean =>
  a.status === b.status && a.assignee === b.assignee && a.box === b.box

const settle = async (entry: Entry): Promise<void> => {
  const { change, plan } = entry
  const { kind, pairs } = plan
  const [first] = pairs
  try {
    const outcome = await persist(entry)
    if (!outcome) {
      change.state = 'refused'
      showPairs(queryClient, kind, reversed(pairs))
      return
    }
    change.state = 'saved'
    change.events = outcome.events
    overlays.delete(change)
    if (outcome.answer && first) {
      madeVersion(outcome.answer._id, outcome.answer.version)
      showAnswer(queryClient, kind, first.after, outcome.answer)
    }
    const changed = new Set(outcome.changed)
    for (const { before } of pairs)
      if (changed.has(before._id)) madeVersion(before._id, versionOf(before) + 1)
    if (pairs.length === 1 && first && !outcome.answer)
      void refreshRecord(queryClient, kind, first.after._id)
  } catch (error) {
    change.state = 'refused'
    overlays.delete(change)
    if (first && error instanceof ApiError && error.status === 409 && isRecord(error.data)) {
      const stored = error.data
      madeVersion(stored._id, stored.version)
      showPairs(queryClient, kind, [{ before: first.after, after: stored }])
      void refreshRecord(queryClient, kind, stored._id)
      if (isAlike(stored, first.after)) return
      // Changed and changed back: nothing that anyone would have to choose about.
      if (isAlike(stored, first.before)) return plan.again?.(stored)
      dismissNotice()
      askAbout({
        mine: plan.text,
        kind,
        stored,
        wanted: first.after,
        again: () => plan.again?.(stored),
      })
      return
    }
    showPairs(queryClient, kind, reversed(pairs))
    for (const { after } of pairs.slice(0, 5)) void refreshRecord(queryClient, kind, after._id)
    notify({ text: sentenceOf(error, plan.failure), tone: 'bad' })
  } finally {
    overlays.delete(change)
    open = open.filter((other) => other !== entry)
    tell()
    plan.onEnd?.()
  }
}

/** Shows a change, saves it, and offers to undo it. */
export const make = (plan: Plan): Change => {
  const { kind, pairs, text, undoable = true, quiet = false } = plan
  const ids = pairs.map(({ after }) => after._id)
  const change: Change = { key: nextKey++, kind, pairs, text, state: 'saving', events: [] }
  const entry: Entry = { change, plan, done: Promise.resolve(), wake: null }

  const wanted = new Map(pairs.map((pair) => [pair.after._id, pair]))
  overlays.set(change, wanted)
  for (const id of ids) void queryClient.cancelQueries({ queryKey: ['record', kind, id] })
  showPairs(queryClient, kind, pairs)

  // Changes of one record reach the server in the order they were made.
  const before = Promise.all(ids.map((id) => tails.get(id)))
  entry.done = before.then(() => settle(entry))
  for (const id of ids) tails.set(id, entry.done)
  void entry.done.finally(() => {
    for (const id of ids) if (tails.get(id) === entry.done) tails.delete(id)
  })

  open = [...open, entry]
  if (undoable) history = [...history.slice(-49), entry]
  if (!quiet) notify({ text, action: { label: 'Undo', key: 'z', run: () => undo(entry) } })
  tell()
  return change
}

/** Gives an unsaved change back: the record is again as it was. */
export const giveBack = (change: Change): void => {
  const entry = open.find((other) => other.change === change)
  if (!entry?.wake) return
  history = history.filter((other) => other !== entry)
  entry.wake(false)
  if (!entry.plan.quiet) notify({ text: `Given back: ${change.text}` })
}

/** Tells how far a long change is. */
export const say = (change: Change, text: string): void => {
  change.text = text
  tell()
}

export const tryNow = (): void => {
  for (const { wake } of open) wake?.(true)
}

const undo = (entry: Entry): void => {
  const { change } = entry
  history = history.filter((other) => other !== entry)
  if (change.state === 'unsaved') {
    giveBack(change)
    return
  }
  if (change.state === 'refused') {
    notify({ text: 'That change was not made.' })
    return
  }

  make({
    kind: change.kind,
    pairs: reversed(change.pairs).map(({ before, after }) => ({
      before: findRecord(queryClient, change.kind, before._id) ?? before,
      after: { ...after, version: versionOf(after) },
    })),
    text: `Undone: ${change.text}`,
    failure: 'Failed to undo. Please try again.',
    undoable: false,
    run: async (tries) => {
      await entry.done
      const events: string[] = []
      const changed: string[] = []
      let conflicts = 0
      for (const event of change.events) {
        const { data, meta } = await undoEvent(event)
        conflicts += data.conflicts.length
        changed.push(...data.reverted)
        if (meta.event) events.push(meta.event)
      }
      // After a lost answer the repeated undo meets itself; only a first one tells of others.
      if (conflicts > 0 && tries === 0)
        notify({
          text:
            conflicts === 1
              ? 'Someone has changed the record since, so it stays as it is.'
              : `${conflicts} records have been changed since and stay as they are.`,
          tone: 'bad',
        })
      const [only, ...others] = change.pairs
      if (only && others.length === 0)
        return { events, answer: await readRecord(change.kind, only.after._id) }
      if (conflicts > 0 || !only) await refreshLists(queryClient, change.kind)
      return { events, changed }
    },
  })
}

/** Takes in what was already saved elsewhere (a change of everything), so that it can be undone. */
export const recordDone = (kind: KindPath, events: string[], text: string): void => {
  const change: Change = { key: nextKey++, kind, pairs: [], text, state: 'saved', events }
  const plan: Plan = { kind, pairs: [], text, failure: '', run: async () => ({ events }) }
  const entry: Entry = { change, plan, done: Promise.resolve(), wake: null }
  history = [...history.slice(-49), entry]
  notify({ text, action: { label: 'Undo', key: 'z', run: () => undo(entry) } })
}

/** Undoes the latest change that has not been undone. */
export const undoLatest = (): void => {
  const entry = history.at(-1)
  if (entry) undo(entry)
  else notify({ text: 'Nothing to undo' })
}

const forget = (): void => {
  for (const { wake } of open) wake?.(false)
  history = []
  forgetVersions()
}

/** Unsaved changes wait through a lapsed sign-in, for the same person alone. */
export const claim = (person: string): void => {
  if (owner !== null && owner !== person) forget()
  owner = person
}

onSignedOut(forget)

if (typeof window !== 'undefined')
  window.addEventListener('beforeunload', (event) => {
    if (open.length > 0) event.preventDefault()
  })
