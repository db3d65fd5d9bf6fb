import { useIsPhone } from '../browser/use-media.ts'
import { site } from '../site.ts'
import { type Curve, pathOf, placeOn } from './curve.ts'
import styles from './progress.module.css'

interface Sky {
  width: number
  height: number
  curve: Curve
  /** Radius of the ring at the end. */
  ring: number
}

const ahead = {
  wide: {
    width: 1_240,
    height: 46,
    curve: [6, 42, 330, -6, 820, 4, 1_222, 24],
    ring: 7.5,
  },
  narrow: {
    width: 358,
    height: 34,
    curve: [4, 28, 110, -4, 250, 4, 344, 14],
    ring: 6.5,
  },
} as const satisfies Record<string, Sky>

const complete = {
  wide: {
    width: 1_120,
    height: 158,
    curve: [6, 150, 300, 20, 760, -30, 1_104, 60],
    ring: 9,
  },
  narrow: {
    width: 358,
    height: 82,
    curve: [4, 76, 110, -6, 250, 2, 344, 26],
    ring: 6.5,
  },
} as const satisfies Record<string, Sky>

/** A dash and the gap after it: one a record, as `pathLength` counts them. */
const dash = '.55 .45'

/** Nearer to its beginning the mark would cover the line below. */
const leastShare = 0.04

/** The progress of a run, as a flight: one dash for each record. */
export function RunProgress({ done, total }: { done: number; total: number }) {
  const isPhone = useIsPhone()
  const isOver = done === total
  const sky: Sky = (isOver ? complete : ahead)[isPhone ? 'narrow' : 'wide']
  const path = pathOf(sky.curve)
  const { x, y, angle } = placeOn(sky.curve, Math.max(done / total, leastShare))
  const [, , , , , , endX, endY] = sky.curve
  return (
    <svg
      className={styles.flight}
      viewBox={`0 0 ${sky.width} ${sky.height}`}
      role="img"
      aria-label={`${done} of ${total} done`}
    >
      <path className={styles.ahead} d={path} pathLength={total} strokeDasharray={dash} />
      {done > 0 && (
        <path
          className={styles.flown}
          d={path}
          pathLength={total}
          strokeDasharray={`${Array(done).fill(dash).join(' ')} 0 ${total}`}
        />
      )}
      <circle
        className={isOver ? styles.reached : styles.end}
        cx={endX + sky.ring}
        cy={endY}
        r={sky.ring}
      />
      {!isOver && (
        <g transform={`translate(${x} ${y}) rotate(${angle})`}>
          <rect x="-17" y="-13" width="34" height="26" />
          <g className={styles.mark} transform="translate(-12 -12) scale(.75)">
            <path d={site.mark} />
          </g>
        </g>
      )}
    </svg>
  )
}
