import type { Ref } from 'react'
import { singleClick } from '../browser/single-click.ts'
import { act, snooze } from '../changes/edits.ts'
import { Key } from '../components/key.tsx'
import { Menu } from '../components/menu.tsx'
import type { RecordAction } from './actions.ts'
import type { KindView } from './kinds/kind-view.ts'
import styles from './record.module.css'
import type { InboxRecord } from './record.ts'
import { mailDraft } from './safe-links.ts'
import { SnoozeChoices } from './snooze.tsx'

/** The buttons beside the open record. */
export function Tools({
  view,
  record,
  actions,
  perform,
  onReply,
  later,
}: {
  view: KindView
  record: InboxRecord
  actions: readonly RecordAction[]
  perform: (action: RecordAction) => unknown
  /** Opens the composer; null where this person may not write to the sender here. */
  onReply: (() => void) | null
  later: Ref<HTMLButtonElement>
}) {
  const buttons = (...ids: RecordAction['id'][]) =>
    actions
      .filter(({ id }) => ids.includes(id))
      .map((action) => (
        <button
          key={action.phrase}
          type="button"
          className={`${styles.tool} ${action.id === 'delete' ? styles.danger : ''}`}
          onClick={singleClick(() => perform(action))}
        >
          {action.phrase}
          {action.key && <Key of={action.key} />}
        </button>
      ))
  return (
    <div className={styles.tools}>
      <div className={styles.usual}>
        {buttons('status')}
        {/* Opened in another way, such as by Ctrl and a click, it is a draft in one's own mail program. */}
        <a
          className={styles.tool}
          href={mailDraft(record.email, view.mail.subject(record))}
          onClick={(event) => {
            if (!onReply || event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            onReply()
          }}
        >
          {view.mail.label}
        </a>
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
      </div>
      <div className={styles.rare}>{buttons('spam', 'restore', 'delete')}</div>
    </div>
  )
}
