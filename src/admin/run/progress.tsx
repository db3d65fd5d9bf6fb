import { useIsPhone } from '../browser/use-media.ts'
import { site } from '../site.ts'
import styles from './progress.module.css'

interface Sky {
  width: number
  height: number
  path: string
  /** Radius of the ring at the end. */
  ring: number
}

const ahead: Record<'wide' | 'narrow', Sky> = {
  wide: { width: 1_240, height: 46, path: 'M6 42C330 -6 820 4 1222 24', ring: 7.5 },
  narrow: { width: 358, height: 34, path: 'M4 28C110 -4 250 4 344 14', ring: 6.5 },
}

const complete: typeof ahead = {
  wide: { width: 1_120, height: 158, path: 'M6 150C300 20 760 -30 1104 60', ring: 9 },
  narrow: { width: 358, height: 82, path: 'M4 76C110 -6 250 2 344 26', ring: 6.5 },
}

/** A dash and the gap after it: one a record, as `pathLength` counts them. */
const dash = '.55 .45'

/** Nearer to its beginning the mark would cover the line below. */
const leastShare = 0.04

/** Half of the stretch that gives the mark its direction, as a share of the path. */
const reach = 0.005

/** The points of a path by the share (0 to 1) of its length. */
const pointsOf = (d: string) => {
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', d)
  const length = path.getTotalLength()
  return (share: number) => path.getPointAtLength(share * length)
}

/** The progress of a run, as a flight: one dash for each record. */
export function RunProgress({ done, total }: { done: number; total: number }) {
  const isPhone = useIsPhone()
  const isOver = done === total
  const sky = (isOver ? complete : ahead)[isPhone ? 'narrow' : 'wide']
  const { path } = sky
  const pointAt = pointsOf(path)
  const share = Math.max(done / total, leastShare)
  const [mark, before, after] = [pointAt(share), pointAt(share - reach), pointAt(share + reach)]
  const angle = (Math.atan2(after.y - before.y, after.x - before.x) * 180) / Math.PI
  const end = pointAt(1)
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
        cx={end.x + sky.ring}
        cy={end.y}
        r={sky.ring}
      />
      {!isOver && (
        <g transform={`translate(${mark.x} ${mark.y}) rotate(${angle})`}>
          <rect x="-17" y="-13" width="34" height="26" />
          <g className={styles.mark} transform="translate(-12 -12) scale(.75)">
            <path d={site.mark} />
          </g>
        </g>
      )}
    </svg>
  )
}
