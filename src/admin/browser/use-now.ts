import { useSyncExternalStore } from 'react'

let now = Date.now()

/** The time, told again every half minute while somebody looks. */
export const useNow = (): number =>
  useSyncExternalStore(
    (listener) => {
      const tick = () => {
        now = Date.now()
        listener()
      }
      const timer = setInterval(tick, 30_000)
      return () => clearInterval(timer)
    },
    () => now,
  )
