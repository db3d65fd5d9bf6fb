import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import type { KindPath } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import buttons from '../../components/button.module.css'
import fields from '../../components/field.module.css'
import { notify } from '../../shell/notices.tsx'
import { isOutage, sentenceOf } from '../../shell/session.ts'
import { writeNote } from '../api/endpoints.ts'
import type { RecordDetail } from '../api/record.ts'
import styles from './detail.module.css'

/** Drafts live in the tab, by ids alone, so that a lapsed sign-in or a reload loses no words. */
const draftKey = (user: string, record: string) => `note:${user}:${record}`

export const readDraft = (user: string, record: string): string =>
  sessionStorage.getItem(draftKey(user, record)) ?? ''

export function NoteForm({
  kind,
  id,
  user,
  field,
  onClose,
}: {
  kind: KindPath
  id: string
  user: string
  field: RefObject<HTMLTextAreaElement | null>
  onClose: () => void
}) {
  const client = useQueryClient()
  const key = draftKey(user, id)
  const [text, setText] = useState(() => readDraft(user, id))
  const write = (next: string) => {
    setText(next)
    if (next) sessionStorage.setItem(key, next)
    else sessionStorage.removeItem(key)
  }

  const save = useMutation({
    networkMode: 'always',
    mutationFn: (note: string) => writeNote(kind, id, note),
    onSuccess: (entry) => {
      client.setQueryData<RecordDetail>(
        ['record', kind, id],
        (detail) => detail && { ...detail, activity: [...detail.activity, entry] },
      )
      write('')
      notify({ text: 'Note saved' })
      onClose()
    },
  })

  return (
    <form
      className={styles.noteForm}
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() && !save.isPending) save.mutate(text)
      }}
    >
      <div className={fields.plan}>
        <div className={fields.field}>
          <label htmlFor="note">Note</label>
          <textarea
            id="note"
            dir="auto"
            ref={field}
            value={text}
            maxLength={limits.note}
            placeholder="For colleagues only"
            onChange={(event) => write(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
                event.currentTarget.form?.requestSubmit()
              if (event.key === 'Escape') event.currentTarget.blur()
            }}
          />
        </div>
      </div>
      {save.error && (
        <p className={styles.fault} role="alert">
          {isOutage(save.error)
            ? 'Not saved: the server cannot be reached. Your text is kept here.'
            : sentenceOf(save.error, 'The note was not saved. Your text is kept here.')}
        </p>
      )}
      <div className={styles.noteActs}>
        <button
          type="submit"
          className={buttons.solid}
          disabled={save.isPending || text.trim() === ''}
        >
          {save.isPending ? 'Saving...' : 'Save note'}
        </button>
        <button
          type="button"
          className={buttons.outlined}
          onClick={() => {
            write('')
            onClose()
          }}
        >
          Discard
        </button>
      </div>
    </form>
  )
}
