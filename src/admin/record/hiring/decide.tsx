import { may } from '#contract/http/access.ts'
import { singleClick } from '../../browser/single-click.ts'
import { act, setStatus } from '../../changes/edits.ts'
import { LinkButton } from '../../components/button.tsx'
import { StageMark } from '../../components/icon.tsx'
import { Key } from '../../components/key.tsx'
import { useProfile } from '../../session/profile.ts'
import { isHidden, maySet } from '../blind.ts'
import { type KindView, nextStatus, stampFields, statusView } from '../kinds/kind-view.ts'
import type { RecordDetail } from '../record.ts'
import styles from './hiring.module.css'

/** Whether a decision was made that no message has told since. */
const isUntold = (view: KindView, record: RecordDetail): boolean => {
  const { stage } = statusView(view, record.status)
  const decidedAt = stampFields(view, record)?.at ?? ''
  return (
    (stage === 'done' || stage === 'closed') &&
    !record.withdrawnAt &&
    !record.activity.some(
      ({ kind, at, delivery }) => kind === 'message' && delivery !== 'recalled' && at >= decidedAt,
    )
  )
}

/** The next steps: apart at the left the one that ends the way. */
export function Decide({
  view,
  record,
  onTell,
}: {
  view: KindView
  record: RecordDetail
  /** Opens the composer; null where this person may not write to the sender here. */
  onTell: (() => void) | null
}) {
  const { username, role } = useProfile()
  const mayChange = may(role, 'records.change') && record.box !== 'trash'
  const next = nextStatus(view, record.status)
  const steps = view.statuses.filter(({ action, value }) => action && value !== record.status)
  const moveTo = (status: string) => act(view, record, setStatus(view, status, username))
  if (!mayChange) return null

  return (
    <section className={styles.decide} aria-label="Decision">
      {isUntold(view, record) && onTell && (
        <p className={styles.untold}>
          <StageMark stage={statusView(view, record.status).stage} />
          <span>
            <b>{statusView(view, record.status).label}, not told yet.</b> Their page says “In
            review” until you send a message.{' '}
            <LinkButton onClick={onTell}>Write the message</LinkButton>
          </span>
        </p>
      )}
      <div className={styles.steps}>
        {steps.toReversed().map((step) => (
          <button
            key={step.value}
            type="button"
            className={step === next && step.stage === 'moving' ? 'btn small' : 'btn small line'}
            data-end={step.stage === 'closed' || undefined}
            disabled={!maySet(record, step)}
            onClick={singleClick(() => moveTo(step.value))}
          >
            {step.action}
            {step === next && <Key of="e" />}
          </button>
        ))}
        {isHidden(record) && <p>Score it first.</p>}
      </div>
    </section>
  )
}
