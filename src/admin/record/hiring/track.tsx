import { StageMark } from '../../components/icon.tsx'
import { type KindView, type StatusView, statusView } from '../kinds/kind-view.ts'
import type { RecordDetail } from '../record.ts'
import styles from './hiring.module.css'

/** The last status before this one that leads on; the first where none is known. */
const statusBefore = ({ activity }: RecordDetail, steps: readonly StatusView[]): number => {
  const from = activity.findLast(({ kind }) => kind === 'status')?.from
  return Math.max(
    0,
    steps.findIndex(({ value }) => value === from),
  )
}

/** How far an application is. One that was turned down leaves the way where it was. */
export function Track({ view, record }: { view: KindView; record: RecordDetail }) {
  const steps = view.statuses.filter(({ stage }) => stage !== 'closed')
  const status = statusView(view, record.status)
  const isClosed = status.stage === 'closed'
  const here = isClosed
    ? statusBefore(record, steps) + 1
    : steps.findIndex(({ value }) => value === record.status)
  const shown = isClosed ? [...steps.slice(0, here), status] : steps
  return (
    <ol className={styles.track} aria-label="Stage">
      {shown.map((step, index) => (
        <li
          key={step.value}
          data-place={index < here ? 'past' : index === here ? 'here' : 'ahead'}
          aria-current={index === here ? 'step' : undefined}
        >
          <StageMark stage={step.stage} />
          <span>{step.label}</span>
        </li>
      ))}
    </ol>
  )
}
