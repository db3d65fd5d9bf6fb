import { type PointerEvent, useRef } from 'react'

/** Pixels that a finger must go sideways before it counts. */
const distance = 90

interface Swipe {
  onLeft?: (() => void) | undefined
  onRight?: (() => void) | undefined
}

/** Swipes of a finger over an element that scrolls upright: it needs `touch-action: pan-y`. */
export const useSwipe = ({ onLeft, onRight }: Swipe) => {
  const start = useRef<{ x: number; y: number } | null>(null)

  const move = (element: HTMLElement, by: number) => {
    element.style.translate = by === 0 ? '' : `${by}px`
  }

  const sideways = (event: PointerEvent): number => {
    if (!start.current) return 0
    const x = event.clientX - start.current.x
    const y = event.clientY - start.current.y
    return Math.abs(x) > 2 * Math.abs(y) ? x : 0
  }

  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType === 'touch' && event.isPrimary)
        start.current = { x: event.clientX, y: event.clientY }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const x = sideways(event)
      const isWanted = x < 0 ? onLeft : onRight
      // A third of the way: what follows the finger says that something will happen.
      if (x !== 0 && isWanted && !matchMedia('(prefers-reduced-motion: reduce)').matches)
        move(event.currentTarget, x / 3)
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const x = sideways(event)
      start.current = null
      move(event.currentTarget, 0)
      if (x <= -distance) onLeft?.()
      if (x >= distance) onRight?.()
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => {
      start.current = null
      move(event.currentTarget, 0)
    },
  }
}
