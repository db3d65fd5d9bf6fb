import type { Mutation } from '@tanstack/react-query'
import { createStore } from '../browser/store.ts'
import type { Change } from '../changes/change.ts'
import { keys } from '../record/keys.ts'
import { queryClient } from '../session/query-client.ts'
import { onSignedOut } from '../session/session.ts'
import type { QueuedRecord } from './queue.ts'
import { finish, type Outcome, type Run, runFor, skip, takeBack } from './run.ts'

/** The run of this tab, which outlives the screen and a reload: numbers of records and outcomes, no names. */

interface Held {
  /** The tab's storage key, one per person. */
  key: string
  run: Run
}

const held = createStore<Held | null>(null)

const hold = (key: string, run: Run): void => {
  sessionStorage.setItem(key, JSON.stringify(run))
  held.set({ key, run })
}

const change = (to: (run: Run) => Run): void => {
  const { key, run } = held.get() ?? {}
  if (!key || !run) return
  const next = to(run)
  if (next !== run) hold(key, next)
}

/** Goes on with the run that this person left in this tab, or begins one, with what is owed now. */
export const openRun = (user: string, owed: readonly QueuedRecord[]): void => {
  const key = `run:${user}`
  // Written by this file alone.
  const left: Run | null = JSON.parse(sessionStorage.getItem(key) ?? 'null')
  hold(key, runFor(left, owed, new Date()))
}

export const useRun = (): Run | undefined => held.use()?.run

export const finishItem = (id: string, outcome: Outcome, made?: Change): void =>
  change((run) =>
    finish(run, id, {
      outcome,
      at: new Date().toISOString(),
      ...(made ? { change: made.key } : {}),
    }),
  )

export const skipItem = (id: string): void => change((run) => skip(run, id))

const isChange = (mutation: Mutation<unknown, Error, unknown>): boolean =>
  mutation.options.mutationKey?.[0] === keys.change[0] && mutation.state.variables !== undefined

/** Subscribes to changes that are undone, discarded or refused, by their keys. */
const onTakenBack = (listener: (key: string) => void): (() => void) =>
  queryClient.getMutationCache().subscribe((event) => {
    if (!event.mutation || !isChange(event.mutation)) return
    const { status, variables } = event.mutation.state
    const { key, undoes } = variables as Change
    if (undoes !== undefined && event.type === 'updated' && status === 'pending') listener(undoes)
    const isDiscarded = event.type === 'removed' && status === 'pending'
    if (isDiscarded || (event.type === 'updated' && status === 'error')) listener(key)
  })

onTakenBack((key) => change((run) => takeBack(run, key)))
onSignedOut(() => held.set(null))
