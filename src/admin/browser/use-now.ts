import { useSyncExternalStore } from 'react'

const start = Date.now()
const stepMs = 30_000

/** The time in steps of 30 seconds; a component that uses it renders again at each step. */
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
