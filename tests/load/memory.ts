import { resolve } from 'node:path'
import { median } from '#tests/bench/statistics.ts'
import type { Started } from '#tests/launch.ts'

/** Resident bytes of a process, the bytes of its objects and buffers, and its open files. */
export interface MemorySample {
  resident: number
  heap: number
  external: number
  files: number
}

/** Environment of a host that reports its memory. */
export const tellsMemory = {
  NODE_OPTIONS: `--import ${resolve('tests/fixtures/memory.mjs')}`,
}

/** Asks a host for its memory periodically and collects the answers in `samples`. */
export function watchMemory({ process, lines }: Started, everyMs: number) {
  const timer = setInterval(() => process.kill('SIGUSR2'), everyMs)
  return {
    samples: () =>
      lines.flatMap((line) => {
        const told = /^memory (\{.*\})$/.exec(line)?.[1]
        return told ? [JSON.parse(told) as MemorySample] : []
      }),
    stop: () => clearInterval(timer),
  }
}

/** Ratio of the last quarter to the second; the first is warm-up. */
export function growth(values: readonly number[]): { early: number; late: number; times: number } {
  const quarter = Math.max(1, Math.floor(values.length / 4))
  const early = median(values.slice(quarter, 2 * quarter))
  const late = median(values.slice(-quarter))
  return { early, late, times: late / early }
}
