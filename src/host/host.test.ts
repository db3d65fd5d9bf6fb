import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished } from 'vitest'
import type { Site } from '#host/site.ts'
import { test } from '#server/db/testing.ts'
import type { Deps } from '#server/deps.ts'
import { testApi, testConfig } from '#server/testing.ts'
import { startHost } from './host.ts'

const noSite: Site = {
  respond({ url }) {
    if (url.endsWith('/broken')) throw new Error('A bug')
    return new Response(null, { status: 404 })
  },
  show: () => {},
  headersAt: () => new Headers({ 'X-Frame-Options': 'DENY' }),
}

const open = async (deps: Deps) => {
  const host = await startHost({ ...deps, config: { ...testConfig, port: 0 } }, noSite)
  onTestFinished(() => host.close())
  return host
}

const send = (url: string, n: number) =>
  fetch(`${url}/api/contacts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', email: 'ada@example.test', message: `Number ${n}` }),
  })

test('work that many calls leave together is waited for once, however long it takes', async ({
  db,
}) => {
  const { promise: delivery, resolve } = Promise.withResolvers<void>()
  let listeners = 0
  const listened = Object.assign(delivery, {
    catch: (onRejected?: (reason: unknown) => void) => {
      listeners += 1
      return delivery.then(undefined, onRejected)
    },
  })
  const host = await open(testApi(db, { deliver: () => listened }).deps)
  for (let n = 0; n < 5; n += 1) expect((await send(host.url, n)).status).toBe(201)
  expect(listeners).toBe(1)
  resolve()
})

test('an idle connection outlives those that proxies keep', async ({ db }) => {
  const host = await open(testApi(db).deps)
  const { headers } = await fetch(`${host.url}/api/health`)
  const seconds = Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])
  expect(seconds).toBeGreaterThan(120)
})

/** The answer to a request as it is written here, as text. */
const exchange = async (url: string, request: string): Promise<string> => {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
  await once(socket, 'connect')
  socket.end(request)
  return text(socket)
}

test('a request that no handler ever sees is answered with the site’s headers too', async ({
  db,
}) => {
  const { url } = await open(testApi(db).deps)
  const end = 'Connection: close\r\n\r\n'
  for (const [request, status] of [
    ['no request at all\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\n${end}`, 400],
    [`GET / HTTP/1.1\r\nHost: a b\r\n${end}`, 400],
    [`GET http://[x HTTP/1.1\r\nHost: x\r\n${end}`, 400],
    [`OPTIONS * HTTP/1.1\r\nHost: x\r\n${end}`, 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n${end}`, 417],
    [`GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'a'.repeat(20_000)}\r\n${end}`, 431],
    [`GET /broken HTTP/1.1\r\nHost: x\r\n${end}`, 500],
  ] as const) {
    const answer = await exchange(url, request)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toMatch(/^x-frame-options: DENY\r$/im)
  }
})
