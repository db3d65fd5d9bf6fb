import { randomInt } from 'node:crypto'
import { type BrowserContext, test as base, type Page } from '@playwright/test'

export { expect } from '@playwright/test'
export { superuser } from './superuser.ts'

interface Fixtures {
  /** Names errors that this test causes on purpose, as the console prints them: `/status of 409/`. */
  expectErrors: (...patterns: RegExp[]) => void
}

/**
 * Playwright's `test`: each from a client IP of its own, so that limits don't add up, and failed by
 * every console error and uncaught exception that it does not expect, in any context of the browser.
 */
export const test = base.extend<Fixtures>({
  extraHTTPHeaders: async ({}, use) => {
    const part = () => randomInt(1, 255)
    await use({ 'x-forwarded-for': `10.${part()}.${part()}.${part()}` })
  },
  // A page may send a call while its test ends. An error in the test's handler of that call is no failure.
  page: async ({ page }, use) => {
    await use(page)
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
  expectErrors: [
    async ({ browser }, use) => {
      // A busy machine may show the next page before its transition begins: Chromium gives that up.
      const expected = [/Transition was aborted because of invalid state/]
      const errors: string[] = []
      const listen = (context: BrowserContext) => {
        context.on('weberror', (thrown) => errors.push(`${thrown.error()}`))
        context.on('console', (message) => {
          if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
        })
      }
      browser.on('context', listen)
      await use((...patterns) => expected.push(...patterns))
      browser.off('context', listen)
      const unexpected = errors.filter((text) => !expected.some((pattern) => pattern.test(text)))
      base.expect(unexpected, 'errors in the console that the test does not expect').toEqual([])
    },
    { auto: true },
  ],
})

/**
 * Intercepts the page's requests from the first one. Otherwise the browser starts to intercept when a page
 * gets its first route, and a request that an open page sends right after that may still reach the server.
 */
export const interceptFromStart = (page: Page): Promise<unknown> =>
  page.route('**/matches-nothing', (route) => route.abort())
