import { useRef, useState } from 'react'
import { may } from '#contract/http/access.ts'
import { singleClick } from '../browser/single-click.ts'
import { act, restore, setSpam, setStatus } from '../changes/edits.ts'
import { Confirm } from '../components/dialog.tsx'
import { Key } from '../components/key.tsx'
import { useProfile } from '../session/profile.ts'
import { type Command, useCommands } from '../shell/shortcuts.tsx'
import { maySet } from './blind.ts'
import { type KindView, nextStatus } from './kinds/kind-view.ts'
import { openGroup } from './open-group.ts'
import styles from './record.module.css'
import type { InboxRecord } from './record.ts'
import { mailDraft } from './safe-links.ts'
import { Snooze } from './snooze.tsx'

/** What can be done with the open record, as buttons and as keys; what the role may not do is not there. */
export function Tools({
  view,
  record,
  isDecidedApart,
  onReply,
  onRemove,
}: {
  view: KindView
  record: InboxRecord
  /** The statuses are set elsewhere. */
  isDecidedApart: boolean
  /** Opens the composer; null where this person may not write to the sender here. */
  onReply: (() => void) | null
  onRemove: (record: InboxRecord) => void
}) {
  const { username, role } = useProfile()
  const [asking, setAsking] = useState(false)
  const later = useRef<HTMLButtonElement>(null)
  const inTrash = record.box === 'trash'
  const mayChange = may(role, 'records.change') && !inTrash
  const mayRemove = may(role, 'records.remove')
  const mayWait = mayChange && record.box === 'inbox'
  const next = nextStatus(view, record.status)
  const moveTo = (status: string) => act(view, record, setStatus(view, status, username))

  const inSpam = record.box === 'spam'
  const spamLabel = inSpam ? 'Not Spam' : 'Mark as Spam'
  const toggleSpam = () => act(view, record, setSpam(!inSpam))
  const putBack = () => act(view, record, restore)

  useCommands(openGroup(record), [
    ...(mayChange ? view.statuses : [])
      .filter(
        (status) =>
          (status.action || status.value === next?.value) &&
          status.value !== record.status &&
          maySet(record, status),
      )
      .map(
        ({ action, label, value }): Command => ({
          label: action ?? label,
          icon: 'check',
          ...(value === next?.value ? { key: 'e' } : {}),
          run: () => moveTo(value),
        }),
      ),
    mayWait
      ? { key: 'h', label: 'Later …', icon: 'calendar', run: () => later.current?.click() }
      : undefined,
    mayChange ? { label: spamLabel, icon: 'stop', run: toggleSpam } : undefined,
    mayRemove && inTrash ? { label: 'Restore', icon: 'back', run: putBack } : undefined,
    mayRemove && !inTrash
      ? { key: '#', label: 'Delete', icon: 'bin', run: () => setAsking(true) }
      : undefined,
  ])

  return (
    <>
      <div className={styles.tools}>
        <div className={styles.usual}>
          {mayChange &&
            !isDecidedApart &&
            view.statuses
              .filter(({ action, value }) => action && value !== record.status)
              .map(({ action, value }) => (
                <button
                  key={value}
                  type="button"
                  className={styles.tool}
                  onClick={singleClick(() => moveTo(value))}
                >
                  {action}
                  {value === next?.value && <Key of="e" />}
                </button>
              ))}
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
          {mayWait && <Snooze view={view} record={record} button={later} />}
        </div>
        <div className={styles.rare}>
          {mayChange && (
            <button type="button" className={styles.tool} onClick={singleClick(toggleSpam)}>
              {spamLabel}
            </button>
          )}
          {mayRemove &&
            (inTrash ? (
              <button type="button" className={styles.tool} onClick={putBack}>
                Restore
              </button>
            ) : (
              <button
                type="button"
                className={`${styles.tool} ${styles.danger}`}
                onClick={() => setAsking(true)}
              >
                Delete
                <Key of="#" />
              </button>
            ))}
        </div>
      </div>
      {asking && (
        <Confirm
          title={`Delete ${view.noun}`}
          question={view.texts.removeQuestion}
          action="Delete"
          onConfirm={() => onRemove(record)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
