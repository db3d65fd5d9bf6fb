import type { Ref } from 'react'
import { act, snooze } from '../changes/edits.ts'
import { submitTo, textIn } from '../components/form.tsx'
import { Key } from '../components/key.tsx'
import { Menu } from '../components/menu.tsx'
import { whenOf } from '../format/dates.ts'
import type { KindView } from './kinds/kind-view.ts'
import styles from './record.module.css'
import type { InboxRecord } from './record.ts'
import { snoozeTimes } from './snooze-times.ts'

/** Sets a record aside until a time of one's choice. What was promised stays promised. */
export function Snooze({
  view,
  record,
  button,
}: {
  view: KindView
  record: InboxRecord
  button: Ref<HTMLButtonElement>
}) {
  return (
    <Menu
      button={button}
      className={styles.tool}
      label={
        <>
          Later
          <Key of="h" />
        </>
      }
    >
      {() => (
        <SnoozeChoices record={record} onChoose={(until) => act(view, record, snooze(until))} />
      )}
    </Menu>
  )
}

/** The times at which a record can come back; null is now. */
export function SnoozeChoices({
  record,
  onChoose,
}: {
  record: InboxRecord
  onChoose: (until: string | null) => void
}) {
  return (
    <>
      <h3>Bring it back</h3>
      {snoozeTimes(new Date()).map(({ label, at }) => (
        <button key={label} type="button" onClick={() => onChoose(at.toISOString())}>
          {label} <span>{whenOf(at.toISOString(), new Date())}</span>
        </button>
      ))}
      {record.snoozedUntil && (
        <button type="button" onClick={() => onChoose(null)}>
          Now <span>it waits until {whenOf(record.snoozedUntil, new Date())}</span>
        </button>
      )}
      <hr />
      <form
        className={styles.pick}
        onSubmit={submitTo((form) => {
          const at = new Date(textIn(form, 'at'))
          if (!Number.isNaN(at.getTime())) onChoose(at.toISOString())
        })}
      >
        <label>
          Another time
          <input name="at" type="datetime-local" required />
        </label>
        <button type="submit">Set</button>
      </form>
      {record.dueAt && <p>The promise does not wait.</p>}
    </>
  )
}
