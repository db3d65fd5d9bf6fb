import type { Locator, Page } from '@playwright/test'
import { entries } from '#site/content.ts'
import { isOff } from '#site/features.ts'
import { pageWords } from '#site/page-words.ts'
import { expect, test } from './fixtures.ts'

const words = pageWords('home')
const quotes = entries('testimonials')
const hasWork = !isOff('/work')
const studies = entries('work').filter(({ data }) => data.plate)
const [first, second] = entries('tags').map(({ data }) => data.name)

test('the home page shows all tags, eight of them at most on a phone, and all services, studies and quotes', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.headline.join(' '))
  await expect(tags(page).locator('li:visible')).toHaveCount(entries('tags').length)
  await expect(page.locator('#services li')).toHaveCount(entries('home-services').length)
  await expect(page.getByText(words.tick)).toBeVisible()
  await expect(page.locator('#work li')).toHaveCount(hasWork ? studies.length : 0)
  await expect(page.getByRole('list', { name: 'Quotes' }).locator('li')).toHaveCount(quotes.length)
  await expect(
    page.getByRole('main').getByRole('link', { name: 'Or schedule a free consultation' }),
  ).toHaveAttribute('href', '/consultation')
  await expect(page.getByRole('main').getByRole('link', { name: 'Get Started' })).toHaveAttribute(
    'href',
    '/consultation',
  )
  await page.setViewportSize({ width: 767, height: 900 })
  const shown = Math.min(8, entries('tags').length)
  await expect(tags(page).locator('li:visible')).toHaveCount(shown)
})

test('the flight ends at the button that sends, and its mark is where the reader is', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/')
  const send = page.getByRole('button', { name: 'Send Message' })
  const end = page.locator('.leg.send')
  await expect
    .poll(async () => {
      const button = await send.boundingBox()
      const leg = await end.boundingBox()
      if (!button || !leg) return undefined
      return [
        Math.round(leg.x + leg.width - button.x),
        Math.round(leg.y + leg.height - button.y - button.height / 2),
      ]
    })
    .toEqual([0, 0])
  for (const part of ['#services', '#proof', ...(hasWork ? ['#work'] : [])]) {
    await page.locator(part).evaluate((section) => {
      const { top, height } = section.getBoundingClientRect()
      scrollBy({ top: top + height / 2 - innerHeight / 2, behavior: 'instant' })
    })
    const mark = page.locator(`${part} .leg > svg`).nth(1)
    await expect(mark).toHaveCSS('opacity', '1')
    await expect
      .poll(async () => {
        const { y, height } = (await mark.boundingBox()) ?? { y: 0, height: 0 }
        return Math.abs(y + height / 2 - 400)
      })
      .toBeLessThan(15)
  }
})

test('with less motion the flight stands whole, without its mark, and the tags stand still', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  const legs = page.locator('.leg > svg:first-child')
  await expect(legs).toHaveCount(3 + Number(hasWork) + Number(quotes.length > 0))
  for (const leg of await legs.all()) await expect(leg).toHaveCSS('clip-path', 'none')
  await expect(page.locator('.leg > svg + svg').first()).toBeHidden()
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

const tags = (page: Page) => page.getByRole('list', { name: 'Technologies we work with' })
const tag = (page: Page, name = '') => tags(page).getByText(name, { exact: true })

/** A tag's distance from its position, in pixels. */
const offset = (element: Locator) =>
  element.evaluate(({ style: { translate } }: HTMLElement) =>
    translate.split(' ').map((length) => Number.parseFloat(length)),
  )
const distanceX = async (element: Locator) => (await offset(element))[0] ?? 0

/** A tag's centre. */
const middle = async (element: Locator) => {
  const box = await element.boundingBox()
  if (!box) throw new Error('The tag is not shown.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Holds back every script until the returned function is called. */
const holdScripts = async (page: Page) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/_astro/*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

const rests = async (element: Locator) => {
  let before = ''
  await expect
    .poll(
      async () => {
        const now = String(await offset(element))
        const isStill = now === before
        before = now
        return isStill
      },
      { timeout: 25_000 },
    )
    .toBe(true)
}

for (const [width, height] of [
  [1280, 860],
  [390, 844],
] as const) {
  test(`no script is loaded before anything is touched, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.goto('/', { waitUntil: 'networkidle' })
    expect(scripts).toEqual([])
  })
}

test('a dragged tag follows the pointer, keeps moving when released, and stops inside the field', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.goto('/')
  const dragged = tag(page, second)
  const { x, y } = await middle(dragged)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 120, y - 80, { steps: 6 })
  await expect.poll(() => distanceX(dragged)).toBeLessThan(-60)
  await page.mouse.move(x - 240, y - 140, { steps: 4 })
  await page.mouse.up()
  await expect(dragged).not.toHaveClass(/held/)
  await rests(dragged)
  const field = await page.locator('.air').boundingBox()
  const rest = await dragged.boundingBox()
  expect(rest?.x).toBeGreaterThanOrEqual((field?.x ?? 0) - 10)
  expect(rest?.y).toBeGreaterThanOrEqual((field?.y ?? 0) - 10)
})

test('the press that loads the tags’ script already drags a tag', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 860 })
  const release = await holdScripts(page)
  await page.goto('/')
  const dragged = tag(page, first)
  const { x, y } = await middle(dragged)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 150, y + 60, { steps: 3 })
  release()
  await expect.poll(() => distanceX(dragged)).toBeLessThan(-100)
  await expect(dragged).toHaveClass(/held/)
  await page.mouse.move(x - 250, y + 60)
  await expect.poll(() => distanceX(dragged)).toBeLessThan(-200)
  await page.mouse.up()
  await expect(dragged).not.toHaveClass(/held/)
})

test('a throw that ends before the script is loaded still moves the tag', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 860 })
  const release = await holdScripts(page)
  await page.goto('/')
  const dragged = tag(page, first)
  const { x, y } = await middle(dragged)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 150, y, { steps: 5 })
  await page.mouse.up()
  release()
  await expect.poll(() => distanceX(dragged)).toBeLessThan(-20)
  await expect(dragged).not.toHaveClass(/held/)
  await rests(dragged)
})

test('a touch drags a tag horizontally, even the touch that loads the script', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    baseURL: String(baseURL),
    hasTouch: true,
    viewport: { width: 390, height: 844 },
  })
  const page = await context.newPage()
  await page.goto('/')
  const dragged = tag(page, first)
  await dragged.evaluate((element) =>
    element.scrollIntoView({ block: 'center', behavior: 'instant' }),
  )
  const { x, y } = await middle(dragged)
  const device = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', dx = 0) =>
    device.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: x + dx, y }],
    })
  await touch('touchStart')
  for (const dx of [20, 60, 100, 120]) await touch('touchMove', dx)
  await expect.poll(() => distanceX(dragged)).toBeGreaterThan(60)

  // A second finger takes over, and lifting the first one does not end that.
  const other = tag(page, second)
  const place = await middle(other)
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', point: object) =>
    device.send('Input.dispatchTouchEvent', { type, touchPoints: [{ ...place, ...point }] })
  await finger('touchStart', { id: 1 })
  await expect(other).toHaveClass(/held/)
  await finger('touchEnd', { x: x + 120, y, id: 0 })
  await expect(dragged).not.toHaveClass(/held/)
  const before = await distanceX(other)
  for (const dx of [10, 20, 30, 40]) await finger('touchMove', { x: place.x - dx, id: 1 })
  await expect.poll(() => distanceX(other)).toBeLessThan(before - 25)
  await expect(other).toHaveClass(/held/)
  await touch('touchEnd')
  await expect(other).not.toHaveClass(/held/)
  await context.close()
})

test('the arrow keys push the tags, with the first press already', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 860 })
  const release = await holdScripts(page)
  await page.goto('/')
  await tags(page).focus()
  await page.keyboard.press('ArrowLeft')
  release()
  await expect.poll(() => distanceX(tag(page, first))).toBeLessThan(-10)
})

const dots = (page: Page) => page.getByRole('link', { name: /^Quote \d of \d$/ })
const current = async (page: Page) =>
  dots(page).evaluateAll((links) => links.findIndex((link) => link.ariaCurrent === 'true'))

const openQuotes = async (page: Page) => {
  test.skip(quotes.length < 3, 'This site has fewer than three quotes')
  await page.clock.install()
  await page.goto('/')
  const carousel = page.getByRole('region', { name: 'Client quotes' })
  await carousel.scrollIntoViewIfNeeded()
  // The script runs: it sets the attribute that tells assistive technology whether quotes rotate.
  await expect(page.getByRole('list', { name: 'Quotes' })).toHaveAttribute('aria-live', /./)
  return carousel
}

test('the quotes rotate every five seconds, not while the pointer or the focus is in them, and Pause stops them', async ({
  page,
}) => {
  const carousel = await openQuotes(page)
  expect(await current(page)).toBe(0)
  await page.clock.runFor(5100)
  await expect.poll(() => current(page)).toBe(1)
  await carousel.hover()
  await page.clock.runFor(11_000)
  expect(await current(page)).toBe(1)
  await page.mouse.move(0, 0)
  await page.getByRole('list', { name: 'Quotes' }).focus()
  await page.clock.runFor(11_000)
  expect(await current(page)).toBe(1)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()
  await page.mouse.move(0, 0)
  await page.getByRole('button', { name: 'Play' }).blur()
  await page.clock.runFor(11_000)
  expect(await current(page)).toBe(1)
})

test('dots choose a quote, and arrow keys anywhere in the carousel, each quick press of several; a dot is 24 px or more', async ({
  page,
}) => {
  await openQuotes(page)
  await dots(page).nth(2).click()
  await expect.poll(() => current(page)).toBe(2)
  const reel = page.getByRole('list', { name: 'Quotes' })
  await reel.focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => current(page)).toBe(1)
  await page.getByRole('button', { name: 'Pause' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => current(page)).toBe(0)

  await dots(page).first().focus()
  for (const press of [1, 2, 3, 4, 5]) {
    await page.keyboard.press('ArrowRight')
    expect(await current(page)).toBe(press % quotes.length)
  }
  await expect(dots(page).first()).toBeFocused()
  const last = 5 % quotes.length
  await expect(reel.getByRole('listitem').nth(last)).toBeInViewport({ ratio: 0.9 })
  expect(await current(page)).toBe(last)
  const box = await dots(page).first().boundingBox()
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24)
})

test('under reduced motion the quotes change on request only', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openQuotes(page)
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()
  await page.clock.runFor(11_000)
  expect(await current(page)).toBe(0)
})

test('without JavaScript everything on the home page can be read', async ({ browser }) => {
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto('/')
  await expect(page.getByRole('list', { name: 'Quotes' }).locator('li')).toHaveCount(quotes.length)
  await expect(page.getByRole('button', { name: 'Pause' })).toBeHidden()
  await expect(page.locator('#contact form')).toHaveAttribute('action', '/api/contacts')
  await page.close()
})
