import { useSyncExternalStore } from 'react'
import { useUnsaved } from './change.ts'

const subscribe = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** True if what is sent now has to wait, and how many changes wait already. */
export const useConnection = (): { isOffline: boolean; waiting: number } => {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  const waiting = useUnsaved().length
  return { isOffline: !isOnline || waiting > 0, waiting }
}
