import { useId } from 'react'
import type { Stats } from '#contract/stats.ts'
import { useNow } from '../browser/use-now.ts'
import { StageMark } from '../components/icon.tsx'
import { When } from '../components/when.tsx'
import { counted, countOf } from '../format/count.ts'
import { calendarDayOf, dayOf } from '../format/dates.ts'
import { Link } from '../router/link.tsx'
import { labelOf, site } from '../site.ts'
import styles from './applicants.module.css'
import board from './dashboard.module.css'

type Unanswered = Stats['unanswered'][number]

const DAY_MS = 86_400_000

const waitText = (since: string, now: number): string => {
  const days = Math.floor((now - Date.parse(since)) / DAY_MS)
  return days < 1 ? 'for less than a day' : `for ${counted(days, 'day')}`
}

/** Applicants whom nobody has answered, by position; nothing where there are none. */
export function Applicants({ unanswered }: { unanswered: readonly Unanswered[] }) {
  const title = useId()
  const now = useNow()
  if (unanswered.length === 0) return null
  const all = unanswered.reduce((sum, { count }) => sum + count, 0)
  return (
    <section className={styles.applicants} aria-labelledby={title}>
      <div className={board.chartHead}>
        <h2 id={title}>Applicants without an answer</h2>
        <p className="secondary">{countOf(all)} in all, the longest wait first</p>
      </div>
      <ul>
        {unanswered.map((one) => (
          <Row key={`${one.position} ${one.group}`} one={one} now={now} />
        ))}
      </ul>
    </section>
  )
}

function Row({ one, now }: { one: Unanswered; now: number }) {
  const { position, label, group, count, since, answerBy, closing } = one
  const today = new Date(now)
  const isLate = answerBy !== null && today.toISOString().slice(0, 10) > answerBy
  return (
    <li>
      <Link className={styles.row} to="/admin/applications" search={{ position, group }}>
        <StageMark stage={isLate || closing === 'closed' ? 'late' : 'waiting'} />
        <b>{label ?? labelOf(site.positions, position)}</b>
        <span className="secondary">
          {countOf(count)} {count === 1 ? 'waits' : 'wait'}
        </span>
        <span className="secondary">
          the first {waitText(since, now)}, <When at={since} as={dayOf} />
        </span>
        {answerBy && (
          <span className="secondary">
            {isLate ? 'we said by' : 'answer by'} {calendarDayOf(answerBy, today)}
          </span>
        )}
        {closing && (
          <strong>
            {closing === 'closed' ? 'This position has closed' : 'This position closes this week'}{' '}
            while {count === 1 ? 'one waits' : 'they wait'}
          </strong>
        )}
      </Link>
    </li>
  )
}
