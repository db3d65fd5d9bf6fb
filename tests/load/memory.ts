import { resolve } from 'node:path'
import { median } from '#tests/bench/statistics.ts'
import type { Started } from '#tests/launch.ts'

/** Bytes that a process takes of the machine, and what its own objects and buffers need of them. */
export interface MemorySample {
  resident: number
  heap: number
  external: number
}

/** What a host needs in its environment to tell its memory. */
export const tellsMemory = {
  NODE_OPTIONS: `--import ${resolve('tests/fixtures/memory.mjs')}`,
}

/** Asks a host for its memory every so often; what it has told so far is in `samples`. */
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

/** How far the last quarter lies above the second: the first is left to warming up. */
export function growth(values: readonly number[]): { early: number; late: number; times: number } {
  const quarter = Math.max(1, Math.floor(values.length / 4))
  const early = median(values.slice(quarter, 2 * quarter))
  const late = median(values.slice(-quarter))
  return { early, late, times: late / early }
}
