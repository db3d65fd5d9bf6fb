import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

test('the home page shows 15 tags, 6 services, 6 projects, 3 quotes', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Web Services That Transform Your Business',
  )
  await expect(
    page.getByRole('list', { name: 'Technologies we work with' }).locator('li:visible'),
  ).toHaveCount(15)
  await expect(page.locator('#services li')).toHaveCount(6)
  await expect(page.getByText('Quick Delivery!')).toBeVisible()
  await expect(page.locator('#work figure')).toHaveCount(6)
  await expect(page.getByRole('list', { name: 'Quotes' }).locator('li')).toHaveCount(3)
  await expect(
    page.getByRole('main').getByRole('link', { name: 'Or schedule a free consultation' }),
  ).toHaveAttribute('href', '/consultation')
  await expect(page.getByRole('main').getByRole('link', { name: 'Get Started' })).toHaveAttribute(
    'href',
    '/consultation',
  )
})

test('a phone shows eight tags and no physics', async ({ page }) => {
  await page.setViewportSize({ width: 767, height: 900 })
  await page.goto('/')
  await expect(
    page.getByRole('list', { name: 'Technologies we work with' }).locator('li:visible'),
  ).toHaveCount(8)
  await expect(page.locator('.air')).not.toHaveClass(/live/)
})

test('a tag follows the pointer, flies on when let go, and comes to rest in the field', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.goto('/')
  await expect(page.locator('.air')).toHaveClass(/live/)
  const tag = page.getByRole('listitem').filter({ hasText: /^Shopify$/ })
  const offset = () => tag.evaluate((element) => element.style.translate)
  const box = await tag.boundingBox()
  if (!box) throw new Error('The tag is not shown.')
  await page.mouse.move(box.x + 20, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x - 120, box.y - 80, { steps: 6 })
  await expect.poll(async () => Number.parseFloat(await offset())).toBeLessThan(-60)
  await page.mouse.move(box.x - 240, box.y - 140, { steps: 4 })
  await page.mouse.up()
  await expect(tag).not.toHaveClass(/held/)
  await expect
    .poll(
      async () => {
        const before = await offset()
        await page.evaluate(() => new Promise(requestAnimationFrame))
        return before === (await offset())
      },
      { timeout: 25_000 },
    )
    .toBe(true)
  const field = await page.locator('.air').boundingBox()
  const rest = await tag.boundingBox()
  expect(rest?.x).toBeGreaterThanOrEqual((field?.x ?? 0) - 10)
  expect(rest?.y).toBeGreaterThanOrEqual((field?.y ?? 0) - 10)
})

test('under reduced motion the tags stand still', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  const moving = await page.evaluate(
    () =>
      document
        .getAnimations()
        .filter(
          ({ effect }) =>
            effect instanceof KeyframeEffect && effect.target?.classList.contains('tag'),
        ).length,
  )
  expect(moving).toBe(0)
})

const dots = (page: Page) => page.getByRole('link', { name: /^Quote \d of 3$/ })
const current = async (page: Page) =>
  dots(page).evaluateAll((links) => links.findIndex((link) => link.ariaCurrent === 'true'))

const openQuotes = async (page: Page) => {
  await page.clock.install()
  await page.goto('/')
  const quotes = page.getByRole('region', { name: 'Client quotes' })
  await quotes.scrollIntoViewIfNeeded()
  // The script says that it has come: it tells assistive technology whether the reel turns.
  await expect(page.getByRole('list', { name: 'Quotes' })).toHaveAttribute('aria-live', /./)
  return quotes
}

test('the quotes turn every five seconds, and Pause stops them', async ({ page }) => {
  await openQuotes(page)
  expect(await current(page)).toBe(0)
  await page.clock.runFor(5100)
  await expect.poll(() => current(page)).toBe(1)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()
  await page.mouse.move(0, 0)
  await page.getByRole('button', { name: 'Play' }).blur()
  await page.clock.runFor(11_000)
  expect(await current(page)).toBe(1)
})

test('the quotes wait while one points at them or has focus in them', async ({ page }) => {
  const quotes = await openQuotes(page)
  await quotes.hover()
  await page.clock.runFor(11_000)
  expect(await current(page)).toBe(0)
  await page.mouse.move(0, 0)
  await page.getByRole('list', { name: 'Quotes' }).focus()
  await page.clock.runFor(11_000)
  expect(await current(page)).toBe(0)
})

test('dots and arrow keys choose a quote; a dot is 24 px or more', async ({ page }) => {
  await openQuotes(page)
  await dots(page).nth(2).click()
  await expect.poll(() => current(page)).toBe(2)
  await page.getByRole('list', { name: 'Quotes' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => current(page)).toBe(1)
  const box = await dots(page).first().boundingBox()
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24)
})

test('under reduced motion the quotes wait to be asked', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openQuotes(page)
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()
  await page.clock.runFor(11_000)
  expect(await current(page)).toBe(0)
})

test('without JavaScript everything on the home page can be read', async ({ browser }) => {
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto('/')
  await expect(page.getByRole('list', { name: 'Quotes' }).locator('li')).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Pause' })).toBeHidden()
  await expect(page.locator('#contact form')).toHaveAttribute('action', '/api/contacts')
  await page.close()
})
