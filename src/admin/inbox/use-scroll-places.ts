import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useIsWide } from '../browser/use-media.ts'
import { useShown } from '../router/location.ts'

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
  isListed: boolean,
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

  useDesktopPlace(pane, isListed && isWide, openId)

  return () => {
    left.current = window.scrollY
  }
}

/** Scroll offsets of the lists in pixels, by URL; Back in this page returns to them. */
const tops = new Map<string, number>()

const keepInHistory = ({ scrollTop }: HTMLElement) =>
  history.replaceState({ listTop: scrollTop }, '')

/** On a desktop the list scrolls by itself: Back and a reload find it where it was. */
const useDesktopPlace = (
  pane: RefObject<HTMLElement | null>,
  isReady: boolean,
  openId: string | undefined,
): void => {
  const isFirst = useRef(true)
  const isReturn = useShown()?.toTop === false
  useLayoutEffect(() => {
    const { current } = pane
    if (!isReady || !current) return
    if (isFirst.current && isReturn)
      current.scrollTop = tops.get(location.href) ?? history.state?.listTop ?? 0
    isFirst.current = false
    const keep = () => void tops.set(location.href, current.scrollTop)
    const keepForReload = () => keepInHistory(current)
    current.addEventListener('scroll', keep, { passive: true })
    current.addEventListener('scrollend', keepForReload)
    return () => {
      current.removeEventListener('scroll', keep)
      current.removeEventListener('scrollend', keepForReload)
    }
  }, [isReady, isReturn, pane])
  useLayoutEffect(() => {
    // An open record has a URL of its own.
    if (!openId || !pane.current || isFirst.current) return
    tops.set(location.href, pane.current.scrollTop)
    keepInHistory(pane.current)
  }, [openId, pane])
}
