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

/**
 * Some calls need a recent proof of who is there. A call that is refused for the lack of one waits
 * here for the dialogue, and is then made again as it was.
 */
const waiting = createStore<PromiseWithResolvers<boolean> | null>(null)

/** Ends the question: calls that wait are made again, or fail as they did. */
export const settleStepUp = (isConfirmed: boolean): void => {
  const settled = waiting.get()
  waiting.set(null)
  settled?.resolve(isConfirmed)
}

/** True if the dialogue is to be shown. */
export const useIsSteppingUp = (): boolean => waiting.use() !== null

/**
 * After a call that was refused for the lack of a step-up: waits for the person, and says whether to make
 * the call again. False at once for any other error.
 */
export const stepUpAfter = async (error: unknown): Promise<boolean> => {
  if (!(error instanceof ApiError && error.code === 'step_up_required')) return false
  // Several calls at once share one question.
  const question = waiting.get() ?? Promise.withResolvers<boolean>()
  waiting.set(question)
  return question.promise
}
