type Point = [x: number, y: number]

/** A cubic curve: its start, two handles and its end. */
export type Curve = readonly [...Point, ...Point, ...Point, ...Point]

export const pathOf = ([x, y, ...rest]: Curve): string => `M${x} ${y}C${rest.join(' ')}`

const mix = (a: number, b: number, c: number, d: number, t: number): number => {
  const u = 1 - t
  return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d
}

const steps = 100

/** The place at a share (0 to 1) of a curve's length, and the direction there in degrees. */
export const placeOn = ([ax, ay, bx, by, cx, cy, dx, dy]: Curve, share: number) => {
  const points = Array.from({ length: steps + 1 }, (_, step) => ({
    x: mix(ax, bx, cx, dx, step / steps),
    y: mix(ay, by, cy, dy, step / steps),
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
  const from = points[step] ?? { x: ax, y: ay }
  const to = points[step + 1] ?? from
  const part = Math.min(1, left / (lengths[step] || 1))
  return {
    x: from.x + (to.x - from.x) * part,
    y: from.y + (to.y - from.y) * part,
    angle: (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI,
  }
}
