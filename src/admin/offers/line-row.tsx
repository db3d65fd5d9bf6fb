import { use } from 'react'
import { limits } from '#contract/limits.ts'
import { errorId, FieldProblems, Problems } from '#ui/field.tsx'
import { useFocusAt } from '../components/form.tsx'
import { Icon } from '../components/icon.tsx'
import styles from './offers.module.css'
import type { Line } from './values.ts'

interface LineRowProps {
  line: Line
  nth: number
  /** It was just added: it takes the focus. */
  isAdded: boolean
  onChange: (given: Partial<Line>) => void
  onRemove: (() => void) | null
}

export function LineRow({ line, nth, isAdded, onChange, onRemove }: LineRowProps) {
  const { id, label, amount, per } = line
  const known = use(FieldProblems)
  const what = useFocusAt<HTMLInputElement>(isAdded)
  const [noLabel, noAmount] = [known[`label-${id}`], known[`amount-${id}`]]
  return (
    <div className={styles.line}>
      <input
        ref={what}
        id={`label-${id}`}
        required
        aria-label={`Line ${nth}: what`}
        placeholder="What"
        dir="auto"
        value={label}
        maxLength={limits.offer.label}
        aria-invalid={noLabel && true}
        aria-describedby={noLabel && errorId(`label-${id}`)}
        onChange={({ target }) => onChange({ label: target.value })}
      />
      <input
        id={`amount-${id}`}
        aria-label={`Line ${nth}: amount`}
        placeholder="0.00"
        inputMode="decimal"
        value={amount}
        aria-invalid={noAmount && true}
        aria-describedby={noAmount && errorId(`amount-${id}`)}
        onChange={({ target }) => onChange({ amount: target.value })}
      />
      <select
        aria-label={`Line ${nth}: how often`}
        value={per}
        onChange={({ target }) => onChange({ per: target.value as Line['per'] })}
      >
        <option value="once">once</option>
        <option value="month">a month</option>
      </select>
      <button
        type="button"
        aria-label={`Remove line ${nth}`}
        disabled={!onRemove}
        onClick={onRemove ?? undefined}
      >
        <Icon name="close" />
      </button>
      <Problems id={`label-${id}`} problems={noLabel} />
      <Problems id={`amount-${id}`} problems={noAmount} />
    </div>
  )
}
