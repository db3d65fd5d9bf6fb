import { type ChildProcess, execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'node:util'
import { inject, onTestFinished, vi } from 'vitest'
import { launch, newFolder, outcome, type Started, whenReady } from './launch.ts'

/** Commands of the product in tests, as processes or in this one. Processes end with their test. */

export { newFolder, type Started } from './launch.ts'

/**
 * For a short life: the embedded database's code runs as it is, without being optimised first, and memory
 * is collected less often than a host that has little of it does.
 */
export const shortLived = [
  '--import=./src/server/db/drizzle-imports.ts',
  '--liftoff-only',
  '--max-semi-space-size=16',
]

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
  const child = launch(script, args, env, shortLived)
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

/** `npm run serve` on a free port; it is killed with the test at the latest. */
export const startHost = (env: Record<string, string>): Promise<Started> =>
  whenReady(launchForTest('serve', [], env))

/** What a command printed, and how it ended. */
interface Outcome {
  code: number
  output: string
}

/** Runs a command of the product as a process, until it exits by itself. */
export const runCommand = (
  script: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Outcome> => outcome(launchForTest(script, args, env))

let runs = 0

/**
 * Evaluates a command of `src/cli` in this process, with its own arguments and environment. A process
 * of its own would take a second to load the same modules again. That a command exits by itself is
 * seen where it runs as a process: each does in one test at least.
 */
export async function runHere(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Outcome> {
  const { argv, env: ownEnv, exitCode } = process
  let output = ''
  const print = (...values: unknown[]) => {
    output += `${format(...values)}\n`
  }
  const write = (text: string | Uint8Array) => {
    output += text
    return true
  }
  const spies = [
    ...(['log', 'info', 'warn', 'error'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(print),
    ),
    ...[process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockImplementation(write),
    ),
  ]
  process.argv = [process.execPath, script, ...args]
  process.env = { PATH: ownEnv.PATH, ...env }
  process.exitCode = undefined
  runs += 1
  try {
    // Another query is another module; what it imports stays.
    const command = join(import.meta.dirname, `../src/cli/${script}.ts?run=${runs}`)
    await import(command)
    return { code: Number(process.exitCode ?? 0), output }
  } finally {
    Object.assign(process, { argv, env: ownEnv, exitCode })
    for (const spy of spies) spy.mockRestore()
  }
}
