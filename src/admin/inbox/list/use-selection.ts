import { useCallback, useState } from 'react'

const none: ReadonlySet<string> = new Set()

/** The selected ids. Another list begins with nothing selected. */
export const useSelection = (listKey: string) => {
  const [selection, setSelection] = useState({ listKey, ids: none })
  const ids = selection.listKey === listKey ? selection.ids : none
  const clear = useCallback(() => setSelection({ listKey, ids: none }), [listKey])
  const toggle = useCallback(
    (id: string) =>
      setSelection((before) => {
        const next = new Set(before.listKey === listKey ? before.ids : none)
        if (!next.delete(id)) next.add(id)
        return { listKey, ids: next }
      }),
    [listKey],
  )
  return { ids, toggle, clear }
}
