import { useState } from 'react'
import { submitTo, textIn } from '../components/form.tsx'
import { whenOf } from '../format/dates.ts'
import styles from './record.module.css'
import type { InboxRecord } from './record.ts'
import { snoozeTimes } from './snooze-times.ts'

/** The times at which a record can come back; null is now. */
export function SnoozeChoices({
  record,
  onChoose,
}: {
  record: InboxRecord
  onChoose: (until: string | null) => void
}) {
  const [isRefused, setRefused] = useState(false)
  const { dueAt } = record
  return (
    <>
      <p>Bring it back</p>
      {snoozeTimes(new Date()).map(({ label, at }) => (
        <button key={label} type="button" onClick={() => onChoose(at.toISOString())}>
          {label}{' '}
          <span>
            {whenOf(at.toISOString(), new Date())}
            {dueAt && at > new Date(dueAt) && ', after the promised hour'}
          </span>
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
        noValidate
        onSubmit={submitTo((form) => {
          const at = new Date(textIn(form, 'at'))
          if (!(at.getTime() > Date.now())) return setRefused(true)
          form.closest<HTMLElement>('[popover]')?.hidePopover()
          onChoose(at.toISOString())
        })}
      >
        <label className="secondary">
          Another time
          <input
            name="at"
            type="datetime-local"
            aria-invalid={isRefused || undefined}
            aria-describedby={isRefused ? 'no-time' : undefined}
          />
        </label>
        <button type="submit">Set</button>
      </form>
      {isRefused && (
        <p id="no-time" role="alert">
          Choose a day and a time to come.
        </p>
      )}
      {dueAt && <p>The promise does not wait. The answer stays due {whenOf(dueAt, new Date())}.</p>}
    </>
  )
}
