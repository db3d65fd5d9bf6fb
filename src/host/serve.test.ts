import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

interface Started {
  process: ChildProcess
  url: string
  lines: string[]
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'fledge-serve-'))

function spawnHost(env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ['src/host/serve.ts'], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

async function start(env: Record<string, string>): Promise<Started> {
  const child = spawnHost(env)
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

async function failure(env: Record<string, string>): Promise<string> {
  const child = spawnHost(env)
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  return output
}

const contact = { name: 'Ada', email: 'ada@example.test', message: 'Hello there' }

const send = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/contacts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(contact),
  })

test('one process serves site and API, stores a message, and ends cleanly when told to', async () => {
  const folder = newFolder()
  const host = await start({ DATA_DIR: folder })
  expect((await fetch(host.url)).headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect((await fetch(`${host.url}/api/nothing`)).status).toBe(404)
  expect((await send(host.url)).status).toBe(201)

  host.process.kill('SIGTERM')
  expect(await once(host.process, 'exit')).toEqual([0, null])
  expect(readdirSync(folder)).not.toContain('db.owner')
})

test('a second start on the same folder names the first and leaves it alone', async () => {
  const folder = newFolder()
  const host = await start({ DATA_DIR: folder })
  expect(await failure({ DATA_DIR: folder })).toContain(`process ${host.process.pid}`)
  expect((await fetch(`${host.url}/api/health`)).status).toBe(200)
})

test('what was acknowledged before a kill is there after it', async () => {
  const folder = newFolder()
  const first = await start({ DATA_DIR: folder })
  const key = { 'Idempotency-Key': 'once' }
  const { data } = (await (await send(first.url, key)).json()) as { data: { _id: string } }
  first.process.kill('SIGKILL')
  await once(first.process, 'exit')

  const second = await start({ DATA_DIR: folder })
  expect(await (await send(second.url, key)).json()).toMatchObject({ data: { _id: data._id } })
})

test('limits count by the forwarded address only behind a trusted proxy', async () => {
  const trusting = await start({ DATA_DIR: newFolder(), TRUST_PROXY: '1' })
  const statuses = async (url: string) => {
    const answers: number[] = []
    for (let n = 1; n <= 11; n += 1) {
      const answer = await send(url, {
        'X-Forwarded-For': `203.0.113.${n}`,
        'Idempotency-Key': String(n),
      })
      answers.push(answer.status)
    }
    return answers
  }
  expect(new Set(await statuses(trusting.url))).toEqual(new Set([201]))
  const plain = await start({ DATA_DIR: newFolder() })
  expect((await statuses(plain.url)).at(-1)).toBe(429)
})

test('a start with a wrong environment says all of it in one answer', async () => {
  const message = await failure({ DATA_DIR: newFolder(), PORT: 'x', TRUST_PROXY: 'x' })
  expect(message).toMatch(/PORT[\s\S]*TRUST_PROXY/)
  expect(message).not.toContain('    at ')
})
