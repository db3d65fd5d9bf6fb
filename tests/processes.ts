import { type ChildProcess, execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { launch, newFolder, outcome, type Started, whenReady } from './launch.ts'

/** Processes of `launch.ts` for tests; they end with the test that started them. */

export { newFolder, type Started } from './launch.ts'

/** For the embedded database in a short life: its code runs as it is, without being optimised first. */
const quickWasm = ['--liftoff-only']

/** A `DATA_DIR` with an empty database in it, so that a start need not make one. */
export function newDataDir(): string {
  const folder = newFolder()
  const directory = join(folder, 'db')
  mkdirSync(directory, { mode: 0o700 })
  execFileSync('tar', ['--extract', '--file', inject('embeddedDump'), '--directory', directory], {
    stdio: 'ignore',
  })
  return folder
}

function launchForTest(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
): ChildProcess {
  const child = launch(script, args, env, quickWasm)
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

/** `npm run serve` on a free port; it is killed with the test at the latest. */
export const startHost = (env: Record<string, string>): Promise<Started> =>
  whenReady(launchForTest('serve', [], env))

/** Runs a command of the product until it exits. */
export const runCommand = (
  script: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; output: string }> => outcome(launchForTest(script, args, env))
