import { useId } from 'react'
import styles from './dashboard.module.css'
import { FiguresTable } from './figures-table.tsx'

interface BarChartProps {
  title: string
  /** What a bar stands for, and what it counts: the table's columns. */
  label: string
  counted: string
  note: string
  bars: readonly { label: string; n: number }[]
}

const PITCH = 42
const START = 132
const FULL = 250

const short = (label: string): string => (label.length > 18 ? `${label.slice(0, 17)}…` : label)

/** A bar a row: the first in orange, the rest in ink; the same numbers as a table. */
export function BarChart({ title, label, counted, note, bars }: BarChartProps) {
  const id = useId()
  const most = Math.max(1, ...bars.map(({ n }) => n))
  return (
    <section className={styles.chart} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p className={styles.note}>{note}</p>
      {bars.length > 0 && (
        <>
          <svg viewBox={`0 0 440 ${bars.length * PITCH + 8}`} aria-hidden="true">
            <path className={styles.axis} d={`M${START} 4v${bars.length * PITCH}`} />
            {bars.map((bar, index) => {
              const length = (bar.n / most) * FULL
              return (
                <g key={bar.label}>
                  <text className={styles.name} x="0" y={index * PITCH + 29}>
                    {short(bar.label)}
                  </text>
                  <rect
                    className={index === 0 ? styles.first : styles.rest}
                    x={START}
                    y={index * PITCH + 10}
                    width={length}
                    height="28"
                  />
                  <text className={styles.count} x={START + length + 10} y={index * PITCH + 29}>
                    {bar.n}
                  </text>
                </g>
              )
            })}
          </svg>
          <FiguresTable
            caption={title}
            heads={[label, counted]}
            rows={bars.map((bar) => [bar.label, bar.n])}
          />
        </>
      )}
    </section>
  )
}
