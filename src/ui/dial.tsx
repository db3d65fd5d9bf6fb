/** Of the dial's circle. */
const center = { x: 170, y: 152, radius: 92 }

const point = (degrees: number, radius: number): string => {
  const angle = (degrees * Math.PI) / 180
  const x = center.x + radius * Math.sin(angle)
  const y = center.y - radius * Math.cos(angle)
  return `${x.toFixed(1)} ${y.toFixed(1)}`
}

// A tick for each hour but the promised one at the top, longer at the quarters.
const ticks = Array.from({ length: 23 }, (_, n) => (n + 1) * 15)
  .map((degrees) => `M${point(degrees, 105)}L${point(degrees, degrees % 90 === 0 ? 116 : 110)}`)
  .join('')

const label = {
  fontFamily: 'var(--chart)',
  fontSize: 16,
  fill: 'var(--ink-2)',
  textAnchor: 'middle',
} as const

interface Props {
  /** What the drawing says, for those who do not see it. */
  label: string
  /** Times at the top, right, bottom and left. */
  hours: readonly [string, string, string, string]
  /** In the middle: a time span, and what it is. */
  span: string
  caption: string
  className?: string
  /** Also draws what shows used, answered and late times, for the server to choose from. */
  moves?: boolean
}

/**
 * The clock of a promised answer: once round is 24 hours, the top is the promised minute, dotted is
 * left. Drawn with all 24 hours left, in attributes, so that a form's page carries no style sheet for
 * it; the sender's page moves the mark by the ids (`server/status-page/dial.ts`) and colours it.
 */
export const Dial = ({
  label: text,
  hours: [top, right, bottom, left],
  span,
  caption,
  className = 'dial',
  moves = false,
}: Props) => (
  <svg className={className} id="dial" viewBox="0 0 340 300" role="img" aria-label={text}>
    <path d={ticks} stroke="var(--ink)" strokeWidth="1.25" />
    {moves && (
      <g fill="none">
        <circle className="base" id="dial-base" cx={center.x} cy={center.y} r={center.radius} />
        <circle className="used" id="dial-ring" cx={center.x} cy={center.y} r={center.radius} />
        <path className="used" id="dial-used" d="M170 60" />
      </g>
    )}
    <path className="flight-path" id="dial-left" d="M193.8 63.1A92 92 0 1 1 160.4 60.5" />
    <path
      className="waypoint"
      fill="var(--accent)"
      stroke="var(--ink)"
      strokeWidth="1.5"
      d="M170 49l10 18h-20z"
    />
    <circle id="dial-ground" cx="170" cy="60" r="19" fill="var(--paper)" />
    <g
      className="plane"
      id="dial-mark"
      transform="translate(170 60) rotate(12) translate(-14 -15)"
      fill="none"
      stroke="var(--ink)"
      strokeWidth="4.3"
      strokeMiterlimit="9"
    >
      <path d="M2 6.5 25 12.7 16.8 18.2M3.5 17.3 11.8 19.9 5.6 25.3" />
    </g>
    <text {...label} id="dial-top" x="170" y="32">
      {top}
    </text>
    <text {...label} id="dial-right" x="313" y="158">
      {right}
    </text>
    <text {...label} id="dial-bottom" x="170" y="292">
      {bottom}
    </text>
    <text {...label} id="dial-west" x="27" y="158">
      {left}
    </text>
    <text {...label} id="dial-caption" x="170" y="182">
      {caption}
    </text>
    <text
      id="dial-span"
      x="170"
      y="158"
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
