/** One way in which the world fails, and what must hold all the same. */
export interface Fault {
  name: string
  run(promise: Promised): Promise<void>
}

/** Writes down whether a promise was kept; `found` tells more where it was not. */
export type Promised = (sentence: string, kept: boolean, found?: unknown) => void

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

/** Asks again until it is so, or the time is up. */
export const eventually = async (
  isSo: () => Promise<boolean>,
  { withinMs = 30_000, everyMs = 250 } = {},
): Promise<boolean> => {
  const end = performance.now() + withinMs
  while (performance.now() < end) {
    if (await isSo().catch(() => false)) return true
    await sleep(everyMs)
  }
  return false
}
