import { expect, onTestFinished } from 'vitest'
import type { Site } from '#host/site.ts'
import { test } from '#server/db/testing.ts'
import type { Deps } from '#server/deps.ts'
import { testApi, testConfig } from '#server/testing.ts'
import { startHost } from './host.ts'

const noSite: Site = { respond: () => new Response(null, { status: 404 }) }

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
