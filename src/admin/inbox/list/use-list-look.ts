import { useMemo } from 'react'
import { useIsHigh, useIsWide } from '../../browser/use-media.ts'
import { usePreferences } from '../preferences.ts'
import type { InboxSearch } from './inbox-url.ts'
import type { CollapsedOf } from './sections.ts'

/** Dimensions of a list, in pixels. Heights are set in rem: they grow with the reader's text. */
export interface ListLook {
  name: 'compact' | 'comfortable' | 'phone'
  rowHeight: number
  headHeight: number
  /** At the top, by what stays there while the rows scroll. */
  covered: number
  /** Null where a group cannot be collapsed. */
  collapsedOf: CollapsedOf
  /** Scrolls to a row. `below`: the heads that stay at the foot. */
  reveal: (pane: HTMLElement, list: HTMLElement, rowTop: number, below: number) => void
  /** Scrolls to a group's head. */
  jump: (list: HTMLElement, headTop: number) => void
}

// As in list.module.css.
const rems = {
  compact: { row: 2.75, head: 2 },
  comfortable: { row: 3.875, head: 2 },
  phone: { row: 3.875, head: 2.875 },
} as const

/** The title and the buttons that jump to a group. */
const phoneHeaderRem = 6
const phoneBarRem = 4.5

/** Pixels from the top of the window to the end of an element that has reached its place there. */
const endOfStuck = (element: Element): number =>
  Number.parseFloat(getComputedStyle(element).top) + element.getBoundingClientRect().height

export const useListLook = (search: InboxSearch): ListLook => {
  const { q, status, group, answers, drafts, box = 'inbox' } = search
  const isWide = useIsWide()
  const isHigh = useIsHigh()
  const { density, collapsed } = usePreferences()
  // A search and a chosen status, group or answer show their records in one list, without groups that fold.
  const isWhole = box === 'inbox' && !(q || status || group || answers || drafts)
  return useMemo(() => {
    const name = isWide ? density : 'phone'
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    const rowHeight = rems[name].row * rem
    const headHeight = rems[name].head * rem
    const header = isWide || !isHigh ? 0 : phoneHeaderRem * rem
    const covered = isHigh ? header + headHeight : 0
    return {
      name,
      rowHeight,
      headHeight,
      covered,
      collapsedOf: (group) => (isWhole ? (collapsed[group] ?? group === 'done') : null),
      reveal: (pane, list, rowTop, below) => {
        const top = list.getBoundingClientRect().top + rowTop
        if (!isWide) {
          if (top < covered || top + rowHeight > window.innerHeight - phoneBarRem * rem)
            window.scrollBy({ top: top - covered - rowHeight, behavior: 'instant' })
          return
        }
        const view = pane.getBoundingClientRect()
        const end = view.bottom - (isHigh ? below * headHeight : 0)
        if (top < view.top + covered) pane.scrollTop += top - view.top - covered
        else if (top + rowHeight > end) pane.scrollTop += top + rowHeight - end
      },
      jump: (list, headTop) => {
        const jumps = list.previousElementSibling
        const stuck = isHigh && jumps ? endOfStuck(jumps) : 0
        const top = list.getBoundingClientRect().top + headTop - stuck
        window.scrollBy({ top, behavior: 'instant' })
      },
    }
  }, [isWide, isHigh, density, collapsed, isWhole])
}
