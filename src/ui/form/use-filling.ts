import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { FormDescription } from './description.ts'
import { type Filling, forgetFilling, loadFilling, newFilling, saveFilling } from './filling.ts'
import { readDraft, restoreDraft } from './read-fields.ts'

/** Whether text is kept in the tab, and whether it came back from an earlier visit. */
export type Kept = 'nothing' | 'typed' | 'restored'

/** Keeps the filling of a form: restored when the form comes alive, saved as it changes. */
export const useFilling = (
  form: RefObject<HTMLFormElement | null>,
  description: FormDescription,
) => {
  const { kind } = description
  const filling = useRef<Filling | null>(null)
  const [kept, setKept] = useState<Kept>('nothing')

  const current = useCallback(() => {
    filling.current ??= newFilling()
    return filling.current
  }, [])

  const change = useCallback(
    (next: Filling) => {
      filling.current = { ...next, savedAt: Date.now() }
      saveFilling(kind, filling.current)
    },
    [kind],
  )

  /** Saves what stands in the form; an empty form leaves nothing behind. */
  const save = useCallback(() => {
    if (!form.current) return
    const values = readDraft(form.current, description)
    if (Object.keys(values).length === 0) {
      forgetFilling(kind)
      setKept('nothing')
      return
    }
    change({ ...current(), values })
    setKept((before) => (before === 'nothing' ? 'typed' : before))
  }, [form, description, kind, change, current])

  /** Ends this filling: the next one has a key of its own. */
  const end = useCallback(() => {
    filling.current = newFilling()
    forgetFilling(kind)
    setKept('nothing')
  }, [kind])

  useEffect(() => {
    filling.current = loadFilling(kind)
    if (form.current && restoreDraft(form.current, description, current().values))
      setKept('restored')
    save()
    addEventListener('pagehide', save)
    return () => removeEventListener('pagehide', save)
  }, [form, description, kind, current, save])

  return { kept, current, change, save, end }
}
