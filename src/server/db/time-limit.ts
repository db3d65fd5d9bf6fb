import { AsyncLocalStorage } from 'node:async_hooks'

/** The time by which the present call must be answered, in `performance.now()`'s milliseconds. */
const deadlines = new AsyncLocalStorage<number | undefined>()

/** Runs a call whose statements, all together, may take this many milliseconds. */
export const withTimeLimit = <T>(milliseconds: number, call: () => T): T =>
  deadlines.run(performance.now() + milliseconds, call)

/** Runs work that a call started but that goes on after its answer. */
export const withoutTimeLimit = <T>(work: () => T): T => deadlines.run(undefined, work)

/** Whole milliseconds that the next statement may take: what is left of the call, at most `most`. */
export const timeLeft = (most = Number.POSITIVE_INFINITY): number => {
  const left = (deadlines.getStore() ?? Number.POSITIVE_INFINITY) - performance.now()
  return Math.max(0, Math.min(most, Math.ceil(left)))
}

/**
 * Waits for a statement until the call's time is over.
 *
 * @throws Error `TimeoutError` when it is over; what becomes of the statement is unknown then
 */
export const beforeTimeLimit = async <T>(statement: () => PromiseLike<T>): Promise<T> => {
  const milliseconds = timeLeft()
  if (milliseconds === Number.POSITIVE_INFINITY) return statement()
  const isOver = new DOMException('The time of the call is over', 'TimeoutError')
  if (milliseconds === 0) throw isOver
  const over = Promise.withResolvers<never>()
  const timer = setTimeout(() => over.reject(isOver), milliseconds)
  try {
    return await Promise.race([statement(), over.promise])
  } finally {
    clearTimeout(timer)
  }
}
