import { useSyncExternalStore } from 'react'
import type { KindPath } from '#contract/inbox.ts'
import type { InboxRecord } from './api/record.ts'

/** Two changes of one record that only a person can choose between. */
export interface Conflict {
  mine: string
  kind: KindPath
  stored: InboxRecord
  wanted: InboxRecord
  again: () => void
}

let conflict: Conflict | null = null
const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const set = (next: Conflict | null): void => {
  conflict = next
  for (const listener of listeners) listener()
}

export const useConflict = (): Conflict | null => useSyncExternalStore(subscribe, () => conflict)

export const askAbout = (next: Conflict): void => set(next)

export const settleConflict = (): void => set(null)
