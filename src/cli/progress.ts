/**
 * Progress of long commands, on stderr, so that stdout holds nothing but results. On a terminal it is
 * one line that is drawn again; elsewhere (a pipe, a log) plain lines without control characters.
 */

interface Work {
  /** The noun that is counted: `contacts`. */
  what: string
  /** Undefined while nobody knows it. */
  total: number | undefined
  /** The text of a count; a number with separators by default. */
  show?: (count: number) => string
}

/** The longest and shortest time between two updates of a terminal's line. */
const REDRAW_MS = { atMost: 1_000, atLeast: 100 }

const number = (value: number): string => value.toLocaleString('en')
export const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`

/** `42 s`, `3 min 20 s`, `1 h 5 min` */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** `contacts: 12,000 of 100,000, 4,100 a second, 21 s left` */
export function countText(
  { what, total, show = number }: Work,
  { done, elapsedMs }: { done: number; elapsedMs: number },
): string {
  const count = total === undefined ? show(done) : `${show(done)} of ${show(total)}`
  const perMs = elapsedMs > 0 ? done / elapsedMs : 0
  if (perMs === 0) return `${what}: ${count}, ${duration(elapsedMs)}`
  const rate =
    perMs * 1_000 < 1
      ? `${show(Math.round(perMs * 60_000))} a minute`
      : `${show(Math.round(perMs * 1_000))} a second`
  const left = total === undefined ? [] : [`${duration((total - done) / perMs)} left`]
  return [`${what}: ${count}`, rate, ...left].join(', ')
}

/**
 * Runs `work`, which calls `advance` with how many more are done. Without a terminal there is a line
 * for each tenth before the end; the end is what the command itself reports.
 */
export async function withCount<T>(
  counted: Work,
  work: (advance: (count: number) => void) => Promise<T>,
): Promise<T> {
  const start = performance.now()
  const { total } = counted
  let done = 0
  const tenth = () => (total ? Math.floor((10 * done) / total) : 0)
  const text = () => countText(counted, { done, elapsedMs: performance.now() - start })
  return withStatus(text, (status) =>
    work((count) => {
      const before = tenth()
      done += count
      if (status) status.draw()
      else if (tenth() > before && tenth() < 10) console.error(text())
    }),
  )
}

/** A step of a pipeline that reports the bytes which pass it. */
export const counting = (advance: (bytes: number) => void) =>
  async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      advance(chunk.length)
      yield chunk
    }
  }

/** Prints a result while there may be a line of progress on the same terminal. */
export function print(...values: unknown[]): void {
  shown?.clear()
  console.log(...values)
  shown?.draw()
}

interface Status {
  draw(): void
  clear(): void
}

/** There is one terminal, so there is one such line: that of the innermost work. */
let shown: Status | undefined

/** Gives `work` a line that shows `text` on the terminal until it ends; undefined without one. */
export async function withStatus<T>(
  text: () => string,
  work: (status: Status | undefined) => Promise<T>,
) {
  const { stderr } = process
  if (!stderr.isTTY) return work(undefined)
  let drawnAt = Number.NEGATIVE_INFINITY
  const clear = () => {
    stderr.cursorTo(0)
    stderr.clearLine(1)
    drawnAt = Number.NEGATIVE_INFINITY
  }
  const draw = () => {
    if (performance.now() - drawnAt < REDRAW_MS.atLeast) return
    clear()
    drawnAt = performance.now()
    // A longer line would continue on the next, where it cannot be cleared. A terminal may not know its width.
    stderr.write(text().slice(0, (stderr.columns || 80) - 1))
  }
  const own: Status = { draw, clear }
  const outer = shown
  const timer = setInterval(() => shown === own && draw(), REDRAW_MS.atMost)
  shown = own
  try {
    return await work(own)
  } finally {
    clearInterval(timer)
    clear()
    shown = outer
  }
}
