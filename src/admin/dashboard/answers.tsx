import type { ReactNode } from 'react'
import { type AnswerName, answerLabels } from '#contract/inbox.ts'
import type { Answers as Counts } from '#contract/stats.ts'
import { TextLink } from '../components/text-link.tsx'
import { counted, countOf } from '../format/count.ts'
import { Link } from '../router/link.tsx'
import type { Target } from '../router/location.ts'
import styles from './dashboard.module.css'
import { FiguresTable } from './figures-table.tsx'

const outcomes = ['inTime', 'late', 'open'] as const
const columns: readonly AnswerName[] = ['due', ...outcomes]

/** Below 100 unless each was in time. */
const percentOf = (share: number): number =>
  share < 1 ? Math.min(99, Math.round(share * 100)) : 100

const shareText = (share: number | null): string => (share === null ? '–' : `${percentOf(share)} %`)

/** `Answered in time`: the label with a capital. */
export const headOf = (name: AnswerName): string =>
  answerLabels[name].charAt(0).toUpperCase() + answerLabels[name].slice(1)

export interface AnswersPart {
  id: string
  label: string
  counts: Counts
  /** The list of those that a count counts; undefined where no filter selects them. */
  to: ((answers: AnswerName) => Target) | undefined
}

interface Props {
  total: Counts
  /** The head of the column of parts. */
  division: string
  parts: readonly AnswersPart[]
  /** "in these 14 days" */
  period: string
  to: (answers: AnswerName) => Target
  /** The parts are drawn, and compared in their order. */
  isWhole?: boolean
  isInOrder?: boolean
  children?: ReactNode
}

/** Outcomes of the answers that fell due in a period. */
export function Answers({
  total,
  division,
  parts,
  period,
  to,
  isWhole,
  isInOrder,
  children,
}: Props) {
  const { due, inTime, share } = total
  const most = Math.max(1, ...parts.map(({ counts }) => counts.due))
  return (
    <section className={styles.chart} aria-labelledby="answers">
      <div className={styles.chartHead}>
        <h2 id="answers">Answers on time</h2>
        {children}
      </div>
      {due === 0 ? (
        <p className={styles.figure}>Nothing fell due {period}.</p>
      ) : (
        <>
          <p className={styles.figure}>
            {share !== null && <b>{shareText(share)}</b>}
            <span>
              in time: {countOf(inTime)} of the {countOf(due)} that fell due {period}, answered or
              not.
            </span>
          </p>
          <Bar className={styles.answers} counts={total} of={due} />
          <ul className={styles.parts}>
            {outcomes.map((name) => (
              <li key={name}>
                {total[name] === 0 ? 0 : <Link {...to(name)}>{countOf(total[name])}</Link>}{' '}
                <i data-part={name} />
                {answerLabels[name]}
              </li>
            ))}
          </ul>
          {isWhole && (
            <ul className={styles.bars} aria-hidden="true">
              {parts.map(({ id, label, counts }) => (
                <li key={id}>
                  <span className="one-line">{label}</span>
                  <Bar counts={counts} of={most} />
                  <b>{countOf(counts.due)}</b>
                </li>
              ))}
            </ul>
          )}
          <FiguresTable
            caption={`What fell due ${period}, by ${division.toLowerCase()}`}
            heads={[
              division,
              ...columns.map(headOf),
              ...(isWhole ? ['In time'] : []),
              ...(isInOrder ? ['Change'] : []),
            ]}
            rows={parts.map(({ label, counts, to }, place) => [
              label,
              ...columns.map((name) => (to ? { n: counts[name], to: to(name) } : counts[name])),
              ...(isWhole ? [shareText(counts.share)] : []),
              ...(isInOrder ? [difference(counts, parts[place - 1]?.counts)] : []),
            ])}
            isOpen={isWhole}
          />
          {!isWhole && <TextLink to="/admin/figures">All figures</TextLink>}
        </>
      )}
    </section>
  )
}

/** "+5 points" against the part before; a dash where one of both has no share. */
export const difference = ({ share }: Counts, before: Counts | undefined): string => {
  if (share === null || before === undefined || before.share === null) return '–'
  const points = percentOf(share) - percentOf(before.share)
  return `${points > 0 ? '+' : points < 0 ? '−' : ''}${counted(Math.abs(points), 'point')}`
}

interface BarProps {
  className?: string | undefined
  counts: Counts
  /** The count that fills the width. */
  of: number
}

const Bar = ({ className = '', counts, of }: BarProps) => (
  <div className={`${styles.bar} ${className}`} aria-hidden="true">
    {outcomes.map((name) => (
      <i key={name} data-part={name} style={{ width: `${(counts[name] / of) * 100}%` }} />
    ))}
  </div>
)
