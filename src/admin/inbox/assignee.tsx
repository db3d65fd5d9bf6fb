import type { RefObject } from 'react'
import * as acts from './acts.ts'
import styles from './detail.module.css'
import type { KindView } from './kind-view.ts'
import type { InboxRecord } from './record.ts'
import { useAssignable } from './staff.ts'

/** Who works on a record; a choice is saved at once. */
export function Assignee({
  view,
  record,
  field,
}: {
  view: KindView
  record: InboxRecord
  field: RefObject<HTMLSelectElement | null>
}) {
  const names = useAssignable(record.assignee)
  return (
    <select
      id="assignee"
      ref={field}
      className={styles.select}
      value={record.assignee ?? ''}
      onChange={(event) => acts.assign(view, record, event.target.value || null)}
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
