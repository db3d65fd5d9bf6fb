import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core'
import { type FormCase, ownText } from '#tests/e2e/forms/forms.ts'

/** The path of an installed Firefox; undefined without one. */
export function findFirefox(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return ['firefox', 'firefox-esr']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path))
}

/** Headless Firefox over WebDriver BiDi. */
export const openFirefox = (executablePath: string): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath,
    extraPrefsFirefox: {
      // A mouse: a fine pointer (2) that hovers (4).
      'ui.primaryPointerCapabilities': 6,
      'ui.allPointerCapabilities': 6,
    },
  })

/** A page of a given width, and its errors since the last call. */
export async function openPage(browser: Browser, width: number) {
  const page = await browser.newPage()
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
    page,
    takeFaults: (): string[] => {
      const taken = faults
      faults = []
      return taken
    },
  }
}

/** Scrolls to the end of the page, so that lazy content is loaded. */
export async function readToTheEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const screens = Math.ceil(document.documentElement.scrollHeight / innerHeight)
    for (let screen = 1; screen <= screens; screen += 1) {
      scrollTo({ top: screen * innerHeight, behavior: 'instant' })
      await new Promise(requestAnimationFrame)
    }
  })
  await page.waitForNetworkIdle()
}

/** Clicks the element with this accessible name. */
export async function press(page: Page, name: string): Promise<void> {
  await page.locator(`::-p-aria(${name})`).click()
}

export const visible = (page: Page, selector: string): Promise<number> =>
  page.$$eval(selector, (all) => all.filter((element) => element.checkVisibility()).length)

export const textOf = (page: Page): Promise<string> =>
  page.evaluate(() => document.body.textContent ?? '')

export const alertOf = (page: Page): Promise<string[]> =>
  page.$$eval('[role=alert]', (alerts) => alerts.map((alert) => alert.textContent ?? ''))

/** Fills a form by its labels, with a unique text. */
export async function fill(page: Page, form: FormCase): Promise<void> {
  for (const [label, value] of Object.entries({ ...form.values, ...ownText(form) })) {
    const control = (await page.evaluateHandle(
      (text) =>
        [...document.querySelectorAll('label')].find((one) => one.textContent?.trim() === text)
          ?.control,
      label,
    )) as ElementHandle<HTMLInputElement>
    await control.asLocator().fill(value)
  }
  if (form.agrees) await page.locator('input[type=checkbox]').click()
}

/** Whether the condition becomes true within some seconds. */
export async function soon(isSo: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isSo()) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}
