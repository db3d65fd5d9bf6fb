import type { Ref } from 'react'
import { singleClick } from '../browser/single-click.ts'
import { act, snooze } from '../changes/edits.ts'
import { Key, KeyButton } from '../components/key.tsx'
import { Menu } from '../components/menu.tsx'
import type { RecordAction } from './actions.ts'
import type { OpenRecord } from './kinds/kind-view.ts'
import styles from './record.module.css'
import { mailDraft } from './safe-links.ts'
import { SnoozeChoices } from './snooze.tsx'

interface Props extends OpenRecord {
  actions: readonly RecordAction[]
  perform: (action: RecordAction) => unknown
  /** Opens the composer; null where this person may not write to the sender here. */
  onReply: (() => void) | null
  /** True while a message is written: its button is the one that is filled. */
  isWriting: boolean
  later: Ref<HTMLButtonElement>
}

export function Tools({ view, record, actions, perform, onReply, isWriting, later }: Props) {
  const statuses = actions.filter(({ id }) => id === 'status')
  const next = statuses.filter(({ key }) => key)
  const others = statuses.filter(({ key }) => !key)
  const rare = actions.filter(({ id }) => ['spam', 'restore', 'delete'].includes(id))
  const buttons = (some: readonly RecordAction[]) =>
    some.map((action) => (
      <KeyButton
        key={action.phrase}
        label={action.phrase}
        of={action.key}
        className={`${styles.tool} ${action.id === 'delete' ? styles.danger : ''}`}
        onClick={singleClick(() => perform(action))}
      />
    ))
  // An application's next step is at the foot of the record.
  const isNext = record.waitingFor === 'us' && statuses.length > 0 && !isWriting
  return (
    <div className={styles.tools}>
      <div className={styles.usual}>
        {/* Opened in another way, such as by Ctrl and a click, it is a draft in one's own mail program. */}
        <a
          className={`${styles.tool} ${isNext ? styles.first : ''}`}
          href={mailDraft(record.email, view.mail.subject(record))}
          onClick={(event) => {
            if (!onReply || event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            onReply()
          }}
        >
          {view.mail.label}
        </a>
        {buttons(next)}
        {actions.some(({ id }) => id === 'later') && (
          <Menu
            button={later}
            className={styles.tool}
            label={
              <>
                Later
                <Key of="h" />
              </>
            }
          >
            {() => (
              <SnoozeChoices
                record={record}
                onChoose={(until) => act(view, record, snooze(until))}
              />
            )}
          </Menu>
        )}
        {buttons(others)}
      </div>
      <div className={styles.rare}>{buttons(rare)}</div>
    </div>
  )
}
