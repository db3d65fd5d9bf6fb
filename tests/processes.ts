import type { ChildProcess } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { launch, outcome, type Started, whenReady } from './launch.ts'

/** What `launch.ts` starts, for tests: it ends with the test that started it. */

export { newFolder, type Started } from './launch.ts'

function launchForTest(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
): ChildProcess {
  const child = launch(script, args, env)
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

/** `npm run serve` on a free port; it is killed with the test at the latest. */
export const startHost = (env: Record<string, string>): Promise<Started> =>
  whenReady(launchForTest('serve', [], env))

/** Runs a command of `src/host` to its end. */
export const runCommand = (
  script: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; output: string }> => outcome(launchForTest(script, args, env))
