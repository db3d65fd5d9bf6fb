import { useEffect, useRef, useState } from 'react'
import { may } from '#contract/http/access.ts'
import {
  assign,
  type ManyAction,
  remove,
  restore,
  setSpam,
  setStatus,
} from '../../changes/edits.ts'
import { LinkButton } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Options } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { Key } from '../../components/key.tsx'
import { maySet } from '../../record/blind.ts'
import { type KindView, statusView } from '../../record/kinds/kind-view.ts'
import type { Filter, InboxRecord } from '../../record/record.ts'
import { useAssignable } from '../../record/staff.ts'
import { useProfile } from '../../session/profile.ts'
import { notify } from '../../shell/notices.tsx'
import { type Command, useCommands } from '../../shell/shortcuts.tsx'
import tools from '../../shell/tool.module.css'
import styles from './bulk.module.css'
import { changeSelected, countLabel } from './change-many.ts'
import { Everything } from './everything.tsx'
import { MessageDialog } from './message-dialog.tsx'

interface BulkProps {
  view: KindView
  filter: Filter
  matching: number
  loaded: () => readonly InboxRecord[]
  selected: ReadonlySet<string>
  onClear: () => void
}

/** What can be done with the selected rows, or with all that the filter selects. */
export function BulkBar({ view, filter, matching, loaded, selected, onClear }: BulkProps) {
  const { username, role } = useProfile()
  const names = useAssignable()
  const [everything, setEverything] = useState(false)
  const [asking, setAsking] = useState(false)
  /** The status that goes with the message; empty where none was chosen. */
  const [writing, setWriting] = useState<string | null>(null)
  const [running, setRunning] = useState<ManyAction | null>(null)
  const assignee = useRef<HTMLSelectElement>(null)
  const box = filter.box ?? 'inbox'
  const count = everything ? matching : selected.size
  const mayRemove = may(role, 'records.remove')

  /** The selected records. They are kept here, since pages that are far from the window are unloaded. */
  const known = useRef(new Map<string, InboxRecord>())
  const chosen = () => {
    const records = loaded()
    if (everything) return records
    for (const record of records)
      if (selected.has(record._id)) known.current.set(record._id, record)
    return [...selected].flatMap((id) => known.current.get(id) ?? [])
  }
  useEffect(() => {
    chosen()
  })

  const decide = (status: string, start: () => void) => {
    const isHeldBack = chosen().some((record) => !maySet(record, statusView(view, status)))
    if (isHeldBack)
      notify({ text: 'Some of these are read blind. Score them before you decide.', tone: 'bad' })
    else start()
  }

  const set = (status: string) => {
    const { status: outcome } = view.outcomes.find(({ label }) => label === status) ?? {}
    if (outcome) decide(outcome, () => setWriting(outcome))
    else decide(status, () => act(setStatus(view, status, username)))
  }

  const act = (wanted: ManyAction) => {
    if (everything) return setRunning(wanted)
    changeSelected(view, chosen(), wanted)
    onClear()
  }

  const next = view.statuses[1]
  useCommands(
    `With the ${countLabel(view, count)} selected`,
    count === 0 || box === 'trash'
      ? []
      : [
          next && {
            key: 'e',
            label: next.action ?? next.label,
            icon: 'check',
            run: () => act(setStatus(view, next.value, username)),
          },
          {
            key: 'a',
            label: 'Assign …',
            icon: 'user',
            run: () => assignee.current?.focus(),
          },
          box === 'inbox'
            ? { key: 't', label: 'Send a template', icon: 'reply', run: () => setWriting('') }
            : undefined,
          ...(box === 'inbox' ? view.outcomes : []).map(
            ({ label }): Command => ({ label, icon: 'reply', run: () => set(label) }),
          ),
          {
            label: box === 'spam' ? 'Not Spam' : 'Mark as Spam',
            icon: 'stop',
            run: () => act(setSpam(box !== 'spam')),
          },
          mayRemove
            ? { key: '#', label: 'Delete', icon: 'bin', run: () => setAsking(true) }
            : undefined,
        ],
    { goesFirst: true },
  )

  return (
    <section className={styles.bar} aria-label="Selected">
      <p role="status">{countLabel(view, count)} selected</p>
      {!everything && matching > selected.size && (
        <LinkButton onClick={() => setEverything(true)}>
          Select all {matching.toLocaleString('en')}
        </LinkButton>
      )}
      <div className={styles.actions}>
        {box !== 'trash' && (
          <>
            <select
              aria-label="Set status of the selected"
              disabled={count === 0}
              value=""
              onChange={(event) => set(event.target.value)}
            >
              <option value="" disabled>
                Set status
              </option>
              {view.statuses.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
              {box === 'inbox' && view.outcomes.length > 0 && (
                <>
                  <hr />
                  {view.outcomes.map(({ label }) => (
                    <option key={label}>{label}</option>
                  ))}
                </>
              )}
            </select>
            <select
              ref={assignee}
              aria-label="Assign the selected"
              disabled={count === 0}
              value=""
              onChange={(event) =>
                act(assign(event.target.value === '-' ? null : event.target.value))
              }
            >
              <option value="" disabled>
                Assign
              </option>
              <option value="-">Nobody</option>
              <Options values={names} />
            </select>
            {box === 'inbox' && (
              <button
                type="button"
                className={tools.tool}
                disabled={count === 0}
                onClick={() => setWriting('')}
              >
                <span className={styles.long}>Send a template</span>
                <span className={styles.short}>Template</span>
                <Key of="t" />
              </button>
            )}
            <button
              type="button"
              className={tools.tool}
              disabled={count === 0}
              onClick={() => act(setSpam(box !== 'spam'))}
            >
              {box === 'spam' ? 'Not Spam' : 'Spam'}
            </button>
          </>
        )}
        {mayRemove &&
          (box === 'trash' ? (
            <button
              type="button"
              className={tools.tool}
              disabled={count === 0}
              onClick={() => act(restore)}
            >
              Restore
            </button>
          ) : (
            <button
              type="button"
              className={`${tools.tool} ${tools.danger}`}
              disabled={count === 0}
              onClick={() => setAsking(true)}
            >
              Delete
            </button>
          ))}
      </div>
      <button type="button" className={`${tools.tool} ${styles.clear}`} onClick={onClear}>
        <span>Clear</span>
        <Key of="Esc" />
        <Icon name="close" />
      </button>
      {asking && (
        <Confirm
          title={`Delete ${countLabel(view, count)}`}
          question={`Are you sure you want to delete ${
            count === 1 ? `this ${view.noun}` : `these ${countLabel(view, count)}`
          }?`}
          action="Delete"
          onConfirm={() => act(remove)}
          onClose={() => setAsking(false)}
        />
      )}
      {writing !== null && (
        <MessageDialog
          view={view}
          count={count}
          outcome={writing || undefined}
          records={chosen()}
          onSend={act}
          onClose={() => setWriting(null)}
        />
      )}
      {running && (
        <Everything
          view={view}
          // By arrival: in the order of what is due, the records would move while they are changed.
          filter={{ ...filter, sort: '-createdAt' }}
          act={running}
          matching={matching}
          onEnd={() => {
            setRunning(null)
            onClear()
          }}
        />
      )}
    </section>
  )
}
