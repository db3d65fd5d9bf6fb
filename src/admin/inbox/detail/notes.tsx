import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import buttons from '../../components/button.module.css'
import { Key } from '../../components/key.tsx'
import { useProfile } from '../../session/profile.ts'
import { useShortcuts } from '../../shell/shortcuts.tsx'
import type { RecordDetail } from '../api/record.ts'
import { readDraft } from '../api/write-note.ts'
import type { KindView } from '../kinds/kind-view.ts'
import styles from './detail.module.css'
import { NoteForm } from './note.tsx'

/** The head of the activity, with the note form when it is wanted or holds a draft. */
export function Notes({
  view,
  record,
  mayWrite,
}: {
  view: KindView
  record: RecordDetail
  mayWrite: boolean
}) {
  const { id: user } = useProfile()
  const field = useRef<HTMLTextAreaElement>(null)
  const [open, setOpen] = useState(() => readDraft(user, record._id) !== '')
  const write = () => {
    flushSync(() => setOpen(true))
    field.current?.focus()
  }
  useShortcuts({ n: mayWrite ? write : undefined })
  return (
    <>
      <div className={styles.subhead}>
        <h3>Activity</h3>
        {mayWrite && !open && (
          <button type="button" className={buttons.link} onClick={write}>
            Add a note
            <Key of="n" />
          </button>
        )}
      </div>
      {mayWrite && open && (
        <NoteForm
          kind={view.kind}
          id={record._id}
          user={user}
          field={field}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
