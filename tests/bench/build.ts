import { spawn } from 'node:child_process'
import { outcome } from '#tests/launch.ts'
import { atMost, type Part, seconds } from './part.ts'
import { median, timed } from './statistics.ts'

const RUNS = 3

/** The whole build, checks and compression included, as `npm run build` runs it. */
export const build: Part = {
  name: 'build',
  async measure() {
    const runs: number[] = []
    for (let run = 0; run < RUNS; run += 1) runs.push((await timed(buildOnce)) / 1_000)
    return {
      rows: [atMost(`npm run build, median of ${RUNS}`, median(runs), 15, seconds)],
      details: { seconds: runs },
    }
  },
}

async function buildOnce(): Promise<void> {
  const { code, output } = await outcome(
    spawn('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  if (code !== 0) throw new Error(output)
}
