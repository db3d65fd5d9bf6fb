import type { LogEntry } from '#server/deps.ts'

/** One line of JSON; a line break in a value stays inside its string. */
const lineOf = (entry: LogEntry): string =>
  `${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`

/** Writes an entry at once: on Netlify a process may stop right after an answer. */
export function log(entry: LogEntry): void {
  process.stdout.write(lineOf(entry))
}

/**
 * Writes the entries of one turn of the event loop together, for a process that answers many calls at a time:
 * each write to a pipe also wakes the process that reads it.
 */
export function gatheredLog(): (entry: LogEntry) => void {
  let lines = ''
  const write = () => {
    const gathered = lines
    lines = ''
    if (gathered) process.stdout.write(gathered)
  }
  process.once('exit', write)
  return (entry) => {
    if (!lines) setImmediate(write)
    lines += lineOf(entry)
  }
}
