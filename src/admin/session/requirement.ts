import { ApiError } from '#client/call.ts'
import { createStore } from '../browser/store.ts'

/** A step that the account must take before the API answers anything else. */
export type Requirement = 'password' | 'factor'

const requirement = createStore<Requirement | null>(null)

export const setRequirement = requirement.set
export const useRequirement = requirement.use

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
