// What holds on every public page, whatever it says.

import type { Page } from '@playwright/test'
import { axeViolations, expect, test } from '#tests/e2e/admin-fixtures.ts'
import { pinned, scriptsOf } from '#tests/e2e/scripts.ts'
import { publicPages } from '#tests/pages.ts'

/** Pixels that the page is wider than its window. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Walks down the page, so that everything that loads when seen is loaded. */
const readToTheEnd = async (page: Page) => {
  await page.evaluate(async () => {
    const screens = Math.ceil(document.documentElement.scrollHeight / innerHeight)
    for (let screen = 1; screen <= screens; screen += 1) {
      scrollTo({ top: screen * innerHeight, behavior: 'instant' })
      await new Promise(requestAnimationFrame)
    }
  })
  await page.waitForLoadState('networkidle')
}

for (const path of publicPages()) {
  test(`${path} asks nobody else for anything, breaks no rule of its policy and pins each script`, async ({
    page,
    baseURL,
  }) => {
    const elsewhere: string[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (/^https?:$/.test(url.protocol) && url.origin !== baseURL) elsewhere.push(request.url())
    })
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        console.error(`policy: ${violatedDirective} ${blockedURI}`)
      })
    })
    const asked = scriptsOf(page)
    const answer = await page.goto(path)
    expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'")
    await readToTheEnd(page)
    expect(elsewhere).toEqual([])
    const known = await pinned(page)
    expect([...asked].filter((script) => !known.includes(script))).toEqual([])
  })

  test(`${path} fits a narrow window, zoom and wide-set text`, async ({ page }) => {
    // 1,280 by 1,024 pixels at 400 % and at 200 %: WCAG 2.2, 1.4.10 and 1.4.4.
    for (const [width, height] of [
      [320, 256],
      [640, 512],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.goto(path)
      expect([width, await overflow(page)]).toEqual([width, 0])
    }
    // WCAG 2.2, 1.4.12. By script, since the policy refuses a style element.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(
        '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
      )
      document.adoptedStyleSheets.push(sheet)
    })
    expect(await overflow(page)).toBe(0)
  })

  test(`${path} shows all of its first screen at once on a phone`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 896 })
    await page.goto(path)
    await expect(page.locator('html')).not.toHaveClass(/arriving/)
    await expect(page.getByRole('contentinfo')).toBeVisible()
    for (const width of [320, 360, 390, 432]) {
      await page.setViewportSize({ width, height: 896 })
      const tops = await page
        .locator('.later, .later ~ *, .ft')
        .evaluateAll((parts) =>
          parts
            .map((part) => part.getBoundingClientRect())
            .flatMap(({ top, height }) => (height > 0 ? [top] : [])),
        )
      expect([width, Math.min(...tops) >= 896]).toEqual([width, true])
    }
  })

  test(`axe finds nothing on ${path}, light and dark, narrow and wide`, async ({ page }) => {
    test.slow()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(path)
    await readToTheEnd(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 844 })
        expect([colorScheme, width, await axeViolations(page)]).toEqual([colorScheme, width, []])
      }
    }
  })

  test(`nothing moves on ${path} for whom motion is too much`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(path)
    await readToTheEnd(page)
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        // What follows the scroll bar moves as far as the reader does.
        .filter(
          ({ timeline, playState }) => timeline === document.timeline && playState === 'running',
        )
        .map((animation) => (animation as CSSAnimation).animationName),
    )
    expect(moving).toEqual([])
  })
}

test('in forced colours a button is still told from a link', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/')
  const button = page.getByRole('main').getByRole('link', { name: 'Get Started' }).first()
  const border = await button.evaluate((element) => {
    return getComputedStyle(element).borderTopStyle
  })
  expect(border).toBe('solid')
})
