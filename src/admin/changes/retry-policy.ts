import { ApiError } from '#client/call.ts'
import { isGone, sentenceOf } from '../session/session.ts'

/**
 * Statuses after which an unsaved change is sent again: no answer (0, or a gateway's 502 and 504),
 * a request to wait (429, 503), and a lapsed sign-in (401), which a new one ends. A message does not wait
 * at a 429: its author may write only so many in an hour.
 */
const temporary = new Set([0, 401, 429, 502, 503, 504])

export const isTemporary = (error: unknown, isMessage = false): boolean =>
  error instanceof ApiError && temporary.has(error.status) && !(isMessage && error.status === 429)

const delaysMs = [2_000, 5_000, 10_000, 20_000, 30_000]

/** Milliseconds to wait after a number of failures, the last of them `error`. */
export const retryDelayMs = (failures: number, error: unknown): number => {
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0
  return Math.max(asked, delaysMs[Math.min(failures, delaysMs.length) - 1] ?? 0)
}

const waiting = new Set<() => void>()
let requests = 0

/** The number of calls of {@link tryNow}. If it grows during an attempt, the next attempt follows without a pause. */
export const requestsToTry = (): number => requests

/** Ends every pause between two attempts, also the one that would follow an attempt in flight. */
export const tryNow = (): void => {
  requests += 1
  for (const wake of waiting) wake()
}

/** A pause that {@link tryNow} or a returning connection ends early. TanStack Query's own cannot be ended. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      window.removeEventListener('online', wake)
      waiting.delete(wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    window.addEventListener('online', wake)
    waiting.add(wake)
  })

/** The reason for a refusal about the record of this name, in one sentence. */
export const refusalOf = (error: unknown, name: string, fallback: string): string =>
  isGone(error) ? `${name} was deleted or erased meanwhile.` : sentenceOf(error, fallback)
