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

/** Makes a call, and makes it once more when it needed a step-up and the person has done that. */
export const withStepUp = async <T>(makeCall: () => Promise<T>): Promise<T> => {
  try {
    return await makeCall()
  } catch (error) {
    const isNeeded = error instanceof ApiError && error.code === 'step_up_required'
    if (!isNeeded || !(await confirmIdentity())) throw error
    return makeCall()
  }
}
