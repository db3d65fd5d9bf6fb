import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import { type ListData, placeOf, rowAt } from '../places.ts'
import { rowHeightPx } from './list.tsx'

/**
 * What is being read stays where it is: rows that come or go above push the rest of the list, and
 * the view goes along. Call the answer with the list before and after such a change.
 */
export const useHeldView = (
  pane: RefObject<HTMLElement | null>,
  /** The place of the first row in view. */
  top: RefObject<number>,
): ((before: ListData, after: ListData) => void) => {
  const shift = useRef(0)

  useLayoutEffect(() => {
    if (shift.current === 0) return
    const by = shift.current * rowHeightPx()
    shift.current = 0
    const element = pane.current
    if (!element) return
    if (element.scrollHeight > element.clientHeight + 1) element.scrollTop += by
    else if (window.scrollY > 0) window.scrollBy({ top: by, behavior: 'instant' })
  })

  return useCallback(
    (before, after) => {
      const row = rowAt(before, top.current)
      const place = row ? placeOf(after, row._id) : -1
      if (place >= 0) shift.current += place - top.current
    },
    [top],
  )
}
