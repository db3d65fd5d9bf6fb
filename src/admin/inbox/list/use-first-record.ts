import { useState } from 'react'
import { useIsWide } from '../../browser/use-media.ts'
import { type CollapsedOf, firstDrawn } from './sections.ts'
import type { ShownList } from './shown-list.ts'

/**
 * The record that a desktop shows without being asked: the first of a list as it was when it came, until
 * somebody closes it. Another list opens its own.
 */
export const useFirstRecord = (
  listKey: string,
  /** Undefined until it is this list. */
  list: ShownList | undefined,
  collapsedOf: CollapsedOf,
) => {
  const isWide = useIsWide()
  const [first, setFirst] = useState<{ listKey: string | null; id: string | undefined }>({
    listKey: null,
    id: undefined,
  })
  const isKnown = first.listKey === listKey
  if (list && !isKnown)
    setFirst({ listKey, id: list.rows.get(firstDrawn(list.groups, collapsedOf))?._id })
  return {
    id: isWide && isKnown ? first.id : undefined,
    /** Whether the first record is known. */
    isKnown: isKnown || !isWide,
    close: () => setFirst({ listKey, id: undefined }),
  }
}
