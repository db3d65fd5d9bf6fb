import { type ReactNode, useId } from 'react'
import { countOf } from '../format/count.ts'
import { Link } from '../router/link.tsx'
import type { Target } from '../router/location.ts'
import styles from './dashboard.module.css'
import { FiguresTable } from './figures-table.tsx'

interface BarChartProps {
  title: string
  /** The table's columns: the label of a bar, and its count. */
  label: string
  counted: string
  note: ReactNode
  /** `to`: the list of exactly those that the bar counts. */
  bars: readonly { label: string; n: number; to?: Target }[]
  /** The bar of what waits for staff: the only one in orange. */
  waiting?: string | undefined
  children?: ReactNode
}

/** A bar a row, at the page's own text size; the same numbers as a table. */
export function BarChart({ title, label, counted, note, bars, waiting, children }: BarChartProps) {
  const id = useId()
  const most = Math.max(1, ...bars.map(({ n }) => n))
  return (
    <section className={styles.chart} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p className="secondary">{note}</p>
      {bars.length > 0 && (
        <>
          <ul className={styles.bars}>
            {bars.map((bar) => (
              <li key={bar.label}>
                <span className="one-line">{bar.label}</span>
                <svg viewBox="0 0 100 28" preserveAspectRatio="none" aria-hidden="true">
                  <rect
                    className={bar.label === waiting ? styles.waiting : styles.rest}
                    width={(bar.n / most) * 100}
                    height="28"
                  />
                </svg>
                {bar.to && bar.n > 0 ? (
                  <Link {...bar.to}>{countOf(bar.n)}</Link>
                ) : (
                  <b>{countOf(bar.n)}</b>
                )}
              </li>
            ))}
          </ul>
          <FiguresTable
            caption={title}
            heads={[label, counted]}
            rows={bars.map((bar) => [bar.label, bar.n])}
          />
        </>
      )}
      {children}
    </section>
  )
}
