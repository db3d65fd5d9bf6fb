import { ApiError } from '#client/call.ts'
import { isOutage } from '../shell/session.ts'

const afterMs = [2_000, 5_000, 10_000, 20_000, 30_000]

// A lapsed sign-in is an outage of one's own: after signing in the change goes on.
const isWorthWaiting = (error: unknown): boolean =>
  isOutage(error) || (error instanceof ApiError && (error.status === 401 || error.status === 429))

/** Ends a pause: true tries again, false gives up. */
export type Wake = (tryAgain: boolean) => void

const pause = (tries: number, onWake: (wake: Wake | null) => void): Promise<boolean> =>
  new Promise((resolve) => {
    const finish = (tryAgain: boolean) => {
      clearTimeout(timer)
      window.removeEventListener('online', online)
      onWake(null)
      resolve(tryAgain)
    }
    const online = () => finish(true)
    const timer = setTimeout(online, afterMs[Math.min(tries, afterMs.length - 1)])
    window.addEventListener('online', online)
    onWake(finish)
  })

/**
 * Tries until the server answers; null when somebody gave it up in a pause. `on.wake` is given the
 * way out of each pause, and null when it is over.
 */
export const untilAnswered = async <T>(
  run: (tries: number) => Promise<T>,
  on: { pause: (tries: number) => void; wake: (wake: Wake | null) => void },
): Promise<T | null> => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await run(tries)
    } catch (error) {
      if (!isWorthWaiting(error)) throw error
      const paused = pause(tries, on.wake)
      on.pause(tries)
      if (!(await paused)) return null
    }
  }
}
