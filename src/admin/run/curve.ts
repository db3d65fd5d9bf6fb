/** A cubic curve: its start, two handles and its end. */
export type Curve = readonly [Point, Point, Point, Point]
type Point = readonly [x: number, y: number]

export const pathOf = ([start, one, two, end]: Curve): string =>
  `M${start.join(' ')}C${[one, two, end].map((point) => point.join(' ')).join(' ')}`

const mix = (values: readonly [number, number, number, number], t: number): number => {
  const [a, b, c, d] = values
  const u = 1 - t
  return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d
}

const steps = 100

/** The place at a share (0 to 1) of a curve's length, and the direction there in degrees. */
export const placeOn = ([a, b, c, d]: Curve, share: number) => {
  const points = Array.from({ length: steps + 1 }, (_, step) => ({
    x: mix([a[0], b[0], c[0], d[0]], step / steps),
    y: mix([a[1], b[1], c[1], d[1]], step / steps),
  }))
  const lengths = points
    .slice(1)
    .map(({ x, y }, step) => Math.hypot(x - (points[step]?.x ?? 0), y - (points[step]?.y ?? 0)))
  const total = lengths.reduce((sum, length) => sum + length, 0)
  let left = share * total
  let step = 0
  while (step < steps - 1 && left > (lengths[step] ?? 0)) {
    left -= lengths[step] ?? 0
    step += 1
  }
  const from = points[step] ?? { x: a[0], y: a[1] }
  const to = points[step + 1] ?? from
  const part = Math.min(1, left / (lengths[step] || 1))
  return {
    x: from.x + (to.x - from.x) * part,
    y: from.y + (to.y - from.y) * part,
    angle: (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI,
  }
}
