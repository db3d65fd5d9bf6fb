import { useSyncExternalStore } from 'react'
import { ApiError } from '#client/call.ts'

/**
 * Some calls need a recent proof of who is there. A call that is refused for the lack of one waits
 * here for the dialogue, and is then made again as it was.
 */
interface Waiting {
  outcome: Promise<boolean>
  settle: (isConfirmed: boolean) => void
}

let waiting: Waiting | null = null
const listeners = new Set<() => void>()

const become = (next: Waiting | null): void => {
  waiting = next
  for (const listener of listeners) listener()
}

/** Ends the question: calls that wait are made again, or fail as they did. */
export const settleStepUp = (isConfirmed: boolean): void => {
  const settled = waiting
  become(null)
  settled?.settle(isConfirmed)
}

/** Several calls at once share one question. */
const confirmIdentity = (): Promise<boolean> => {
  if (waiting) return waiting.outcome
  let settle: Waiting['settle'] = () => undefined
  const outcome = new Promise<boolean>((resolve) => {
    settle = resolve
  })
  become({ outcome, settle })
  return outcome
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the dialogue is to be shown. */
export const useIsSteppingUp = (): boolean =>
  useSyncExternalStore(subscribe, () => waiting !== null)

/**
 * After a call that was refused for the lack of a step-up: waits for the person, and says whether to make
 * the call again. False at once for any other error.
 */
export const stepUpAfter = async (error: unknown): Promise<boolean> =>
  error instanceof ApiError && error.code === 'step_up_required' && confirmIdentity()
