/** Longer than a statement can take from writing an event to its commit. */
const OVERLAP_SECONDS = 60

/**
 * Plans from the causes since the last look.
 *
 * @param firstSeconds the time for which a new process looks back for causes that its predecessor left unplanned
 */
export const lookBack = <T>(firstSeconds: number, plan: (seconds: number) => Promise<T>) => {
  let lookedAt: number | undefined
  return async (): Promise<T> => {
    const started = performance.now()
    const seconds =
      lookedAt === undefined
        ? firstSeconds
        : Math.ceil((started - lookedAt) / 1_000) + OVERLAP_SECONDS
    const planned = await plan(seconds)
    lookedAt = started
    return planned
  }
}
