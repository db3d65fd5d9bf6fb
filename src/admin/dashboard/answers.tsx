import type { ReactNode } from 'react'
import { type AnswerName, answerLabels, kindPaths } from '#contract/inbox.ts'
import type { Stats } from '#contract/stats.ts'
import { countOf } from '../format/count.ts'
import { views } from '../record/kinds/views.ts'
import { Link } from '../router/link.tsx'
import styles from './dashboard.module.css'
import { FiguresTable } from './figures-table.tsx'
import { listOf } from './owed.tsx'

const parts = ['inTime', 'late', 'open'] as const
const columns: readonly AnswerName[] = ['due', ...parts]

/** Outcomes of the answers that fell due in the days shown. */
export function Answers({ figures, children }: { figures: Stats; children: ReactNode }) {
  const days = figures.days.length
  const { due, inTime, share } = figures.answers
  const holding = kindPaths.filter((kind) => figures.answersByKind[kind].due > 0)
  let x = 0
  return (
    <section className={styles.chart} aria-labelledby="answers">
      <div className={styles.chartHead}>
        <h2 id="answers">Answers on time</h2>
        {children}
      </div>
      {due === 0 ? (
        <p className={styles.figure}>Nothing fell due in these {days} days.</p>
      ) : (
        <>
          <p className={styles.figure}>
            {/* Rounded down: 100 % says that each was in time. */}
            {share !== null && <b>{Math.floor(share * 100)} %</b>}
            <span>
              in time: {countOf(inTime)} of the {countOf(due)} that fell due in these {days} days,
              answered or not.
            </span>
          </p>
          <svg
            className={styles.answers}
            viewBox="0 0 100 40"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <defs>
              <pattern
                id="late"
                width="8"
                height="8"
                patternUnits="userSpaceOnUse"
                patternTransform="rotate(45) scale(.18 1)"
              >
                <path d="M0 0v8" />
              </pattern>
            </defs>
            {parts.map((part) => {
              const width = (figures.answers[part] / due) * 100
              x += width
              return (
                <rect key={part} data-part={part} x={x - width} y="0" width={width} height="40" />
              )
            })}
          </svg>
          <ul className={styles.parts}>
            {parts.map((part) => (
              <li key={part}>
                {figures.answers[part] === 0 ? (
                  0
                ) : (
                  <Link
                    {...listOf(
                      { answers: part, days: String(days) },
                      holding.filter((kind) => figures.answersByKind[kind][part] > 0),
                    )}
                  >
                    {countOf(figures.answers[part])}
                  </Link>
                )}{' '}
                <i data-part={part} />
                {answerLabels[part]}
              </li>
            ))}
          </ul>
          <FiguresTable
            caption={`What fell due in ${days} days, by kind`}
            heads={['Kind', ...columns.map((name) => answerLabels[name])]}
            rows={holding.map((kind) => [
              views[kind].title,
              ...columns.map((name) => ({
                n: figures.answersByKind[kind][name],
                to: {
                  to: `/admin/${kind}`,
                  search: { answers: name, days: String(days) },
                } as const,
              })),
            ])}
          />
        </>
      )}
    </section>
  )
}
