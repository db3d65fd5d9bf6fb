import { useSyncExternalStore } from 'react'

const start = Date.now()
const stepMs = 30_000

/** The time in steps of half a minute, told again while somebody looks. */
export const useNow = (): number =>
  useSyncExternalStore(
    (listener) => {
      const timer = setInterval(listener, stepMs)
      return () => clearInterval(timer)
    },
    () => {
      const now = Date.now()
      return now - ((now - start) % stepMs)
    },
  )
