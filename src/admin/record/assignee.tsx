import type { RefObject } from 'react'
import { act, assign } from '../changes/edits.ts'
import type { KindView } from './kinds/kind-view.ts'
import styles from './record.module.css'
import type { InboxRecord } from './record.ts'
import { useAssignable } from './staff.ts'

/** Who works on a record; a choice is saved at once. */
export function Assignee({
  view,
  record,
  field,
  onChosen,
}: {
  view: KindView
  record: InboxRecord
  field: RefObject<HTMLSelectElement | null>
  onChosen: () => void
}) {
  const names = useAssignable(record.assignee)
  return (
    <select
      id="assignee"
      ref={field}
      className={styles.select}
      value={record.assignee ?? ''}
      onChange={(event) => {
        act(view, record, assign(event.target.value || null))
        onChosen()
      }}
    >
      <option value="">Nobody</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}
