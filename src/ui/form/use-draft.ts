import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FormDescription } from './description.ts'
import { type Draft, forgetDraft, loadDraft, newDraft, saveDraft } from './draft.ts'
import { readDraft, restoreDraft } from './read-fields.ts'

export type Kept = 'nothing' | 'typed' | 'restored'

/** Keeps a form's draft: restored when the form is hydrated, saved at each change. */
export const useDraft = (form: RefObject<HTMLFormElement | null>, description: FormDescription) => {
  const { kind } = description
  const draft = useRef<Draft | null>(null)
  const [kept, setKept] = useState<Kept>('nothing')

  const current = () => {
    draft.current ??= newDraft()
    return draft.current
  }

  const change = (next: Draft) => {
    draft.current = { ...next, savedAt: Date.now() }
    return saveDraft(kind, draft.current)
  }

  /** Saves the form's values; an empty form removes the draft. */
  const save = () => {
    if (!form.current) return
    const values = readDraft(form.current, description)
    if (Object.keys(values).length === 0) {
      forgetDraft(kind)
      setKept('nothing')
      return
    }
    if (!change({ ...current(), values })) return setKept('nothing')
    setKept((before) => (before === 'nothing' ? 'typed' : before))
  }

  /** Ends this draft: the next one has a key of its own. */
  const end = () => {
    draft.current = newDraft()
    forgetDraft(kind)
    setKept('nothing')
  }

  const restore = useEffectEvent(() => {
    draft.current = loadDraft(kind)
    if (form.current && restoreDraft(form.current, description, current().values))
      setKept('restored')
    save()
  })
  const saveNow = useEffectEvent(save)
  useEffect(() => {
    restore()
    addEventListener('pagehide', saveNow)
    return () => removeEventListener('pagehide', saveNow)
  }, [])

  return { kept, current, change, save, end }
}
