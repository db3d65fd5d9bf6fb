import puppeteer, { type Browser, type Page } from 'puppeteer-core'

/**
 * A browser that prerenders. Playwright attaches to pages in a way that makes Chromium switch
 * prerendering off; Puppeteer, without sessions of its own on a page, leaves it on.
 */
export const prerenderingBrowser = (executablePath: string): Promise<Browser> =>
  puppeteer.launch({ executablePath, args: ['--no-sandbox'] })

/** A new page with empty storage and caches, at a URL. */
export const openPage = async (browser: Browser, url: string): Promise<Page> => {
  const page = await (await browser.createBrowserContext()).newPage()
  await page.setViewport({ width: 1280, height: 800 })
  await page.goto(url, { waitUntil: 'networkidle0' })
  return page
}

/** Moves the pointer to the bar's link to a path. */
export const hover = async (page: Page, path: string): Promise<void> => {
  await page.locator(`.nav .links a[href="${path}"]`).hover()
}

/** Clicks the link under the pointer and waits for the next page's largest paint. */
export const follow = async (page: Page, path: string): Promise<Followed> => {
  await page.mouse.down()
  await page.mouse.up()
  for (;;) {
    // The page may navigate while it is evaluated.
    const followed = await page.evaluate(largestPaint, path).catch(() => undefined)
    if (followed) return followed
  }
}

export interface Followed {
  wasPrerendered: boolean
  /** Milliseconds from the page's activation (or navigation) to its largest paint. */
  paintMs: number
  /** The visit's source, as the tab stores it. */
  source: string | null
}

const largestPaint = (path: string): Promise<Followed | undefined> => {
  if (location.pathname !== path) return Promise.resolve(undefined)
  const [navigation] = performance.getEntriesByType('navigation')
  const { activationStart = 0 } = navigation as { activationStart?: number }
  const { promise, resolve } = Promise.withResolvers<Followed>()
  let largest = 0
  new PerformanceObserver((list) => {
    largest = list.getEntries().at(-1)?.startTime ?? largest
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  const finish = () => {
    if (largest === 0) return void setTimeout(finish, 100)
    const source = sessionStorage.getItem('source')
    resolve({ wasPrerendered: activationStart > 0, paintMs: largest - activationStart, source })
  }
  // Fonts may still be loading, and their text counts.
  void document.fonts.ready.then(() => setTimeout(finish, 300))
  return promise
}
