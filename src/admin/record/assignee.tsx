import type { RefObject } from 'react'
import { act, assign } from '../changes/edits.ts'
import { Options } from '../components/form.tsx'
import { useAssignable } from '../session/users-query.ts'
import type { OpenRecord } from './kinds/kind-view.ts'
import styles from './record.module.css'

/** Opens the choice. Not every browser opens it for a script; focus is enough there. */
export const chooseByKey = (field: HTMLSelectElement | null): void => {
  field?.focus()
  try {
    field?.showPicker()
    if (field) field.dataset.opened = 'by-key'
  } catch {}
}

interface Props extends OpenRecord {
  field: RefObject<HTMLSelectElement | null>
  /** Takes the focus after a choice by key or Escape: in the field, the next letters would choose other people. */
  heading: RefObject<HTMLElement | null>
}

/** A choice is saved at once. */
export function Assignee({ view, record, field, heading }: Props) {
  const names = useAssignable(record.assignee)
  return (
    <select
      id="assignee"
      ref={field}
      className={styles.select}
      value={record.assignee ?? ''}
      onChange={({ target }) => {
        act(view, record, assign(target.value || null))
        if (target.dataset.opened) heading.current?.focus({ preventScroll: true })
        delete target.dataset.opened
      }}
      onKeyUp={({ key, currentTarget }) => {
        if (key !== 'Escape' || !currentTarget.dataset.opened) return
        heading.current?.focus({ preventScroll: true })
        delete currentTarget.dataset.opened
      }}
    >
      <option value="">Nobody</option>
      <Options values={names} />
    </select>
  )
}
