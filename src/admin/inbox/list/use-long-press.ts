import { type PointerEvent, useRef } from 'react'

const longMs = 500
/** A finger that moves further scrolls. */
const stillPx = 10

/** Handlers that recognise a finger held on an element, and tell the click that follows what it was. */
export const useLongPress = (onPress: () => void) => {
  const press = useRef({ timer: 0, x: 0, y: 0, isTouch: false, isLong: false })
  const end = () => clearTimeout(press.current.timer)
  return {
    handlers: {
      onPointerDown: ({ pointerType, clientX: x, clientY: y }: PointerEvent) => {
        end()
        const isTouch = pointerType === 'touch'
        press.current = { timer: 0, x, y, isTouch, isLong: false }
        if (!isTouch) return
        press.current.timer = window.setTimeout(() => {
          press.current.isLong = true
          onPress()
        }, longMs)
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        const { x, y } = press.current
        if (Math.hypot(clientX - x, clientY - y) > stillPx) end()
      },
      onPointerUp: end,
      onPointerCancel: end,
      onContextMenu: (event: { preventDefault: () => void }) => {
        // On touch it comes with the long press; with a mouse it is the browser's menu of the link.
        if (press.current.isTouch) event.preventDefault()
      },
    },
    /** True if the click ends a long press; of each it is told once. */
    wasLong: () => {
      const { isLong } = press.current
      press.current.isLong = false
      return isLong
    },
    wasTouch: () => press.current.isTouch,
  }
}
