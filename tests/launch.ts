import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Starts the product's commands as processes, each with its own environment. */

export interface Started {
  process: ChildProcess
  url: string
  /** Its output until it was ready, and its errors since. */
  lines: string[]
}

const folders: string[] = []

/** A folder that is deleted when this process ends: a database with 100,000 records is half a gigabyte. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fledge-test-'))
  folders.push(folder)
  return folder
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  // A process of its own, so that nobody waits for it.
  if (folders.length > 0)
    spawn('rm', ['-rf', ...folders], { detached: true, stdio: 'ignore' }).unref()
})
// A process that is killed would leave them running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Modules without their types, kept from process to process. */
const compiled = join(tmpdir(), 'fledge-compiled')

/** Runs a script of this repository as a process that ends with the one that started it. */
export function launchScript(
  script: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): ChildProcess {
  return launchProgram(process.execPath, [...flags, script, ...args], env)
}

/** Runs any program as a process that ends with the one that started it. */
export function launchProgram(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): ChildProcess {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compiled, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** What `npm run serve` gives to the host: variables and flags of Node. */
export function serveSettings(): { env: Record<string, string>; flags: string[] } {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const env = [...scripts.serve.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [
    name,
    value,
  ])
  return { env: Object.fromEntries(env), flags: scripts.serve.match(/--\S+/g) ?? [] }
}

/** A command of the product: the server in `src/host`, any other in `src/cli`. */
export const launch = (
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  flags: readonly string[] = [],
): ChildProcess => {
  if (command !== 'serve') return launchScript(`src/cli/${command}.ts`, args, env, flags)
  const settings = serveSettings()
  return launchScript('src/host/serve.ts', args, { PORT: '0', ...settings.env, ...env }, [
    ...settings.flags,
    ...flags,
  ])
}

/** Waits until a launched process prints its URL. */
export async function whenReady(child: ChildProcess): Promise<Started> {
  const lines: string[] = []
  if (!child.stdout || !child.stderr) throw new Error('No output')
  child.stderr.on('data', (chunk: Buffer) => lines.push(String(chunk)))
  const output = createInterface(child.stdout)
  const url = await new Promise<string | undefined>((resolve) => {
    // Read to the end: a full pipe would block the process.
    output.on('line', (line) => {
      const found = /^ready (http:\S+)$/.exec(line)?.[1]
      lines.push(line)
      if (found) resolve(found)
    })
    output.once('close', () => resolve(undefined))
  })
  if (url === undefined) throw new Error(`It did not start:\n${lines.join('\n')}`)
  return { process: child, url, lines }
}

/** `npm run serve`, on a free port unless told otherwise. */
export const serve = (
  env: Record<string, string>,
  flags: readonly string[] = [],
): Promise<Started> => whenReady(launch('serve', [], env, flags))

/** Ends a process and waits until it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** Waits until a command exits by itself. */
export async function outcome(child: ChildProcess): Promise<{ code: number; output: string }> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk
    })
  }
  const [code] = await once(child, 'close')
  return { code, output }
}
