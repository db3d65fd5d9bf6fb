import type { MouseEvent } from 'react'

/**
 * For buttons whose place the next record's button takes: the second click of a double click would
 * decide on a record that nobody has read.
 */
export const singleClick =
  (act: () => void) =>
  (event: MouseEvent): void => {
    if (event.detail <= 1) act()
  }
