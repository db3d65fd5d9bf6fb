import { useSyncExternalStore } from 'react'
import { ApiError } from '#client/call.ts'

/** What the account has to do before the API answers it anything else. */
export type Requirement = 'password' | 'factor'

let requirement: Requirement | null = null
const listeners = new Set<() => void>()

export const setRequirement = (next: Requirement | null): void => {
  requirement = next
  for (const listener of listeners) listener()
}

const requirementIn = (error: unknown): Requirement | null => {
  if (!(error instanceof ApiError)) return null
  if (error.code === 'password_change_required') return 'password'
  return error.code === 'second_factor_required' ? 'factor' : null
}

/** Learns from a refused call what the account has to do first. */
export const noteRequirement = (error: unknown): void => {
  const found = requirementIn(error)
  if (found) setRequirement(found)
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useRequirement = (): Requirement | null =>
  useSyncExternalStore(subscribe, () => requirement)
