import { useSyncExternalStore } from 'react'

const wide = matchMedia('(min-width: 62rem)')

/** Whether list and detail stand side by side. */
export const useIsWide = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      wide.addEventListener('change', listener)
      return () => wide.removeEventListener('change', listener)
    },
    () => wide.matches,
  )
