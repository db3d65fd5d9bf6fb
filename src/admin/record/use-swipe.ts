import { type TouchEvent, useRef } from 'react'

/** A swipe is this far at least, and this many times further than it moves up or down. */
const farPx = 70
const flatness = 2
/** At the edges a swipe is the browser's own. */
const edgePx = 24

/** Elements that scroll sideways, or are edited, keep their own gestures. */
const isOwnGesture = (target: EventTarget): boolean => {
  if (!(target instanceof Element)) return false
  if (target.closest('textarea, input, select')) return true
  for (let at: Element | null = target; at; at = at.parentElement)
    if (at.scrollWidth > at.clientWidth + 1 && getComputedStyle(at).overflowX === 'auto')
      return true
  return false
}

/** Handlers that recognise one finger swiping sideways: to the left for the next, to the right for the one before. */
export const useSwipe = (onSwipe: (by: 1 | -1) => void) => {
  const start = useRef<{ x: number; y: number } | null>(null)
  return {
    onTouchStart: ({ touches, target }: TouchEvent) => {
      const touch = touches[0]
      const isAtEdge =
        !touch || touch.clientX < edgePx || touch.clientX > window.innerWidth - edgePx
      start.current =
        touches.length === 1 && touch && !isAtEdge && !isOwnGesture(target)
          ? { x: touch.clientX, y: touch.clientY }
          : null
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0]
      const from = start.current
      start.current = null
      if (!from || !touch || !getSelection()?.isCollapsed) return
      const [x, y] = [touch.clientX - from.x, touch.clientY - from.y]
      if (Math.abs(x) > farPx && Math.abs(x) > flatness * Math.abs(y)) onSwipe(x < 0 ? 1 : -1)
    },
  }
}
