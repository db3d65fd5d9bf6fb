import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { drawnRows, rowBelow, type Section } from './sections.ts'

/** The rows that are drawn, from `start` to before `end`, and the first that is in view. */
interface Window {
  top: number
  start: number
  end: number
}

/** Rows drawn beyond each edge, 50 ms of fast scrolling: more cost every frame. */
const overscan = 5

/**
 * The rows of a list in view, whether the list scrolls by itself (beside the detail) or with the
 * page (on a phone). All rows have one height, so the scrollbar is right about rows that are not
 * loaded. TanStack Virtual would add 10 KB for this; see
 * docs/decisions/098-changes-are-mutations.md.
 */
export const useWindow = (
  list: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  sections: readonly Section[],
  rowHeight: number,
  /** Pixels at the top that the page's own header and a group's head cover. */
  covered: number,
): Window => {
  const [shown, setShown] = useState<Window>({ top: 0, start: 0, end: 30 })
  const frame = useRef(0)

  const measure = useCallback(() => {
    frame.current = 0
    const element = list.current
    const pane = scroller.current
    if (!element || !pane) return
    const listTop = element.getBoundingClientRect().top
    const view = pane.getBoundingClientRect()
    const above = Math.max(0, view.top) - listTop
    const height = Math.max(0, Math.min(window.innerHeight, view.bottom) - Math.max(0, view.top))
    const top = rowBelow(sections, above + covered, rowHeight)
    const start = Math.max(0, rowBelow(sections, above, rowHeight) - overscan)
    const last = rowBelow(sections, above + height, rowHeight)
    const end = Math.min(drawnRows(sections), last + 1 + overscan)
    setShown((old) =>
      old.top === top && old.start === start && old.end === end
        ? old
        : { top, start, end: Math.max(start, end) },
    )
  }, [list, scroller, sections, rowHeight, covered])

  useLayoutEffect(measure, [measure])

  // A list that is drawn with its scroller is laid out before React sets the scroller's ref: its first
  // measure comes from the observer, right after the layout that the first frame needs anyway.
  useEffect(() => {
    const ask = () => {
      frame.current ||= requestAnimationFrame(measure)
    }
    const sizes = new ResizeObserver(ask)
    if (scroller.current) sizes.observe(scroller.current)
    document.addEventListener('scroll', ask, { capture: true, passive: true })
    window.addEventListener('resize', ask)
    return () => {
      cancelAnimationFrame(frame.current)
      frame.current = 0
      sizes.disconnect()
      document.removeEventListener('scroll', ask, { capture: true })
      window.removeEventListener('resize', ask)
    }
  }, [measure, scroller])

  return shown
}
