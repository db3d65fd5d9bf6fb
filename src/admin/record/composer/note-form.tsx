import type { PropsWithChildren } from 'react'
import { limits } from '#contract/limits.ts'
import { refusalOf } from '../../changes/retry-policy.ts'
import { Button } from '../../components/button.tsx'
import { submitTo } from '../../components/form.tsx'
import { useProfile } from '../../session/profile.ts'
import { isOutage, outageOf } from '../../session/session.ts'
import { notify } from '../../shell/notices.tsx'
import styles from './composer.module.css'
import type { ComposerProps } from './composer.tsx'
import { ComposerField } from './composer-field.tsx'
import { draftKey, readDraft, useDraft, writeDraft } from './drafts.ts'
import { useWriteNote } from './write-note.ts'

/** A note for colleagues; `children`: the composer's tabs. */
export function NoteForm(props: PropsWithChildren<ComposerProps>) {
  const { view, record, field, onClose, children } = props
  const draft = draftKey('note', useProfile().id, record._id)
  const text = useDraft(draft)
  const save = useWriteNote(view.kind, record._id, draft, (saved) => {
    // Text that was typed after the save was sent begins the next note.
    const now = readDraft(draft)
    writeDraft(draft, now.startsWith(saved) ? now.slice(saved.length).trimStart() : now)
    notify({ text: 'Note saved' })
  })
  const send = () =>
    save.mutate(text, {
      // Runs only while this form is mounted: the tab may show a reply by now.
      onSuccess: () => {
        if (!readDraft(draft)) onClose()
      },
    })

  return (
    <form
      className={styles.note}
      onSubmit={submitTo(() => {
        if (text.trim() && !save.isPending) send()
      })}
    >
      <div className={`wrapping-row ${styles.head}`}>{children}</div>
      <ComposerField
        id="note"
        label="Note"
        field={field}
        text={text}
        max={limits.note}
        onText={(next) => writeDraft(draft, next)}
      />
      {save.isPaused && (
        <p className="secondary" role="status">
          No connection. The note is saved when you are back.
        </p>
      )}
      {save.error && (
        <p className="bad" role="alert">
          {isOutage(save.error)
            ? `Not saved: the server ${outageOf(save.error).cause}. Your text is kept here.`
            : refusalOf(
                save.error,
                'The record',
                'The note was not saved. Your text is kept here.',
              )}
        </p>
      )}
      <div className={`wrapping-row ${styles.foot}`}>
        <Button
          type="submit"
          look="line"
          disabled={text.trim() === ''}
          busy={save.isPending && (save.isPaused ? 'Waiting...' : 'Saving...')}
        >
          Save note
        </Button>
        <Button
          look="line"
          onClick={() => {
            writeDraft(draft, '')
            onClose()
          }}
        >
          Discard
        </Button>
        <span className="secondary">Only staff see this. No mail is sent.</span>
      </div>
    </form>
  )
}
