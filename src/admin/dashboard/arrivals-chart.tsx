import { useId } from 'react'
import type { Stats } from '#contract/stats.ts'
import { useIsPhone } from '../browser/use-media.ts'
import { calendarDayOf } from '../format/dates.ts'
import { views } from '../record/kinds/views.ts'
import { shownKinds } from '../site.ts'
import styles from './dashboard.module.css'
import { FiguresTable } from './figures-table.tsx'
import { countScale } from './scale.ts'

const LEFT = 34
const BASE = 196
const TOP = 28

type Day = Stats['days'][number]

/** Arrivals of each day, a bar a day, with the same numbers as a table. */
export function ArrivalsChart({ days }: { days: readonly Day[] }) {
  const isPhone = useIsPhone()
  // Drawn narrower on a phone rather than shrunk: its labels keep their size.
  const chartWidth = isPhone ? 360 : 640
  const title = useId()
  const hatch = useId()
  const totals = days.map((day) => shownKinds.reduce((sum, kind) => sum + day[kind], 0))
  const { top, steps } = countScale(Math.max(...totals))
  const pitch = (chartWidth - LEFT) / days.length
  const width = Math.min(26, pitch * 0.62)
  const y = (n: number): number => BASE - (n / top) * (BASE - TOP)
  // As many labels as fit, counted back from today.
  const every = Math.ceil(days.length / (isPhone ? 8 : 15))

  return (
    <section className={styles.chart} aria-labelledby={title}>
      <h2 id={title}>Arrivals, last {days.length} days</h2>
      <p className={styles.key}>
        {shownKinds.map((kind) => (
          <span key={kind}>
            <i className={styles[kind]} />
            {views[kind].title}
          </span>
        ))}
      </p>
      <svg viewBox={`0 0 ${chartWidth} 222`} aria-hidden="true">
        <defs>
          <pattern
            id={hatch}
            width="5"
            height="5"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <path d="M0 0v5" className={styles.axis} />
          </pattern>
        </defs>
        {steps.map((step) => (
          <g key={step}>
            <path
              className={step === 0 ? styles.axis : styles.grid}
              d={`M22 ${y(step)}h${chartWidth - 22}`}
            />
            <text x="0" y={y(step) + 4}>
              {step}
            </text>
          </g>
        ))}
        {days.map((day, index) => {
          const x = LEFT + index * pitch + (pitch - width) / 2
          let below = 0
          return (
            <g key={day.day}>
              {shownKinds.map((kind) => {
                const n = day[kind]
                if (n === 0) return null
                const bottom = y(below)
                below += n
                return (
                  <rect
                    key={kind}
                    className={styles[kind]}
                    x={x}
                    y={y(below)}
                    width={width}
                    height={Math.max(1, bottom - y(below) - 1)}
                    {...(kind === 'contacts' ? { fill: `url(#${hatch})` } : {})}
                  />
                )
              })}
              {(days.length - 1 - index) % every === 0 && (
                <text className={styles.middle} x={x + width / 2} y="216">
                  {new Date(day.day).getUTCDate()}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      <FiguresTable
        caption="Arrivals by day"
        heads={['Day (UTC)', ...shownKinds.map((kind) => views[kind].title)]}
        rows={days.map((day) => [
          calendarDayOf(day.day, new Date()),
          ...shownKinds.map((kind) => ({
            n: day[kind],
            to: { to: `/admin/${kind}`, search: { from: day.day, to: day.day } } as const,
          })),
        ])}
      />
    </section>
  )
}
