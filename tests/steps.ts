import { duration, withStatus } from '#cli/progress.ts'

/**
 * Runs `work`, which calls `next` with the name of each of `total` steps before it begins. Without a
 * terminal there is a line for each.
 */
export async function withSteps<T>(
  what: string,
  total: number,
  work: (next: (name: string) => void) => Promise<T>,
): Promise<T> {
  const start = performance.now()
  let begun = 0
  let current = ''
  const place = () => `${what} ${begun} of ${total}: ${current}`
  const text = () => {
    const elapsedMs = performance.now() - start
    const ended = begun - 1
    const left = ended > 0 ? `, about ${duration((elapsedMs / ended) * (total - ended))} left` : ''
    return `${place()}, ${duration(elapsedMs)}${left}`
  }
  return withStatus(text, (status) =>
    work((name) => {
      begun += 1
      current = name
      if (status) status.draw()
      else console.error(place())
    }),
  )
}
