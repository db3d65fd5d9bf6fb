import { atMost, milliseconds, none, type Part } from '#tests/bench/part.ts'
import { withHost } from '#tests/bench/stage.ts'
import { median } from '#tests/bench/statistics.ts'
import { findOrInstallChromium } from '#tests/browser.ts'
import { follow, hover, openPage, prerenderingBrowser } from '#tests/followed-links.ts'

const ROUNDS = 5
/** Milliseconds that the pointer hovers over a link before the click. */
const HOVER_MS = 200
const LIMIT_MS = 50
const links = ['/services', '/careers', '/blog', '/faq']

/** Time from the click on a hovered link of the bar to the next page's largest paint. */
export const followed: Part = {
  name: 'followed',
  measure: () =>
    withHost(async ({ url }) => {
      const browser = await prerenderingBrowser(await findOrInstallChromium())
      const results: { path: string; paintMs: number; wasPrerendered: boolean }[] = []
      try {
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const path of links) {
            const page = await openPage(browser, `${url}/about`)
            await hover(page, path)
            await new Promise((resolve) => setTimeout(resolve, HOVER_MS))
            const { paintMs, wasPrerendered } = await follow(page, path)
            results.push({ path, paintMs, wasPrerendered })
            await page.browserContext().close()
          }
        }
      } finally {
        await browser.close()
      }
      const times = results.map(({ paintMs }) => paintMs)
      return {
        rows: [
          atMost(
            `a link followed after ${HOVER_MS} ms of hovering, largest paint, median`,
            median(times),
            LIMIT_MS,
            milliseconds,
          ),
          none(
            'of these not prerendered in time',
            results.filter(({ wasPrerendered }) => !wasPrerendered).length,
          ),
        ],
        details: { results },
      }
    }),
}
