import type { MouseEvent } from 'react'

/**
 * For buttons whose second click of a double click would undo the first, or decide on the next
 * record, which nobody has read.
 */
export const singleClick =
  (act: () => void) =>
  (event: MouseEvent): void => {
    if (event.detail <= 1) act()
  }
