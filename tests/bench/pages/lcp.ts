import { atMost, informative, none, type Part, times } from '#tests/bench/part.ts'
import { type Paint, paint, startBarePage } from '#tests/bench/slow-phone.ts'
import { withBrowser, withHost } from '#tests/bench/stage.ts'
import { median } from '#tests/bench/statistics.ts'
import { publicPages } from '#tests/pages.ts'

const ROUNDS = 5

/** The largest paint may take this many times that of the bare page. */
const LIMIT = { home: 1.25, others: 1.2 }

/** Largest contentful paint and layout shift on a phone with a slow connection. */
export const lcp: Part = {
  name: 'lcp',
  measure: () =>
    withHost(({ url }) =>
      withBrowser(async (browser) => {
        const bare = await startBarePage()
        await paint(browser, bare.url)

        const pages: (Paint & { path: string; bare: number })[] = []
        for (const path of publicPages()) {
          const besides = (await paint(browser, bare.url)).lcp
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
        const home = pages.find(({ path }) => path === '/')
        const others = pages.filter((page) => page !== home)
        const worst = others.reduce((a, b) => (ratio(a) >= ratio(b) ? a : b))
        const within = others.filter((page) => ratio(page) <= LIMIT.others).length
        return {
          rows: [
            atMost('largest paint, home', home ? ratio(home) : Number.NaN, LIMIT.home, times),
            atMost(
              `largest paint, slowest other page, ${worst.path}`,
              ratio(worst),
              LIMIT.others,
              times,
            ),
            informative(
              'the same, median of these pages',
              [median(others.map(ratio))],
              `${within} of ${others.length} pages within the limit`,
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
