import type { MouseEvent } from 'react'

/**
 * For buttons that give way to the next decision at the same place: the second click of a double click
 * would make that one unread.
 */
export const singleClick =
  (act: () => void) =>
  (event: MouseEvent): void => {
    if (event.detail <= 1) act()
  }
