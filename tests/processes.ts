import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** The commands of the product as processes of their own, each with an environment of its own. */

export interface Started {
  process: ChildProcess
  url: string
  /** What it printed until it was ready. */
  lines: string[]
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'fledge-test-'))

function launch(script: string, args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [`src/host/${script}.ts`, ...args], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

/** `npm run serve` on a free port; it is killed with the test at the latest. */
export async function startHost(env: Record<string, string>): Promise<Started> {
  const child = launch('serve', [], env)
  const lines: string[] = []
  if (!child.stdout || !child.stderr) throw new Error('No output')
  child.stderr.on('data', (chunk: Buffer) => lines.push(String(chunk)))
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    const url = /^ready (http:\S+)$/.exec(line)?.[1]
    if (url) return { process: child, url, lines }
  }
  throw new Error(`The host did not start:\n${lines.join('\n')}`)
}

/** Runs a command of `src/host` to its end. */
export async function runCommand(
  script: string,
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number; output: string }> {
  const child = launch(script, args, env)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk
    })
  }
  const [code] = await once(child, 'close')
  return { code, output }
}
