import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright'

/** Lighthouse's slow 4G, applied to each request. */
const connection = {
  offline: false,
  latency: 562,
  downloadThroughput: (1.44 * 1024 * 1024) / 8,
  uploadThroughput: (675 * 1024) / 8,
}
/** The processor is slowed down to a phone's. */
const PROCESSOR = 4

export const phone = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
}

export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', connection)
  await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR })
}

/** The baseline: one document with one heading. */
const document = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Bare</title><h1>One heading</h1>`

/** Serves the bare page. */
export async function startBarePage(): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(document)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

export interface Paint {
  /** The largest contentful one, in milliseconds. */
  lcp: number
  /** Layout shift. */
  shift: number
}

/** One load of a page with an empty cache. */
export async function paint(browser: Browser, url: string): Promise<Paint> {
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  await page.addInitScript(() => {
    const seen = { lcp: 0, shift: 0 }
    Object.assign(globalThis, { seen })
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) seen.lcp = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        seen.shift += (entry as never as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await slowDown(page)
  await page.goto(url, { waitUntil: 'networkidle' })
  const seen = await page.evaluate(() => (globalThis as never as { seen: Paint }).seen)
  await context.close()
  if (seen.lcp === 0) throw new Error(`${url} painted nothing`)
  return seen
}
