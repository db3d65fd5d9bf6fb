import { useState } from 'react'
import { may } from '#contract/access.ts'
import { limits } from '#contract/limits.ts'
import buttons from '../parts/button.module.css'
import { Confirm, Dialog } from '../parts/dialog.tsx'
import { notify } from '../shell/notices.tsx'
import { useProfile } from '../shell/profile.ts'
import { queryClient } from '../shell/query-client.ts'
import { sentenceOf } from '../shell/session.ts'
import { type BulkAct, changeAll, countOf } from './acts.ts'
import styles from './bulk.module.css'
import { recordDone } from './changes.ts'
import type { KindView } from './kind-view.ts'
import { refreshLists } from './queries.ts'
import type { Filter, InboxRecord } from './record.ts'
import { useAssignable } from './staff.ts'
import { changeMany, listRecords } from './wire.ts'

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
          onDone={() => {
            setRunning(null)
            onSelect(new Set())
          }}
        />
      )}
    </section>
  )
}

/** Changes all that a filter selects, page by page, and shows how far it is. */
function Everything({
  view,
  filter,
  act,
  matching,
  onDone,
}: {
  view: KindView
  filter: Filter
  act: BulkAct
  matching: number
  onDone: () => void
}) {
  const [state, setState] = useState<'asking' | 'running'>('asking')
  const [done, setDone] = useState(0)
  const [stop] = useState(() => new AbortController())

  const run = async () => {
    setState('running')
    const events: string[] = []
    let changed = 0
    try {
      let cursor: string | undefined
      do {
        // The cursor stays valid while the records before it leave the list.
        const page = await listRecords(
          view.kind,
          { ...filter, limit: limits.bulk, cursor },
          stop.signal,
        )
        const ids = page.data.map((record) => record._id)
        if (ids.length === 0) break
        const { data, meta } = await changeMany(view.kind, { ids, ...act })
        if (meta.event) events.push(meta.event)
        changed += data.changed.length
        setDone((before) => before + ids.length)
        cursor = page.meta.nextCursor ?? undefined
      } while (cursor && !stop.signal.aborted)
    } catch (error) {
      if (!stop.signal.aborted)
        notify({ text: sentenceOf(error, view.texts.changeFailed), tone: 'bad' })
    }
    await refreshLists(queryClient, view.kind)
    onDone()
    if (changed > 0) recordDone(view.kind, events, `${countOf(view, changed)} changed`)
  }

  return (
    <Dialog title={`Change all ${countOf(view, matching)}`} onClose={() => stop.abort()}>
      {state === 'asking' ? (
        <>
          <p>
            This changes every {view.noun} that the present filter selects, also those further down
            the list. It can be undone.
          </p>
          <div className={styles.choice}>
            <button type="button" className={buttons.solid} onClick={() => void run()}>
              Change {countOf(view, matching)}
            </button>
            <button type="button" className={buttons.outlined} onClick={onDone}>
              Cancel
            </button>
          </div>
        </>
      ) : (
        <>
          <p role="status">
            {done.toLocaleString('en')} of {matching.toLocaleString('en')} done
          </p>
          <progress className={styles.progress} value={done} max={matching} aria-label="Progress" />
          <button type="button" className={buttons.outlined} onClick={() => stop.abort()}>
            Stop here
          </button>
        </>
      )}
    </Dialog>
  )
}
