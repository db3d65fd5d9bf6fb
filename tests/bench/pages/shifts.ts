import type { Browser, BrowserContext, Page } from 'playwright'
import { none, type Part } from '#tests/bench/part.ts'
import { withBrowser, withHost } from '#tests/bench/stage.ts'
import { publicPages } from '#tests/pages.ts'

/** Widths in CSS pixels: small phone, phone, tablet, laptop. */
const WIDTHS = [320, 390, 768, 1280]
/** Milliseconds by which every font comes late. */
const FONT_DELAY_MS = 2000

interface Shift {
  path: string
  width: number
  shift: number
  /** The elements that moved, as `tag.class`. */
  moved: string[]
}

/** Layout shift of every page while fonts arrive two seconds late. */
export const shifts: Part = {
  name: 'shifts',
  measure: () =>
    withHost(({ url }) =>
      withBrowser(async (browser) => {
        const found = await Promise.all(WIDTHS.map((width) => atWidth(browser, url, width)))
        const pages = found.flat()
        return {
          rows: [
            none(
              `layout shift, fonts ${FONT_DELAY_MS / 1000} s late, any page at ${WIDTHS.join(', ')} px`,
              Math.max(...pages.map(({ shift }) => shift)),
              (shift) => shift.toFixed(3),
            ),
          ],
          details: { shifted: pages.filter(({ shift }) => shift > 0) },
        }
      }),
    ),
}

async function atWidth(browser: Browser, url: string, width: number): Promise<Shift[]> {
  const results: Shift[] = []
  for (const path of publicPages()) {
    const context = await browser.newContext({ viewport: { width, height: 800 } })
    results.push({ path, width, ...(await shiftOf(context, url + path)) })
    await context.close()
  }
  return results
}

async function shiftOf(context: BrowserContext, url: string) {
  const page = await context.newPage()
  await page.route('**/*.woff2', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, FONT_DELAY_MS))
    await route.continue()
  })
  await page.addInitScript(observe)
  await page.goto(url, { waitUntil: 'networkidle' })
  return read(page)
}

type Seen = { shift: number; moved: string[] }

function observe() {
  const seen: Seen = { shift: 0, moved: [] }
  Object.assign(globalThis, { seen })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      sources: { node?: Element }[]
    })[]) {
      seen.shift += entry.value
      for (const { node } of entry.sources) {
        seen.moved.push(`${node?.nodeName.toLowerCase()}.${node?.className ?? ''}`)
      }
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Fonts are used in the frame after they are ready; a shift is reported in the next. */
const read = (page: Page): Promise<Seen> =>
  page.evaluate(async () => {
    await document.fonts.ready
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
    return (globalThis as never as { seen: Seen }).seen
  })
