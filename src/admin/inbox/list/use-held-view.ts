import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { ShownList } from './shown-list.ts'

/**
 * What is being read stays where it is: rows that come or go above push the list, and the view goes
 * along. At the very top it does so for arrivals only; a row that an undo brings back is to be seen.
 */
export const useHeldView = (
  scroller: RefObject<HTMLElement | null>,
  list: ShownList,
  /** The place of the first row in view. */
  firstInView: number,
  rowHeight: number,
  arrivals: number,
): void => {
  const held = useRef({ id: '', top: 0, arrivals: 0, list })
  useLayoutEffect(() => {
    const before = held.current
    let top = firstInView
    const pane = scroller.current
    if (list !== before.list && pane) {
      const place = list.placeOf(before.id)
      const by = (place - before.top) * rowHeight
      const scrolls = pane.scrollHeight > pane.clientHeight + 1
      const isAtTop = scrolls ? pane.scrollTop === 0 : window.scrollY === 0
      if (place >= 0 && by !== 0 && (!isAtTop || arrivals > before.arrivals)) {
        if (scrolls) pane.scrollTop += by
        else window.scrollBy({ top: by, behavior: 'instant' })
        top += place - before.top
      }
    }
    held.current = { id: list.rows.get(top)?._id ?? '', top, arrivals, list }
  })
}
