import type { LogEntry } from '#server/deps.ts'

/** One line of JSON for each entry; a line break in a value stays inside its string. */
export function log(entry: LogEntry): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`)
}
