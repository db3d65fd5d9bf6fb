/** Runs at most `atOnce` works at a time, in order of arrival; undefined where `mostWaiting` wait already. */
export const createTurns = (atOnce: number, mostWaiting: number) => {
  let free = atOnce
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (free > 0) free -= 1
    else if (waiting.length < mostWaiting) {
      // A turn is handed on, so that nobody who comes meanwhile can slip in between.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else return undefined
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
