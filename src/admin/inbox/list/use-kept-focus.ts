import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { focusMain } from '../../browser/focus-main.ts'
import type { InboxStore } from '../state.ts'
import type { ShownList } from './shown-list.ts'

/** Focus that a change or deletion took away goes to the open record, or to the row that took the place. */
export const useKeptFocus = (
  pane: RefObject<HTMLElement | null>,
  heading: RefObject<HTMLHeadingElement | null>,
  list: ShownList | undefined,
  { get }: InboxStore,
) => {
  const held = useRef<Element | null>(null)
  useEffect(() => {
    const root = document.getElementById('main')
    const follow = (event: FocusEvent) => {
      held.current = event.target as Element
    }
    const leave = (event: FocusEvent) => {
      const left = event.target as Element
      // An element that is taken away loses focus too; only what stays was left by choice.
      queueMicrotask(() => {
        if (left.isConnected && held.current === left && document.activeElement === document.body)
          held.current = null
      })
    }
    root?.addEventListener('focusin', follow)
    root?.addEventListener('focusout', leave)
    return () => {
      root?.removeEventListener('focusin', follow)
      root?.removeEventListener('focusout', leave)
    }
  }, [])
  useLayoutEffect(() => {
    const lost = held.current && !held.current.isConnected
    if (!lost || document.activeElement !== document.body || get().focusId) return
    held.current = null
    if (heading.current) return heading.current.focus({ preventScroll: true })
    const record = list?.rows.get(Math.min(get().open.place, list.count - 1))
    const link =
      record && pane.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(record._id)}"] a`)
    if (link) link.focus({ preventScroll: true })
    else focusMain()
  })
}
