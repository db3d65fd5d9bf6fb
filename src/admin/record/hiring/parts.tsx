import { limits } from '#contract/limits.ts'
import { useIsPhone } from '../../browser/use-media.ts'
import { refusalOf } from '../../changes/retry-policy.ts'
import { LinkButton } from '../../components/button.tsx'
import { Icon, StageMark } from '../../components/icon.tsx'
import { calendarDayOf } from '../../format/dates.ts'
import { useMay } from '../../session/profile.ts'
import { isHidden } from '../blind.ts'
import { type OpenRecord, type StatusView, statusView } from '../kinds/kind-view.ts'
import type { ApplicationDetail, RecordDetail } from '../record.ts'
import { Decide } from './decide.tsx'
import styles from './hiring.module.css'
import { useReveal } from './save-score.ts'
import { Scorecard } from './scorecard.tsx'

/** The last status before this one that leads on; the first where none is known. */
const statusBefore = ({ activity }: RecordDetail, steps: readonly StatusView[]): number => {
  const from = activity.findLast(({ kind }) => kind === 'status')?.from
  const place = steps.findIndex(({ value }) => value === from)
  return Math.max(0, place)
}

/** The progress of an application. A rejected one stays where it was. */
function Track({ view, record }: OpenRecord) {
  const isPhone = useIsPhone()
  const steps = view.statuses.filter(({ stage }) => stage !== 'closed')
  const status = statusView(view, record.status)
  const isClosed = status.stage === 'closed'
  const here = isClosed
    ? statusBefore(record, steps) + 1
    : steps.findIndex(({ value }) => value === record.status)
  const shown = isClosed ? [...steps.slice(0, here), status] : steps
  // A long activity is loaded from its end.
  const { length } = record.activity
  const isKnown = length > 0 && length < limits.activity.page && !record.older
  const reached = new Set(record.activity.flatMap(({ from, to }) => [from, to]))
  const placeOf = (step: StatusView, index: number) => {
    if (index >= here) return index === here ? 'here' : 'ahead'
    return index === 0 || !isKnown || reached.has(step.value) ? 'past' : 'skipped'
  }
  return (
    <ol className={`wrapping-row ${styles.track}`} aria-label="Stage">
      {shown.map((step, index) => (
        <li
          key={step.value}
          data-place={placeOf(step, index)}
          aria-current={index === here ? 'step' : undefined}
        >
          <StageMark stage={step.stage} />
          {/* On a phone the shapes say how far it is: one name fits beside the tools. */}
          <span className={isPhone && index !== here ? 'visually-hidden' : undefined}>
            {step.label}
          </span>
          {placeOf(step, index) === 'skipped' && <span className="visually-hidden">, skipped</span>}
        </li>
      ))}
    </ol>
  )
}

/** Says that the applicant's name is hidden; those who may change records can reveal it. */
function BlindNote({ record }: { record: RecordDetail }) {
  const mayChange = useMay('records.change')
  const { mutate, isPending, error } = useReveal(record._id)
  if (!isHidden(record)) return null
  const mayReveal = mayChange && record.box !== 'trash'
  return (
    <div className={`secondary ${styles.blind}`}>
      <Icon name="lock" />
      <p>
        {mayReveal ? (
          <>
            Name, university and links are hidden until your score is in.{' '}
            <LinkButton busy={isPending} onClick={() => mutate()}>
              {isPending ? 'Showing...' : 'Show now'}
            </LinkButton>
          </>
        ) : (
          'Name, university and links are shown to those who score.'
        )}
        {error && (
          <span role="alert">
            {' '}
            {refusalOf(error, record.name, 'The name could not be shown. Please try again.')}
          </span>
        )}
      </p>
    </div>
  )
}

const DAY_MS = 86_400_000

/** In whole UTC days; negative for the past. */
const daysUntil = (day: string, now: number): number =>
  Math.round((Date.parse(day) - Date.parse(new Date(now).toISOString().slice(0, 10))) / DAY_MS)

/** `today`, `tomorrow`, `in 5 days`, `late 2 d`. */
const sayDays = (days: number): string =>
  days < 0
    ? `late ${-days} d`
    : new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(days, 'day')

/** The day that the sender was told, while nothing is decided. */
function AnswerBy({ record, now }: { record: ApplicationDetail; now: number }) {
  if (!record.answerBy || record.waitingFor !== 'us' || record.withdrawnAt) return null
  return (
    <>
      {' '}
      <b>Answer by {calendarDayOf(record.answerBy, new Date(now))}</b>,{' '}
      {sayDays(daysUntil(record.answerBy, now))}
    </>
  )
}

/** Parts of an application's pane beside those of any record. */
export const parts = { AnswerBy, BlindNote, Decide, Scorecard, Track }
