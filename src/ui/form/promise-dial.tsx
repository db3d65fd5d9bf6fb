import { clockFace, clockHand } from '#contract/times/clock-face.ts'
import { time } from './moment.ts'

const label = {
  fontFamily: 'var(--chart)',
  fontSize: 16,
  fill: 'var(--ink-2)',
  textAnchor: 'middle',
} as const

const hand = clockHand(0)

const quarterMs = 6 * 60 * 60 * 1_000

/**
 * The clock of a promised answer with all its hours left. Colours are attributes, so that a form's
 * page carries no style sheet for it; `server/status-page/clock.ts` draws the clock that moves.
 */
export const PromiseDial = ({ promise, hours }: { promise: Date; hours: number }) => (
  <svg
    className="landed"
    viewBox={clockFace.viewBox}
    role="img"
    aria-label={`${hours} hours left of ${hours}`}
  >
    <path d={clockFace.ticks} stroke="var(--ink)" strokeWidth="1.25" />
    <path className="flight-path" d={hand.left} />
    <path fill="var(--accent)" stroke="var(--ink)" strokeWidth="1.5" d={clockFace.waypoint} />
    <circle {...hand.ground} r="19" fill="var(--paper)" />
    <g transform={hand.mark} fill="none" stroke="var(--ink)" strokeWidth="4.3" strokeMiterlimit="9">
      <path d={clockFace.mark} />
    </g>
    {clockFace.hours.map(({ x, y }, quarter) => (
      <text {...label} key={`${x} ${y}`} x={x} y={y}>
        {/* The promised time is at the top. */}
        {time.format(quarter === 0 ? promise : promise.getTime() - (4 - quarter) * quarterMs)}
      </text>
    ))}
    <text {...label} {...clockFace.caption}>
      left
    </text>
    <text
      {...clockFace.span}
      fontSize="38"
      fontWeight="600"
      letterSpacing="-1.3"
      fill="var(--ink)"
      textAnchor="middle"
    >
      {hours} h
    </text>
  </svg>
)
