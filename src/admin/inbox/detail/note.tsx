import { type RefObject, useState } from 'react'
import type { KindPath } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import buttons from '../../components/button.module.css'
import fields from '../../components/field.module.css'
import { isOutage, sentenceOf } from '../../session/session.ts'
import { notify } from '../../shell/notices.tsx'
import { readDraft, useWriteNote, writeDraft } from '../api/write-note.ts'
import styles from './detail.module.css'

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
  const [text, setText] = useState(() => readDraft(user, id))
  const write = (next: string) => {
    setText(next)
    writeDraft(user, id, next)
  }
  const save = useWriteNote(kind, id, user, () => {
    write('')
    notify({ text: 'Note saved' })
    onClose()
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
        <p className={styles.error} role="alert">
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
