import { type AnswerName, answerLabels, kindPaths } from '#contract/inbox.ts'
import type { Stats } from '#contract/stats.ts'
import { views } from '../record/kinds/views.ts'
import { Link } from '../router/link.tsx'
import styles from './dashboard.module.css'

const parts = ['inTime', 'late', 'open'] as const
const columns: readonly AnswerName[] = ['due', ...parts]

/** How what fell due in the days shown was answered. */
export function Answers({ figures }: { figures: Stats }) {
  const days = figures.days.length
  const { due, inTime, share } = figures.answers
  let start = 0
  const drawn = parts.map((part) => {
    const width = due === 0 ? 0 : (figures.answers[part] / due) * 100
    const x = start
    start += width
    return { part, x, width }
  })
  return (
    <section className={styles.chart} aria-labelledby="answers">
      <h2 id="answers">Answers on time</h2>
      {due === 0 ? (
        <p className={styles.figure}>
          <span>Nothing fell due in these {days} days.</span>
        </p>
      ) : (
        <>
          <p className={styles.figure}>
            {share !== null && <b>{percent(share)}</b>}
            <span>
              in time: {inTime.toLocaleString('en')} of the {due.toLocaleString('en')} that fell due
              in these {days} days, answered or not.
            </span>
          </p>
          <svg
            className={styles.answers}
            viewBox="0 0 100 6"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            {drawn.map(({ part, x, width }) => (
              <rect key={part} data-part={part} x={x} y="0" width={width} height="6" />
            ))}
          </svg>
          <table className={styles.answersTable}>
            <caption className="visually-hidden">What fell due in {days} days, by kind</caption>
            <thead>
              <tr>
                <th scope="col">Kind</th>
                {columns.map((name) => (
                  <th key={name} scope="col">
                    {answerLabels[name]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {kindPaths
                .filter((kind) => figures.answersByKind[kind].due > 0)
                .map((kind) => (
                  <tr key={kind}>
                    <th scope="row">{views[kind].title}</th>
                    {columns.map((name) => {
                      const n = figures.answersByKind[kind][name]
                      return (
                        <td key={name}>
                          {n === 0 ? (
                            0
                          ) : (
                            <Link
                              to={`/admin/${kind}`}
                              search={{ answers: name, days: String(days) }}
                              aria-label={`${views[kind].title}, ${answerLabels[name]}: ${n}`}
                            >
                              {n.toLocaleString('en')}
                            </Link>
                          )}
                        </td>
                      )
                    })}
                  </tr>
                ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  )
}

/** Rounded down: 100 % says that each was in time. */
const percent = (share: number): string => `${Math.floor(share * 100)} %`
