import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright'
import { publicPages } from '#tests/pages.ts'
import { atMost, informative, none, type Part, times } from './part.ts'
import { withBrowser, withHost } from './stage.ts'
import { median } from './statistics.ts'

const ROUNDS = 5

/** Lighthouse's slow 4G, applied to each request, with the processor slowed down to a phone's. */
const slow = {
  offline: false,
  latency: 562,
  downloadThroughput: (1.44 * 1024 * 1024) / 8,
  uploadThroughput: (675 * 1024) / 8,
}
const PROCESSOR = 4

/** The baseline: one document with one heading. */
const barePage = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Bare</title><h1>One heading</h1>`

/** Of the bare page's, on every page. */
const LIMIT = 1.15

interface Paint {
  lcp: number
  shift: number
}

/** Largest contentful paint and layout shift on a phone with a slow connection. */
export const lcp: Part = {
  name: 'lcp',
  measure: () =>
    withHost(({ url }) =>
      withBrowser(async (browser) => {
        const bare = createServer((_request, response) => {
          response.setHeader('Content-Type', 'text/html; charset=utf-8').end(barePage)
        }).listen(0, '127.0.0.1')
        await once(bare, 'listening')
        const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`
        await paint(browser, bareUrl)

        const pages: (Paint & { path: string; bare: number })[] = []
        for (const path of publicPages()) {
          const besides = (await paint(browser, bareUrl)).lcp
          const paints: Paint[] = []
          for (let round = 0; round < ROUNDS; round += 1)
            paints.push(await paint(browser, url + path))
          pages.push({
            path,
            lcp: median(paints.map(({ lcp }) => lcp)),
            bare: besides,
            shift: Math.max(...paints.map(({ shift }) => shift)),
          })
        }
        bare.close()

        // One median for the bare page over the whole run: it is loaded once next to each page.
        const base = median(pages.map((page) => page.bare))
        const ratio = (page: (typeof pages)[number]) => page.lcp / base
        const worst = pages.reduce((a, b) => (ratio(a) >= ratio(b) ? a : b))
        const within = pages.filter((page) => ratio(page) <= LIMIT).length
        return {
          rows: [
            atMost(`largest paint, slowest page, ${worst.path}`, ratio(worst), LIMIT, times),
            informative(
              'the same, median of all pages',
              [median(pages.map(ratio))],
              `${within} of ${pages.length} pages within the limit`,
              times,
            ),
            none(
              'largest layout shift of any page',
              Math.max(...pages.map(({ shift }) => shift)),
              (shift) => shift.toFixed(3),
            ),
          ],
          details: {
            bare: base,
            pages: pages.map((page) => ({ ...page, ratio: Number(ratio(page).toFixed(3)) })),
          },
        }
      }),
    ),
}

/** One load with an empty cache. */
async function paint(browser: Browser, url: string): Promise<Paint> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
  })
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
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slow)
  await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR })
  await page.goto(url, { waitUntil: 'networkidle' })
  const seen = await page.evaluate(() => (globalThis as never as { seen: Paint }).seen)
  await context.close()
  if (seen.lcp === 0) throw new Error(`${url} painted nothing`)
  return seen
}
