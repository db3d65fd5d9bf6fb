/** The percentile for `share` (0 to 1), by the nearest rank. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (value === undefined) throw new Error('Nothing was measured')
  return value
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  if (upper === undefined || lower === undefined) throw new Error('Nothing was measured')
  return (upper + lower) / 2
}

/**
 * How often the better guess is right which of two values, one of each list, is the first list's: 0.5 where the
 * values tell nothing, 1 where they tell everything.
 */
export const guessedRight = (some: readonly number[], others: readonly number[]): number => {
  if (some.length === 0 || others.length === 0) throw new Error('Nothing was measured')
  const score = some
    .flatMap((value) => others.map((other) => (value > other ? 1 : value === other ? 0.5 : 0)))
    .reduce((sum: number, one) => sum + one, 0)
  const share = score / (some.length * others.length)
  return Math.max(share, 1 - share)
}

/** Runs every task once per round, so that changes of the machine's load affect all tasks equally. */
export const interleave = async <Name extends string>(
  rounds: number,
  tasks: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number[]>> => {
  const names = Object.keys(tasks) as Name[]
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) values[name].push(await tasks[name]())
  }
  return values
}

/** Milliseconds that `work` takes. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}
