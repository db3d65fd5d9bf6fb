import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AstroIntegration } from 'astro'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newDataDir } from '#tests/processes.ts'
import { devApi } from './dev-api.ts'
import { createDevApp } from './dev-app.ts'

type Setup = NonNullable<AstroIntegration['hooks']['astro:config:setup']>

/** The API as the dev server mounts it; `load` gives its code. */
const mounted = async (load: () => Promise<object>): Promise<string> => {
  const plugins: { configureServer(server: object): void; closeBundle(): Promise<void> }[] = []
  const options = {
    command: 'dev',
    updateConfig: (config: { vite: { plugins: typeof plugins } }) =>
      plugins.push(...config.vite.plugins),
  }
  await devApi().hooks['astro:config:setup']?.(options as unknown as Parameters<Setup>[0])
  const [plugin] = plugins
  const server = createServer()
  const use = (handle: (...args: [...Parameters<RequestListener>, () => void]) => void) =>
    server.on('request', (request, response) => handle(request, response, () => response.end()))
  const signals = process.listeners('SIGINT')
  plugin?.configureServer({ ssrLoadModule: load, middlewares: { use } })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await plugin?.closeBundle()
    for (const listener of process.listeners('SIGINT'))
      if (!signals.includes(listener)) process.off('SIGINT', listener)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('calls at once are answered by one API, with one worker, at first and after a change', async () => {
  vi.stubEnv('DATA_DIR', newDataDir())
  vi.stubEnv('ADMIN_PASSWORD', 'a password of the dev server')
  const print = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => {
    vi.unstubAllEnvs()
    print.mockRestore()
  })
  let made = 0
  const changed = () => ({
    createDevApp: (...of: Parameters<typeof createDevApp>) => {
      made += 1
      return createDevApp(...of)
    },
  })
  let code = changed()
  const url = await mounted(async () => code)
  const ask = async () => (await fetch(`${url}/api/health`)).status
  expect(await Promise.all([ask(), ask()])).toEqual([200, 200])
  expect(made).toBe(1)
  code = changed()
  expect(await Promise.all([ask(), ask()])).toEqual([200, 200])
  expect(made).toBe(2)
})
