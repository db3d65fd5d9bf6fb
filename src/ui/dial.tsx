import { clockFace, clockHand } from '#contract/times/clock-face.ts'

const label = {
  fontFamily: 'var(--chart)',
  fontSize: 16,
  fill: 'var(--ink-2)',
  textAnchor: 'middle',
} as const

const hand = clockHand(0)

interface Props {
  /** Describes the drawing for those who do not see it. */
  label: string
  /** Times at the top, right, bottom and left. */
  hours: readonly [string, string, string, string]
  /** A time span in the middle, and a word below it. */
  span: string
  caption: string
}

/**
 * The clock of a promised answer with the whole time left. Colours are attributes, so that a form's
 * page carries no style sheet for it; `server/status-page/clock.ts` draws the clock that moves.
 */
export const Dial = ({ label: text, hours, span, caption }: Props) => (
  <svg className="landed" viewBox={clockFace.viewBox} role="img" aria-label={text}>
    <path d={clockFace.ticks} stroke="var(--ink)" strokeWidth="1.25" />
    <path className="flight-path" d={hand.left} />
    <path fill="var(--accent)" stroke="var(--ink)" strokeWidth="1.5" d={clockFace.waypoint} />
    <circle {...hand.ground} r="19" fill="var(--paper)" />
    <g transform={hand.mark} fill="none" stroke="var(--ink)" strokeWidth="4.3" strokeMiterlimit="9">
      <path d={clockFace.mark} />
    </g>
    {clockFace.hours.map(({ x, y }, n) => (
      <text {...label} key={`${x} ${y}`} x={x} y={y}>
        {hours[n]}
      </text>
    ))}
    <text {...label} {...clockFace.caption}>
      {caption}
    </text>
    <text
      {...clockFace.span}
      fontSize="38"
      fontWeight="600"
      letterSpacing="-1.3"
      fill="var(--ink)"
      textAnchor="middle"
    >
      {span}
    </text>
  </svg>
)
