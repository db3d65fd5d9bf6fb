import type { Browser } from 'playwright'
import { atMost, type Part, times } from '#tests/bench/part.ts'
import { paint, phone, slowDown, startBarePage } from '#tests/bench/slow-phone.ts'
import { remember, rememberedAs, signIn, withBrowser, withHost } from '#tests/bench/stage.ts'
import { median } from '#tests/bench/statistics.ts'
import { LIMIT_KB, neededScripts } from '#tests/needed-scripts.ts'

const ROUNDS = 5

interface Load {
  /** Milliseconds until the first record can be opened. */
  usable: number
  /** Bytes of all scripts that were loaded until then, as sent; some are for later. */
  scripts: number
  files: number
}

/** The admin's inbox on a phone with a slow connection and an empty cache, for somebody signed in. */
export const admin: Part = {
  name: 'admin',
  measure: () =>
    withHost(async ({ url }) => {
      const session = rememberedAs(await signIn(url))
      await fetch(`${url}/api/contacts`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'Ada', email: 'ada@example.test', message: 'Hello there' }),
      })
      const bare = await startBarePage()
      return withBrowser(async (browser) => {
        const loads: Load[] = []
        const besides: number[] = []
        for (let round = 0; round <= ROUNDS; round += 1) {
          besides.push((await paint(browser, bare.url)).lcp)
          loads.push(await load(browser, url, session))
        }
        bare.close()
        // The first round warms up.
        const usable = median(loads.slice(1).map((one) => one.usable))
        const base = median(besides.slice(1))
        const needed = neededScripts()
        const scripts = needed.reduce((sum, { brotli }) => sum + brotli, 0)
        const kilobytes = (value: number) => `${value.toFixed(1)} KB`
        return {
          rows: [
            atMost('script that the inbox needs, in brotli', scripts / 1_000, LIMIT_KB, kilobytes),
            atMost(
              'time to the inbox on a slow phone, against a bare page',
              usable / base,
              3.5,
              times,
            ),
          ],
          details: { bare: base, usable, needed, loads },
        }
      })
    }),
}

async function load(browser: Browser, url: string, session: Record<string, string>): Promise<Load> {
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  await remember(page, session)
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('[data-id] a')) return
      observer.disconnect()
      requestAnimationFrame(() => Object.assign(globalThis, { usable: performance.now() }))
    }).observe(document, { childList: true, subtree: true })
  })
  await slowDown(page)
  await page.goto(`${url}/admin/contacts`, { waitUntil: 'commit' })
  const measured = await page.waitForFunction(() => {
    const usable = (globalThis as { usable?: number }).usable
    if (usable === undefined) return undefined
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const scripts = entries.filter(
      ({ name, responseEnd }) => /\.js(\?|$)/.test(name) && responseEnd <= usable,
    )
    return {
      usable,
      scripts: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      files: scripts.length,
    }
  })
  const result = (await measured.jsonValue()) as Load
  await context.close()
  return result
}
