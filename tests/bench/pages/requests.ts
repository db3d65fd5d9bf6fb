import type { Browser, BrowserContextOptions, Response } from 'playwright'
import { bytes, informative, none, type Part } from '#tests/bench/part.ts'
import { rememberedAs, signIn, withBrowser, withHost } from '#tests/bench/stage.ts'
import { adminScreens, publicPages } from '#tests/pages.ts'

/** Pages that load no script before a visitor scrolls or touches anything. */
const isStatic = (path: string) =>
  /^\/(blog\/.+|services(\/.+)?|consultation|privacy-policy|terms-conditions|accessibility)$/.test(
    path,
  )

interface Loaded {
  path: string
  /** Before anything is scrolled or touched. */
  scripts: number
  scriptBytes: number
  /** To hosts other than the page's own, also after scrolling to the end. */
  elsewhere: string[]
}

/** The network requests of a page. */
export const requests: Part = {
  name: 'requests',
  measure: () =>
    withHost(({ url }) =>
      withBrowser(async (browser) => {
        // A new context per page: an empty cache, as on a first visit.
        const phone = { viewport: { width: 390, height: 844 } }
        const pages: Loaded[] = []
        for (const path of publicPages()) pages.push(await load(browser, phone, url + path))
        const localStorage = Object.entries(rememberedAs(await signIn(url))).map(
          ([name, value]) => ({ name, value }),
        )
        const staff = { storageState: { cookies: [], origins: [{ origin: url, localStorage }] } }
        const screens: Loaded[] = []
        for (const path of adminScreens) screens.push(await load(browser, staff, url + path))

        const still = pages.filter(({ path }) => isStatic(path))
        const sum = (some: Loaded[]) => some.reduce((total, page) => total + page.scriptBytes, 0)
        const most = Math.max(...pages.map(({ scriptBytes }) => scriptBytes))
        const elsewhere = [...pages, ...screens].reduce((n, page) => n + page.elsewhere.length, 0)
        return {
          rows: [
            none(
              `bytes of script before a scroll or touch, on ${still.length} static pages`,
              sum(still),
            ),
            informative(
              'script on first view of the page that has most of it',
              [most],
              'islands load when seen',
              bytes,
            ),
            none(
              `requests to other hosts, ${pages.length} pages and ${screens.length} admin screens`,
              elsewhere,
            ),
          ],
          details: { pages, screens },
        }
      }),
    ),
}

async function load(
  browser: Browser,
  options: BrowserContextOptions,
  address: string,
): Promise<Loaded> {
  const { host, pathname } = new URL(address)
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const scripts = new Map<string, Promise<number>>()
  const elsewhere: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (/^https?:|^wss?:/.test(url.protocol) && url.host !== host) elsewhere.push(request.url())
  })
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      scripts.set(response.url(), bytesSent(response))
  })
  await page.goto(address, { waitUntil: 'networkidle' })
  const sizes = await Promise.all(scripts.values())
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await page.waitForLoadState('networkidle')
  await context.close()
  return {
    path: pathname,
    scripts: sizes.length,
    scriptBytes: sizes.reduce((a, b) => a + b, 0),
    elsewhere,
  }
}

/** Bytes of a body as sent. */
async function bytesSent(response: Response): Promise<number> {
  const length = Number(await response.headerValue('content-length'))
  if (!(length > 0)) throw new Error(`${response.url()} does not say its length`)
  return length
}
