import { useCallback, useState } from 'react'

const none: ReadonlySet<string> = new Set()

/** The selected ids. Another list begins with nothing selected. */
export const useSelection = (listKey: string) => {
  const [selection, setSelection] = useState({ listKey, ids: none, hasBegun: false })
  const isOurs = selection.listKey === listKey
  const ids = isOurs ? selection.ids : none
  const clear = useCallback(() => setSelection({ listKey, ids: none, hasBegun: false }), [listKey])
  const begin = useCallback(() => setSelection({ listKey, ids: none, hasBegun: true }), [listKey])
  const toggle = useCallback(
    (id: string) =>
      setSelection((before) => {
        const next = new Set(before.listKey === listKey ? before.ids : none)
        if (!next.delete(id)) next.add(id)
        return { listKey, ids: next, hasBegun: false }
      }),
    [listKey],
  )
  /** `begin`: shows where to select before anything is. */
  return { ids, isOn: ids.size > 0 || (isOurs && selection.hasBegun), toggle, begin, clear }
}
