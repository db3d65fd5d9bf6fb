/** Waits for work, but no longer than this. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timer = Promise.withResolvers<void>()
  const timeout = setTimeout(timer.resolve, milliseconds)
  await Promise.race([work, timer.promise])
  clearTimeout(timeout)
}
