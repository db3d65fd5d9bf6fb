/** A ceiling for an axis of counts, and its steps: whole numbers, four steps at most. */
export const countScale = (most: number): { top: number; steps: number[] } => {
  const rough = Math.max(1, most) / 4
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * magnitude).find((size) => size >= rough) ?? rough,
  )
  const count = Math.ceil(Math.max(1, most) / step)
  return { top: count * step, steps: Array.from({ length: count + 1 }, (_, n) => n * step) }
}
