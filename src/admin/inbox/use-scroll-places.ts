import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useIsWide } from '../browser/use-media.ts'

/**
 * Another list begins at its top. On a phone the list gives way to the record, and is found again where
 * it was left. A list that is shown first is where the router or the browser has put it; to scroll it
 * would lay out the page twice.
 */
export const useScrollPlaces = (
  pane: RefObject<HTMLElement | null>,
  heading: RefObject<HTMLElement | null>,
  listKey: string,
  openId: string | undefined,
) => {
  const isWide = useIsWide()
  const shownKey = useRef(listKey)
  const isShown = useRef(false)
  const left = useRef(0)

  useLayoutEffect(() => {
    if (shownKey.current === listKey) return
    shownKey.current = listKey
    pane.current?.scrollTo({ top: 0 })
  }, [listKey, pane])

  useLayoutEffect(() => {
    const isFirst = !isShown.current
    isShown.current = true
    if (isWide || (isFirst && !openId)) return
    if (openId) {
      window.scrollTo({ top: 0, behavior: 'instant' })
      heading.current?.focus({ preventScroll: true })
    } else window.scrollTo({ top: left.current, behavior: 'instant' })
  }, [openId, isWide, heading])

  return () => {
    left.current = window.scrollY
  }
}
