import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import puppeteer, { type KeyInput } from 'puppeteer-core'
import type { Driver } from './tab.ts'

/** The path of an installed program; undefined without one. */
export function findProgram(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path))
}

/** Milliseconds: a slow machine only takes longer. */
const PATIENCE = 600_000

/** Headless Firefox over WebDriver BiDi. */
export async function firefox(): Promise<Driver | undefined> {
  const executablePath = findProgram('firefox', 'firefox-esr')
  if (!executablePath) return undefined
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    protocolTimeout: PATIENCE,
    extraPrefsFirefox: {
      // A mouse: a fine pointer (2) that hovers (4).
      'ui.primaryPointerCapabilities': 6,
      'ui.allPointerCapabilities': 6,
    },
  })
  return {
    name: await browser.version(),
    open: async (width) => {
      const page = await browser.newPage()
      page.setDefaultTimeout(PATIENCE)
      await page.setViewport({ width, height: 844 })
      let faults: string[] = []
      await page.evaluateOnNewDocument(() => {
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
          console.error(`policy: ${violatedDirective} ${blockedURI}`)
        })
      })
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text())
      })
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('requestfailed', (request) => {
        // Requests that are aborted by a navigation are not errors.
        if (!/NS_BINDING_ABORTED/.test(request.failure()?.errorText ?? ''))
          faults.push(`${request.url()} ${request.failure()?.errorText}`)
      })
      page.on('response', (response) => {
        if (response.status() >= 400) faults.push(`${response.url()} answers ${response.status()}`)
      })
      return {
        goto: async (url) => void (await page.goto(url)),
        url: async () => page.url(),
        evaluate: page.evaluate.bind(page) as never,
        click: (selector) => page.locator(selector).click(),
        fill: (selector, text) => page.locator(selector).fill(text),
        key: (name) => page.keyboard.press(name as KeyInput),
        drag: async (selector, x, y) => {
          const box = await (await page.$(selector))?.boundingBox()
          if (!box) throw new Error(`${selector} is not shown`)
          const [left, top] = [box.x + box.width / 2, box.y + box.height / 2]
          await page.mouse.move(left, top)
          await page.mouse.down()
          await page.mouse.move(left + x, top + y, { steps: 6 })
        },
        drop: () => page.mouse.up(),
        takeFaults: async () => {
          const taken = faults
          faults = []
          return taken
        },
        close: () => page.close(),
      }
    },
    close: () => browser.close(),
  }
}
