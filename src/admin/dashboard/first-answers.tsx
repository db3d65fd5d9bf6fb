import { limits } from '#contract/limits.ts'
import type { Stats } from '#contract/stats.ts'
import buttons from '../components/button.module.css'
import { Link } from '../router/link.tsx'
import styles from './dashboard.module.css'

/** How the promise of a first answer was kept in the days shown, and what still waits for one. */
export function FirstAnswers({ figures }: { figures: Stats }) {
  const days = figures.days.length
  const { answered, inTime, waiting } = figures.firstAnswers
  const median = figures.medianHoursToFirstAnswer
  return (
    <section className={styles.chart} aria-labelledby="first-answers">
      <h2 id="first-answers">First answers</h2>
      {median === null ? (
        <p className={styles.figure}>
          <span>No consultation was answered in these {days} days.</span>
        </p>
      ) : (
        <>
          <p className={styles.figure}>
            <b>{percent(inTime / answered)}</b>
            <span>
              within {limits.promiseHours} hours, as promised: {inTime.toLocaleString('en')} of{' '}
              {answered.toLocaleString('en')} answered consultations of these {days} days.
            </span>
          </p>
          <svg
            className={styles.share}
            viewBox="0 0 100 6"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <path className={styles.kept} d={`M0 3h${(inTime / answered) * 100}`} />
            <path className={styles.broken} d={`M${(inTime / answered) * 100} 3H100`} />
          </svg>
          <p className={styles.note}>
            Half were answered within {hours(median)}, half took longer.
          </p>
        </>
      )}
      <p className={styles.note}>
        {waiting > 0 ? (
          <>
            {waiting.toLocaleString('en')} {waiting === 1 ? 'waits' : 'wait'} for a first answer.{' '}
            <Link
              className={buttons.link}
              to="/admin/consultations"
              search={{ status: 'pending', sort: 'due' }}
            >
              See pending consultations
            </Link>
          </>
        ) : (
          'None waits for a first answer.'
        )}
      </p>
    </section>
  )
}

/** Rounded down: 100 % says that each was in time. */
const percent = (share: number): string => `${Math.floor(share * 100)} %`

const hours = (value: number): string =>
  value < 1 ? `${Math.max(1, Math.round(value * 60))} min` : `${Math.round(value * 10) / 10} h`
