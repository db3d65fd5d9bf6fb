import { singleClick } from '../../browser/single-click.ts'
import { LinkButton } from '../../components/button.tsx'
import { StageMark } from '../../components/icon.tsx'
import { KeyButton } from '../../components/key.tsx'
import type { RecordAction } from '../actions.ts'
import { isHidden } from '../blind.ts'
import { type OpenRecord, statusView } from '../kinds/kind-view.ts'
import styles from './hiring.module.css'

interface Props extends OpenRecord {
  /** The statuses that this person may set. */
  steps: readonly RecordAction[]
  perform: (step: RecordAction) => unknown
  /** Opens the composer; null where this person may not write to the sender here. */
  onTell: (() => void) | null
  tellLabel: string
}

/** The next steps; the one that ends the way stands apart at the left. */
export function Decide({ view, record, steps, perform, onTell, tellLabel }: Props) {
  if (steps.length === 0) return null
  return (
    <section className={styles.decide} aria-label="Decision">
      {record.untold && onTell && (
        <p className={styles.untold}>
          <StageMark stage={statusView(view, record.status).stage} />
          <span>
            <b>{statusView(view, record.status).label}, not told yet.</b> Their page says “In
            review” until you send a message. <LinkButton onClick={onTell}>{tellLabel}</LinkButton>
          </span>
        </p>
      )}
      <div className={`wrapping-row ${styles.steps}`}>
        {steps.toReversed().map((step) => (
          <KeyButton
            key={step.phrase}
            label={step.phrase}
            of={step.key}
            className={step.key && step.status?.stage === 'moving' ? 'btn small' : 'btn small line'}
            data-end={step.status?.stage === 'closed' || undefined}
            disabled={step.isWithheld}
            onClick={singleClick(() => perform(step))}
          />
        ))}
        {isHidden(record) && <p className="secondary">Score it first.</p>}
      </div>
    </section>
  )
}
