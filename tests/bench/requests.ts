import type { BrowserContext } from 'playwright'
import { publicPages } from '#tests/pages.ts'
import { bytes, none, type Part } from './part.ts'
import { adminScreens, rememberedAs, signIn, withBrowser, withHost } from './stage.ts'

/** Pages that fetch no script at all before a visitor scrolls or touches anything. */
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

/** What a page asks the network for. */
export const requests: Part = {
  name: 'requests',
  measure: () =>
    withHost(({ url }) =>
      withBrowser(async (browser) => {
        const visitor = await browser.newContext({ viewport: { width: 390, height: 844 } })
        const pages: Loaded[] = []
        for (const path of publicPages()) pages.push(await load(visitor, url, path))
        const staff = await browser.newContext({
          storageState: {
            cookies: [],
            origins: [
              {
                origin: url,
                localStorage: Object.entries(rememberedAs(await signIn(url))).map(
                  ([name, value]) => ({ name, value }),
                ),
              },
            ],
          },
        })
        const screens: Loaded[] = []
        for (const path of adminScreens) screens.push(await load(staff, url, path))

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
            {
              what: 'script at first sight on the page that has most of it',
              figure: bytes(most),
              target: 'islands load when seen',
              met: true,
            },
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

async function load(context: BrowserContext, url: string, path: string): Promise<Loaded> {
  const page = await context.newPage()
  const scripts: Promise<number>[] = []
  const elsewhere: string[] = []
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (/^https?:|^wss?:/.test(protocol) && host !== new URL(url).host)
      elsewhere.push(request.url())
  })
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return
    scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await page.goto(url + path, { waitUntil: 'networkidle' })
  const sizes = await Promise.all(scripts)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await page.waitForLoadState('networkidle')
  await page.close()
  return {
    path,
    scripts: sizes.length,
    scriptBytes: sizes.reduce((a, b) => a + b, 0),
    elsewhere,
  }
}
