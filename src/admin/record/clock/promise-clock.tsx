import { limits } from '#contract/limits.ts'
import { useNow } from '../../browser/use-now.ts'
import { nearTimeOf } from '../../format/dates.ts'
import { clockLeft, clockUsed, type Promised, sayLeft, sayUsed } from './promise.ts'
import styles from './promise-clock.module.css'

const ticks = Array.from({ length: limits.promiseHours }, (_, hour) => hour)

/** The clock of the open record: ticks, needle, and when the answer is due, or how long it took. */
export function PromiseClock({
  promised,
  isAnswered = false,
}: {
  promised: Promised
  isAnswered?: boolean
}) {
  const due = promised.due.toISOString()
  const now = new Date(useNow())
  const angle = (promised.used / limits.promiseHours) * 360
  return (
    <div className={styles.clock}>
      <svg
        className={promised.late ? styles.late : isAnswered ? styles.kept : undefined}
        viewBox="0 0 120 120"
        aria-hidden="true"
      >
        {ticks.map((hour) => (
          <path
            key={hour}
            className={styles.tick}
            d={hour % 6 === 0 ? 'M60 4v9' : 'M60 4v5'}
            transform={`rotate(${hour * 15} 60 60)`}
          />
        ))}
        <circle cx="60" cy="60" r="42" />
        <circle
          className={styles.used}
          cx="60"
          cy="60"
          r="42"
          // The dash counts hours.
          pathLength={limits.promiseHours}
          strokeDasharray={`${promised.used} ${limits.promiseHours}`}
          transform="rotate(-90 60 60)"
        />
        <path className={styles.needle} d="m60 22 5 8H55z" transform={`rotate(${angle} 60 60)`} />
        <text className={styles.left} x="60" y="60">
          {isAnswered && !promised.late ? clockUsed(promised) : clockLeft(promised)}
        </text>
        <text className={styles.word} x="60" y="76">
          {promised.late ? 'late' : isAnswered ? 'used' : 'left'}
        </text>
      </svg>
      <p>
        {isAnswered ? (
          <b>{promised.late ? 'Answered late' : 'Answered in time'}</b>
        ) : (
          <b>
            {promised.late ? 'Reply was due ' : 'Reply by '}
            <time dateTime={due}>{nearTimeOf(due, now)}</time>
          </b>
        )}
        <span>{promised.late ? sayLeft(promised) : sayUsed(promised)}</span>
      </p>
    </div>
  )
}
