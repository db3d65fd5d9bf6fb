import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { end, type Started, serve, whenReady } from '#tests/launch.ts'
import {
  newDataDir,
  newFolder,
  runCommand,
  runHere,
  shortLived,
  startHost,
} from '#tests/processes.ts'

const contact = { name: 'Ada', email: 'ada@example.test', message: 'Hello there' }

const send = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/contacts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(contact),
  })

const health = (url: string) => fetch(`${url}/api/health`)

/** A host that many tests ask and none changes. */
let running: Started
const runningFolder = newDataDir()

beforeAll(async () => {
  running = await serve({ DATA_DIR: runningFolder }, shortLived)
})
afterAll(() => end(running.process))

test('one process serves site and API, stores a message, logs each call, and ends cleanly when told to', async () => {
  const folder = newDataDir()
  const host = await startHost({ DATA_DIR: folder })
  expect((await fetch(host.url)).headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect((await fetch(`${host.url}/api/nothing`)).status).toBe(404)
  const stored = await send(host.url)
  expect(stored.status).toBe(201)
  const calls = [stored, ...(await Promise.all(Array.from({ length: 20 }, () => health(host.url))))]

  host.process.kill('SIGTERM')
  expect(await once(host.process, 'close')).toEqual([0, null])
  const log = host.lines.join('\n')
  for (const { headers } of calls) expect(log).toContain(headers.get('X-Request-Id'))
  expect(readdirSync(folder)).not.toContain('db.owner')
})

test('a second start on the same folder names the first and leaves it alone', async () => {
  expect(await runCommand('serve', [], { DATA_DIR: runningFolder })).toMatchObject({
    code: 1,
    output: expect.stringContaining(`process ${running.process.pid}`),
  })
  expect((await fetch(`${running.url}/api/health`)).status).toBe(200)
})

test('what was acknowledged before a kill is there after it', async () => {
  const folder = newDataDir()
  const first = await startHost({ DATA_DIR: folder })
  const key = { 'Idempotency-Key': 'once' }
  const { data } = (await (await send(first.url, key)).json()) as { data: { _id: string } }
  first.process.kill('SIGKILL')
  await once(first.process, 'exit')

  const second = await startHost({ DATA_DIR: folder })
  expect(await (await send(second.url, key)).json()).toMatchObject({ data: { _id: data._id } })
})

test('limits count by the forwarded IP only behind a trusted proxy', async () => {
  const trusting = await startHost({ DATA_DIR: newDataDir(), TRUST_PROXY: '1' })
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
  expect((await statuses(running.url)).at(-1)).toBe(429)
})

test('a start with a wrong environment says all of it in one answer', async () => {
  const env = { DATA_DIR: newDataDir(), PORT: 'x', TRUST_PROXY: 'x', ADMIN_PASSWORD: 'admin' }
  const { code, output } = await runCommand('serve', [], env)
  expect(code).toBe(1)
  for (const name of ['PORT', 'TRUST_PROXY', 'ADMIN_PASSWORD']) expect(output).toContain(name)
  expect(output).not.toContain('    at ')
})

test('a start on a port that is taken says so and ends, and leaves its database free', async () => {
  const { port } = new URL(running.url)
  const folder = newDataDir()
  const { code, output } = await runCommand('serve', [], { DATA_DIR: folder, PORT: port })
  expect(code).toBe(1)
  expect(output).toContain(`address already in use 127.0.0.1:${port}`)
  expect(output).not.toContain('password')
  expect(readdirSync(folder)).not.toContain('db.owner')
})

test('a start whose folder cannot be written says so in one sentence', async () => {
  const inTheWay = join(newFolder(), 'file')
  writeFileSync(inTheWay, '')
  const { code, output } = await runCommand('serve', [], { DATA_DIR: join(inTheWay, 'data') })
  expect(code).toBe(1)
  expect(output).toMatch(/^DATA_DIR cannot be written [^\n]*\n$/)
})

test('a start without its database says why, and keeps the password to itself', async () => {
  for (const url of ['postgres://u:hidden@127.0.0.1:1/x', 'postgres://u:hidden@host.invalid/x']) {
    const env = { DATA_DIR: newFolder(), DATABASE_URL: url }
    for (const { code, output } of [
      await runCommand('serve', [], env),
      await runHere('db-migrate', [], env),
      await runHere('sample-data', [], env),
    ]) {
      expect(code).toBe(1)
      expect(output).toMatch(/^The database at DATABASE_URL cannot be used: [^\n]*\n$/)
      expect(output).not.toContain('hidden')
    }
  }
})

test('a service manager’s socket is served, so that requests wait out a restart', async () => {
  const held = createServer().listen(0, '127.0.0.1')
  await once(held, 'listening')
  const { port } = held.address() as AddressInfo
  const { _handle } = held as unknown as { _handle: { fd: number } }
  const script = 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" --liftoff-only src/host/serve.ts'
  const host = spawn('sh', ['-c', script, process.execPath], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: newDataDir() },
    stdio: ['ignore', 'pipe', 'pipe', _handle.fd],
  })
  onTestFinished(() => {
    host.kill('SIGKILL')
  })
  held.close()
  const { url } = await whenReady(host)
  expect(url).toBe(`http://127.0.0.1:${port}`)
  expect((await fetch(`${url}/api/health`)).status).toBe(200)
})

test('the first start, and only the first, tells the first superuser’s password', async () => {
  const folder = newFolder()
  const first = await startHost({ DATA_DIR: folder })
  const told = first.lines.join('\n')
  const password = /password: (\S+)/.exec(told)?.[1]
  const login = await fetch(`${first.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'admin@localhost.test', password }),
  })
  expect(login.status).toBe(200)
  first.process.kill('SIGTERM')
  await once(first.process, 'exit')
  const second = await startHost({ DATA_DIR: folder })
  expect(second.lines.join('\n')).not.toContain('password')
})
