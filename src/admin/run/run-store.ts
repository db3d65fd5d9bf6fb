import { createStore } from '../browser/store.ts'
import type { Change, ChangeMutation } from '../changes/change.ts'
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

// The record of a change that is undone, discarded or refused is to be decided again.
queryClient.getMutationCache().subscribe(({ type, mutation }) => {
  if (mutation?.options.mutationKey?.[0] !== keys.change[0] || !mutation.state.variables) return
  const { status, variables } = (mutation as ChangeMutation).state
  const { key, undoes } = variables
  if (undoes && type === 'updated' && status === 'pending') change((run) => takeBack(run, undoes))
  const isDiscarded = type === 'removed' && status === 'pending'
  const isRefused = type === 'updated' && status === 'error'
  if (isDiscarded || isRefused) change((run) => takeBack(run, key))
})
onSignedOut(() => held.set(null))
