import type { Stage } from '#contract/inbox.ts'
import styles from './icon.module.css'

/** The line icons of the admin, drawn on a 16-unit grid, and the chart's waypoints on 14. */
const shapes = {
  arrow: 'M1 8h13M9 3l5 5-5 5',
  back: 'M15 8H2M7 3 2 8l5 5',
  bin: 'M2 4h12M6 4V2h4v2M3.5 4l1 10h7l1-10',
  box: 'M1.5 2.5h13v3.5h-13ZM3 6v7.5h10V6M6 9h4',
  caret: 'm3 5.5 5 5 5-5',
  chart: 'M2 14V8M6 14V3M10 14V6M14 14V10',
  cross: 'm3 3 10 10M13 3 3 13',
  cap: 'M1 5.5 8 2l7 3.5L8 9ZM4 7.5V12c2 1.6 6 1.6 8 0V7.5',
  down: 'M8 1v10M4 7.5 8 11.5l4-4M2 14.5h12',
  find: 'M7 2a5 5 0 1 0 0 10A5 5 0 0 0 7 2ZM11 11l4 4',
  keys: 'M1 4h14v8.5H1ZM4 7h1M7.5 7h1M11 7h1M4.5 10h7',
  lock: 'M3 7h10v7.5H3ZM5 7V4.5a3 3 0 0 1 6 0V7',
  mail: 'M1.5 3h13v10h-13ZM1.5 3.5 8 9l6.5-5.5',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  ok: 'm2 8.5 4 4 8-9',
  out: 'M9 2H2v12h7M6 8h9M11 4l4 4-4 4',
  tray: 'M1.5 9.5 4 2.5h8l2.5 7v4h-13ZM1.5 9.5H5l1 2h4l1-2h3.5',
  user: 'M8 2a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM2 15c0-4 2.5-5.5 6-5.5S14 11 14 15',
  users:
    'M6 2.5a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM1 14.5c0-3.6 2-5 5-5s5 1.4 5 5M10.5 2.9a2.8 2.8 0 0 1 0 5M12 9.8c2 .5 3 2 3 4.7',
  warn: 'M8 1.5 15 14H1ZM8 6v4M8 11.5v1',
} as const

export type IconName = keyof typeof shapes

/** Decoration only: the words beside it, or the control's label, carry the meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}

const waypoints = {
  triangle: 'M7 1.6 13 12H1Z',
  diamond: 'M7 .8 13.2 7 7 13.2.8 7Z',
  dot: 'M7 1.4a5.6 5.6 0 1 0 0 11.2A5.6 5.6 0 0 0 7 1.4Z',
} as const

/** A mark of the activity log. */
export function Waypoint({ shape }: { shape: keyof typeof waypoints }) {
  return (
    <svg className={styles.icon} viewBox="0 0 14 14" aria-hidden="true">
      <path d={waypoints[shape]} />
      {shape === 'dot' && <circle className={styles.core} cx="7" cy="7" r="1.6" />}
    </svg>
  )
}

/** How far a piece of work is: told by shape as well as by colour. */
type Mark = Stage | 'late'

export function StageMark({ stage, label }: { stage: Mark; label?: string | undefined }) {
  const drawing = (
    <>
      <path d="M7 1.6 13 12H1Z" />
      {stage === 'moving' && <path className={styles.half} d="M7 1.6V12H1Z" />}
    </>
  )
  const look = `${styles.icon} ${styles[stage]}`
  return label ? (
    <svg className={look} viewBox="0 0 14 14" role="img" aria-label={label}>
      {drawing}
    </svg>
  ) : (
    <svg className={look} viewBox="0 0 14 14" aria-hidden="true">
      {drawing}
    </svg>
  )
}

export function BrandMark() {
  return (
    <svg className={styles.brand} viewBox="0 0 32 32" aria-hidden="true">
      <path d="M2 6.5 25 12.7 16.8 18.2" />
      <path d="M3.5 17.3 11.8 19.9 5.6 25.3" />
    </svg>
  )
}

export function SunMoon({ dark }: { dark: boolean }) {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true">
      {dark ? (
        <>
          <circle cx="8" cy="8" r="3" />
          <path d="M8 .8v2M8 13.2v2M.8 8h2M13.2 8h2M2.9 2.9l1.4 1.4M11.7 11.7l1.4 1.4M2.9 13.1l1.4-1.4M11.7 4.3l1.4-1.4" />
        </>
      ) : (
        <path d="M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3Z" />
      )}
    </svg>
  )
}
