/** One failure of the environment, and what must hold in spite of it. */
export interface Fault {
  name: string
  /** The promise, in one sentence. */
  promise: string
  /** Takes seconds, not minutes: part of `npm test`. */
  isQuick: boolean
  run(promise: Promised, world: World): Promise<void>
}

/** Records whether a promise was kept; `found` explains a failure. */
export type Promised = (sentence: string, kept: boolean, found?: unknown) => void

export interface World {
  /** The URL of a new database on a real Postgres. */
  newDatabase(state: 'migrated' | 'blank'): Promise<string>
}

/** Polls until the condition is true or the time is over. */
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
