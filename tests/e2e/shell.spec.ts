import { entries } from '#site/content.ts'
import { isOff } from '#site/features.ts'
import { pageWords } from '#site/page-words.ts'
import { brokenWords } from './broken-words.ts'
import { expect, test } from './fixtures.ts'

const dark = 'rgba(13, 19, 29, 0.86)'

test('the bar is transparent up to 50 px of scrolling and dark and blurred from 51 px on, under reduced motion too', async ({
  page,
}) => {
  await page.goto('/about')
  const bar = page.getByRole('banner')
  const scroll = (top: number) =>
    page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), top)
  const colour = await bar.evaluate((element) => getComputedStyle(element).color)
  await scroll(50)
  await expect(bar).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  await expect(bar).toHaveCSS('backdrop-filter', 'none')
  await expect(bar).toHaveCSS('color', colour)
  await scroll(51)
  await expect(bar).toHaveCSS('background-color', dark)
  await expect(bar).toHaveCSS('backdrop-filter', /blur\(14px\)/)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await scroll(50)
  await expect(bar).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  await scroll(60)
  await expect(bar).toHaveCSS('background-color', dark)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the menu closes when a page or an anchor is chosen', async ({ page }) => {
    await page.goto('/')
    const menu = page.getByRole('banner').getByRole('group')
    await page.getByLabel('Menu').click()
    await expect(menu).toHaveAttribute('open')
    await menu.getByRole('link', { name: 'Contact' }).click()
    await expect(menu).not.toHaveAttribute('open')
    await expect(page).toHaveURL(/#contact$/)

    await page.getByLabel('Menu').click()
    await menu.getByRole('link', { name: 'About' }).click()
    await expect(page).toHaveURL(/\/about$/)
    await expect(page.getByRole('banner').getByRole('group')).not.toHaveAttribute('open')
  })

  test('the menu closes by Escape, which gives the focus back, and when the focus leaves it: what has the focus is never behind it', async ({
    page,
  }) => {
    await page.goto('/')
    const menu = page.getByRole('banner').getByRole('group')
    await menu.locator('summary').click()
    await page.keyboard.press('Escape')
    await expect(menu).not.toHaveAttribute('open')
    await expect(page.getByLabel('Menu')).toBeFocused()
    await menu.locator('summary').click()
    await menu.getByRole('link').last().focus()
    await expect(menu).toHaveAttribute('open')
    await page.keyboard.press('Tab')
    await expect(menu).not.toHaveAttribute('open')
    await expect(page.getByRole('main').locator('a:focus')).toBeVisible()
  })
})

test('the stored theme is applied before the first paint', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/about')
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  expect(await background()).not.toBe(light)

  // Recorded before the body exists: the theme of the first paint.
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.body && !('themeAtFirst' in window)) {
        Object.assign(window, { themeAtFirst: document.documentElement.dataset.theme })
      }
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/services')
  expect(await page.evaluate(() => Reflect.get(window, 'themeAtFirst'))).toBe('dark')
  expect(await background()).not.toBe(light)
})

test('an anchor stops 100 px below the top, from another page as well', async ({ page }) => {
  await page.goto('/about')
  await page.getByRole('banner').getByRole('link', { name: 'Contact' }).click()
  await expect(page).toHaveURL(/\/#contact$/)
  const top = () =>
    page.locator('#contact').evaluate((element) => Math.round(element.getBoundingClientRect().top))
  await expect.poll(top).toBe(100)
})

test('a new page opens at its top and Back restores the place', async ({ page }) => {
  await page.goto('/')
  await page.locator('#contact').scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => Math.round(scrollY))
  expect(place).toBeGreaterThan(500)
  await page.evaluate(() => {
    const link = document.querySelector<HTMLAnchorElement>('.links a[href="/about"]')
    link?.click()
  })
  await expect(page).toHaveURL(/\/about$/)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(place)
})

test('an unknown URL shows the 404 page with links', async ({ page, expectErrors }) => {
  expectErrors(/status of 404/)
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(pageWords('lost').title)
  await expect(page.getByRole('main').getByRole('link', { name: 'Back to Home' })).toBeVisible()
})

test('the footer has links to every page and the services, the address and the year', async ({
  page,
}) => {
  await page.goto('/faq')
  const foot = page.getByRole('contentinfo')
  const hrefs = [
    '/',
    '/about',
    '/services',
    '/consultation',
    '/careers',
    '/blog',
    '/faq',
    '/#contact',
    ...entries('service-pages').map(({ id }) => `/services/${id}`),
    '/privacy-policy',
    '/terms-conditions',
  ].filter((path) => !isOff(path))
  for (const href of hrefs) {
    await expect(foot.locator(`a[href="${href}"]`).first()).toBeVisible()
  }
  await expect(foot).toContainText(String(new Date().getFullYear()))
  await expect(foot.locator('a[href^="mailto:"]')).toBeVisible()
  await expect(foot.locator('a[href^="tel:"]')).toBeVisible()
})

test('fonts that come late move nothing', async ({ page }) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/*.woff2', async (route) => {
    await released
    await route.continue()
  })
  await page.addInitScript(() => {
    const moves: number[] = []
    Object.assign(globalThis, { moves })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moves.push(entry.startTime)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/terms-conditions', { waitUntil: 'commit' })
  await expect(page.locator('html[data-late-bricolage][data-late-b612]')).toBeAttached()
  release()
  const moves = await page.evaluate(async () => {
    await document.fonts.ready
    return (globalThis as never as { moves: number[] }).moves
  })
  expect(moves).toEqual([])
})

test('the links of the bar stand in the same places before its font arrives', async ({
  page,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/)
  await page.setViewportSize({ width: 1280, height: 800 })
  const places = async () => {
    await page.goto('/about')
    await page.evaluate(() => document.fonts.ready)
    return page
      .getByRole('banner')
      .locator('li:visible')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().left))
  }
  const own = await places()
  await page.route('**/*.woff2', (route) => route.abort())
  const fallback = await places()
  // Browsers count a move of three pixels or more as a layout shift.
  const moved = own.filter((left, at) => Math.abs(left - (fallback[at] ?? 0)) >= 3)
  expect(own).toHaveLength(fallback.length)
  expect(moved).toEqual([])
})

test('neither the name at the end of home nor the state of a position breaks on the narrowest phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/')
  expect(await brokenWords(page.locator('.big'))).toEqual([])
  expect(await brokenWords(page.getByRole('contentinfo').locator('address'))).toEqual([])
  test.skip(isOff('/careers'), 'This site has no careers')
  await page.goto('/careers')
  expect(await brokenWords(page.locator('.index'))).toEqual([])
})
