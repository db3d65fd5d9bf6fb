/** One way in which the world fails, and what must hold all the same. */
export interface Fault {
  name: string
  /** What is promised, in a sentence. */
  promise: string
  /** Seconds rather than minutes: it belongs to `npm test`. */
  isQuick: boolean
  run(promise: Promised, world: World): Promise<void>
}

/** Writes down whether a promise was kept; `found` tells more where it was not. */
export type Promised = (sentence: string, kept: boolean, found?: unknown) => void

export interface World {
  /** The address of a database of one's own on a real Postgres. */
  newDatabase(state: 'migrated' | 'blank'): Promise<string>
}

/** Asks again until it is so, or the time is up. */
export const eventually = async (
  isSo: () => Promise<boolean>,
  { withinMs = 30_000, everyMs = 250 } = {},
): Promise<boolean> => {
  const end = performance.now() + withinMs
  while (performance.now() < end) {
    if (await isSo().catch(() => false)) return true
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  return false
}
