import { useState } from 'react'
import { may } from '#contract/access.ts'
import buttons from '../../components/button.module.css'
import { Confirm } from '../../components/dialog.tsx'
import { useProfile } from '../../shell/profile.ts'
import type { Filter, InboxRecord } from '../api/record.ts'
import { useAssignable } from '../api/staff.ts'
import type { KindView } from '../kinds/kind-view.ts'
import styles from './bulk.module.css'
import { type BulkAct, changeAll, countOf } from './bulk-mutations.ts'
import { Everything } from './everything.tsx'

interface BulkProps {
  view: KindView
  filter: Filter
  matching: number
  loaded: readonly InboxRecord[]
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
}

/** What can be done with the selected rows, or with all that the filter selects. */
export function BulkBar({ view, filter, matching, loaded, selected, onSelect }: BulkProps) {
  const { username, role } = useProfile()
  const names = useAssignable()
  const [everything, setEverything] = useState(false)
  const [asking, setAsking] = useState(false)
  const [running, setRunning] = useState<BulkAct | null>(null)
  const box = filter.box ?? 'inbox'
  const count = everything ? matching : selected.size
  const mayRemove = may(role, 'records.remove')

  const act = (wanted: BulkAct) => {
    if (everything) return setRunning(wanted)
    const records = loaded.filter((record) => selected.has(record._id))
    changeAll(view, records, wanted, username)
    onSelect(new Set())
  }

  return (
    <section className={styles.bar} aria-label="Selected">
      <p role="status">{countOf(view, count)} selected</p>
      {!everything && matching > selected.size && (
        <button type="button" className={buttons.link} onClick={() => setEverything(true)}>
          Select all {matching.toLocaleString('en')}
        </button>
      )}
      <button type="button" className={buttons.link} onClick={() => onSelect(new Set())}>
        Clear
      </button>
      <div className={styles.acts}>
        {box !== 'trash' && (
          <>
            <select
              aria-label="Set status of the selected"
              value=""
              onChange={(event) => act({ action: 'status', value: event.target.value })}
            >
              <option value="" disabled>
                Set status
              </option>
              {view.statuses.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
            <select
              aria-label="Assign the selected"
              value=""
              onChange={(event) =>
                act({
                  action: 'assign',
                  value: event.target.value === '-' ? null : event.target.value,
                })
              }
            >
              <option value="" disabled>
                Assign
              </option>
              <option value="-">Nobody</option>
              {names.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
            <button
              type="button"
              className={buttons.outlined}
              onClick={() => act({ action: 'spam', value: box !== 'spam' })}
            >
              {box === 'spam' ? 'Not Spam' : 'Spam'}
            </button>
          </>
        )}
        {mayRemove &&
          (box === 'trash' ? (
            <button
              type="button"
              className={buttons.outlined}
              onClick={() => act({ action: 'restore' })}
            >
              Restore
            </button>
          ) : (
            <button type="button" className={buttons.danger} onClick={() => setAsking(true)}>
              Delete
            </button>
          ))}
      </div>
      {asking && (
        <Confirm
          title={`Delete ${countOf(view, count)}`}
          question={`Are you sure you want to delete ${
            count === 1 ? `this ${view.noun}` : `these ${countOf(view, count)}`
          }?`}
          action="Delete"
          onConfirm={() => act({ action: 'delete' })}
          onClose={() => setAsking(false)}
        />
      )}
      {running && (
        <Everything
          view={view}
          filter={filter}
          act={running}
          matching={matching}
          onEnd={() => {
            setRunning(null)
            onSelect(new Set())
          }}
        />
      )}
    </section>
  )
}
