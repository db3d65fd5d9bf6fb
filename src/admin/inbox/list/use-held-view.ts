import { type RefObject, useLayoutEffect, useRef } from 'react'
import { type Section, sectionAt, topOf } from './sections.ts'
import type { ShownList } from './shown-list.ts'

/** Scrolls a list, or the page that it scrolls with; not from the very top, unless told so. */
const scrolledBy = (pane: HTMLElement, by: number, evenAtTop: boolean): boolean => {
  const scrolls = pane.scrollHeight > pane.clientHeight + 1
  const isAtTop = scrolls ? pane.scrollTop === 0 : window.scrollY === 0
  if (isAtTop && !evenAtTop) return false
  if (scrolls) pane.scrollTop += by
  else window.scrollBy({ top: by, behavior: 'instant' })
  return true
}

/**
 * Keeps the rows being read in their place: rows that come or go above push the list, and the view
 * goes along. At the very top it does so for arrivals only; a row that an undo brings back is to be
 * seen. A row that moves to another group is not followed there.
 */
export const useHeldView = (
  scroller: RefObject<HTMLElement | null>,
  list: ShownList,
  sections: readonly Section[],
  /** The place of the first row in view. */
  firstInView: number,
  rowHeight: number,
  arrivals: number,
): void => {
  const held = useRef({ id: '', group: sections[0]?.group, top: 0, arrivals: 0, list })
  useLayoutEffect(() => {
    const before = held.current
    let first = firstInView
    const pane = scroller.current
    if (list !== before.list && pane) {
      const place = list.placeOf(before.id)
      const top = topOf(sections, place, rowHeight)
      const by = top === null ? 0 : top - before.top
      const isSameGroup = sectionAt(sections, place)?.group === before.group
      // Only then: to ask where it is scrolled to lays out the page, which a list that scrolls does anyway.
      if (by !== 0 && isSameGroup && scrolledBy(pane, by, arrivals > before.arrivals)) first = place
    }
    held.current = {
      id: list.rows.get(first)?._id ?? '',
      group: sectionAt(sections, first)?.group,
      top: topOf(sections, first, rowHeight) ?? 0,
      arrivals,
      list,
    }
  })
}
