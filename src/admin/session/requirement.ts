import { ApiError } from '#client/call.ts'
import { createStore } from '../browser/store.ts'

/** A step that the account must take before the API answers anything else. */
export type Requirement = 'password' | 'factor'

const requirement = createStore<Requirement | null>(null)

export const setRequirement = requirement.set
export const useRequirement = requirement.use

/** Learns from a refused call what the account has to do first. */
export const noteRequirement = (error: unknown): void => {
  if (!(error instanceof ApiError)) return
  if (error.code === 'password_change_required') setRequirement('password')
  if (error.code === 'second_factor_required') setRequirement('factor')
}
