import { useRef, useState } from 'react'
import { useIsWide } from '../../browser/use-media.ts'
import { assign, type ManyAction, remove } from '../../changes/edits.ts'
import { LinkButton } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Options } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { Key } from '../../components/key.tsx'
import { countOf } from '../../format/count.ts'
import { type RecordAction, useActionCommands, useRecordActions } from '../../record/actions.ts'
import { maySet } from '../../record/blind.ts'
import type { KindView } from '../../record/kinds/kind-view.ts'
import type { Filter, InboxRecord } from '../../record/record.ts'
import { useAssignable } from '../../session/users-query.ts'
import { notify } from '../../shell/notices.tsx'
import tools from '../../shell/tool.module.css'
import styles from './bulk.module.css'
import { changeSelected, countLabel } from './change-many.ts'
import { Everything } from './everything.tsx'
import { MessageDialog } from './message-dialog.tsx'

export interface BulkProps {
  view: KindView
  filter: Filter
  matching: number
  loaded: () => readonly InboxRecord[]
  selected: ReadonlySet<string>
  /** All that the filter selects are selected. */
  isAll: boolean
  onAll: () => void
  onClear: () => void
}

/** Actions on the selected rows, or on all that the filter selects. */
export function BulkBar(props: BulkProps) {
  const { view, filter, matching, loaded, selected, isAll, onAll, onClear } = props
  const names = useAssignable()
  const isWide = useIsWide()
  const [asking, setAsking] = useState(false)
  /** The status that goes with the message; empty where none was chosen. */
  const [writing, setWriting] = useState<string | null>(null)
  const [running, setRunning] = useState<ManyAction | null>(null)
  const assignee = useRef<HTMLSelectElement>(null)
  const newStatus = useRef<HTMLSelectElement>(null)
  const box = filter.box ?? 'inbox'
  const count = isAll ? matching : selected.size

  /** The selected records. They are kept here, since pages that are far from the window are unloaded. */
  const known = useRef(new Map<string, InboxRecord>())
  const chosen = () => {
    const records = loaded()
    if (isAll) return records
    for (const record of records)
      if (selected.has(record._id)) known.current.set(record._id, record)
    return [...selected].flatMap((id) => known.current.get(id) ?? [])
  }
  const records = chosen()
  const [first] = records
  /** The status of all that are selected; undefined if they differ, or are not all loaded. */
  const shared =
    records.length === count && records.every((record) => record.status === first?.status)
      ? first?.status
      : undefined

  const act = (wanted: ManyAction) => {
    if (isAll) return setRunning(wanted)
    changeSelected(view, chosen(), wanted)
    onClear()
  }

  const actions = useRecordActions(view, { box, ...(shared && { status: shared }) }, 'bulk')
  const perform = ({ id, status, edit }: RecordAction) => {
    const isDecision = id === 'status' || id === 'outcome'
    const isForbidden = () => status && chosen().some((record) => !maySet(record, status))
    // A change of all that match leaves them out itself.
    if (isDecision && !isAll && isForbidden())
      notify({ text: 'Some of these are read blind. Score them before you decide.', tone: 'bad' })
    else if (edit) act(edit)
    else if (id === 'assign') assignee.current?.focus()
    else if (id === 'status') newStatus.current?.focus()
    else if (id === 'delete') setAsking(true)
    else setWriting(status?.value ?? '')
  }
  useActionCommands(
    `With the ${countLabel(view, count)} selected`,
    count > 0 ? actions : [],
    perform,
    { goesFirst: true },
  )
  const of = (...ids: RecordAction['id'][]) => actions.filter(({ id }) => ids.includes(id))
  const statuses = of('status').filter(({ edit }) => edit)
  const outcomes = of('outcome')

  return (
    <section className={styles.bar} aria-label="Selected">
      <p className="one-line" role="status">
        {countLabel(view, count)} selected
      </p>
      {!isAll && matching > selected.size && (
        <LinkButton onClick={onAll}>Select all {countOf(matching)}</LinkButton>
      )}
      <div className={styles.actions}>
        {statuses.length > 0 && (
          <select
            ref={newStatus}
            aria-label="Set status of the selected"
            disabled={count === 0}
            value=""
            onChange={({ target }) => {
              const chosenOne = [...statuses, ...outcomes].find(
                ({ phrase }) => phrase === target.value,
              )
              if (chosenOne) perform(chosenOne)
            }}
          >
            <option value="" disabled>
              Set status
            </option>
            <Options values={statuses.map(({ label, phrase }) => [phrase, label])} />
            {outcomes.length > 0 && <hr />}
            <Options values={outcomes.map(({ phrase }) => phrase)} />
          </select>
        )}
        {of('assign').length > 0 && (
          <select
            ref={assignee}
            aria-label="Assign the selected"
            disabled={count === 0}
            value=""
            onChange={({ target }) => act(assign(target.value === '-' ? null : target.value))}
          >
            <option value="" disabled>
              Assign
            </option>
            <option value="-">Nobody</option>
            <Options values={names} />
          </select>
        )}
        {of('template', 'spam', 'restore', 'delete').map((action) => (
          <button
            key={action.phrase}
            type="button"
            className={`${tools.tool} ${action.id === 'delete' ? tools.danger : ''}`}
            disabled={count === 0}
            onClick={() => perform(action)}
          >
            {action.id === 'template' ? (
              <>
                {isWide ? action.phrase : 'Template'}
                <Key of="t" />
              </>
            ) : (
              action.label.replace('Mark as ', '')
            )}
          </button>
        ))}
      </div>
      <button type="button" className={`${tools.tool} ${styles.clear}`} onClick={onClear}>
        <span className={isWide ? undefined : 'visually-hidden'}>Clear</span>
        {isWide ? <Key of="Esc" /> : <Icon name="close" />}
      </button>
      {asking && (
        <Confirm
          title={`Delete ${countLabel(view, count)}`}
          question={`Are you sure you want to delete ${
            count === 1 ? `this ${view.noun}` : `these ${countLabel(view, count)}`
          }?`}
          note={`${count === 1 ? 'It goes' : 'They go'} to the trash and can come back.`}
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
          records={records}
          shared={shared}
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
