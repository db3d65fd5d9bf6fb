import { type RefObject, useLayoutEffect } from 'react'
import { focusMain } from '../../browser/focus-main.ts'
import { isScreensFocusLost } from '../../browser/keep-focus.ts'
import type { InboxStore } from '../state.ts'
import type { ShownList } from './shown-list.ts'

/** Focus that a change or deletion took away goes to the open record, or to the row that took the place. */
export const useKeptFocus = (
  pane: RefObject<HTMLElement | null>,
  heading: RefObject<HTMLHeadingElement | null>,
  list: ShownList | undefined,
  { get }: InboxStore,
) => {
  useLayoutEffect(() => {
    if (!isScreensFocusLost() || get().focusId) return
    if (heading.current) return heading.current.focus({ preventScroll: true })
    const record = list?.rows.get(Math.min(get().open.place, list.count - 1))
    const link =
      record && pane.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(record._id)}"] a`)
    if (link) link.focus({ preventScroll: true })
    else focusMain()
  })
}
