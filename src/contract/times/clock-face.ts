/** The drawing of a promised answer's clock: once round is the promise, the top is its minute. */

const center = { x: 170, y: 152 }
const radius = 92

const point = (degrees: number, distance: number): { x: string; y: string } => {
  const angle = (degrees * Math.PI) / 180
  return {
    x: (center.x + distance * Math.sin(angle)).toFixed(1),
    y: (center.y - distance * Math.cos(angle)).toFixed(1),
  }
}

const text = (degrees: number, distance: number): string =>
  Object.values(point(degrees, distance)).join(' ')

const arc = (from: number, to: number): string =>
  `M${text(from, radius)}A${radius} ${radius} 0 ${to - from > 180 ? 1 : 0} 1 ${text(to, radius)}`

export const clockFace = {
  viewBox: '0 0 340 300',
  circle: { cx: center.x, cy: center.y, r: radius },
  /** A tick for each hour but the promised one at the top, longer at the quarters. */
  ticks: Array.from({ length: 23 }, (_, n) => (n + 1) * 15)
    .map((degrees) => `M${text(degrees, 105)}L${text(degrees, degrees % 90 === 0 ? 116 : 110)}`)
    .join(''),
  waypoint: 'M170 49l10 18h-20z',
  /** The arrow that moves along the circle. */
  mark: 'M2 6.5 25 16 2 25.5 8 16Z',
  hours: [
    { x: 170, y: 32 },
    { x: 313, y: 158 },
    { x: 170, y: 292 },
    { x: 27, y: 158 },
  ],
  span: { x: 170, y: 158 },
  caption: { x: 170, y: 182 },
} as const

/** The parts that move, for a mark at `degrees` clockwise from the top. */
export const clockHand = (degrees: number) => {
  const { x, y } = point(degrees, radius)
  return {
    used: arc(0, degrees),
    left: arc(degrees + 15, 354),
    ground: { cx: x, cy: y },
    mark: `translate(${x} ${y}) rotate(${(degrees + 12).toFixed(1)}) translate(-14 -15)`,
  }
}
