import { useSyncExternalStore } from 'react'

export const watchMedia = (query: string) => {
  const media = matchMedia(query)
  const subscribe = (listener: () => void) => {
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  }
  return (): boolean => useSyncExternalStore(subscribe, () => media.matches)
}

/** True if list and detail stand side by side. */
export const useIsWide = watchMedia('(min-width: 62rem)')

/** True if the window is high enough for parts that stay while the rest scrolls. */
export const useIsHigh = watchMedia('(min-height: 30rem)')

export const useIsPhone = watchMedia('(max-width: 47.99rem)')
