import { entries, entry } from '#site/content.ts'
import { pageWords } from '#site/page-words.ts'
import { expect, test } from '#tests/e2e/fixtures.ts'

const words = pageWords('services')
const services = entries('services')
const pages = entries('service-pages')
const titleOf = (id: string) => entry('services', id)?.data.title ?? id
const some = pages[0]?.id ?? ''

test('the services page shows all offers, a link to each page of one, prices, and the steps', async ({
  page,
}) => {
  await page.goto('/services')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.title)
  await expect(page.getByText(words.badge)).toBeVisible()
  const offers = page.getByRole('region', { name: words.heads.offers.title })
  await expect(offers.getByRole('heading', { level: 3 })).toHaveText(
    services.map(({ data }) => data.title),
  )
  await expect(offers.getByRole('link')).toHaveCount(pages.length)
  for (const { id, data } of services) {
    const isPriced = data.price !== undefined || entry('service-pages', id) !== undefined
    await expect(offers.locator(`#${id} p b`)).toHaveCount(isPriced ? 1 : 0)
  }
  await expect(
    page
      .getByRole('region', { name: words.heads.process.title })
      .getByRole('heading', { level: 3 }),
  ).toHaveText(entries('process').map(({ data }) => data.title))
  await expect(
    page.getByRole('main').getByRole('link', { name: words.closing.button }),
  ).toHaveAttribute('href', '/consultation')
})

for (const { id, data } of pages) {
  const title = titleOf(id)
  test(`${title} shows its features, steps and parts, and leads to a free consultation`, async ({
    page,
  }) => {
    await page.goto(`/services/${id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
    await expect(crumbs).toHaveText(new RegExp(`Home.*Services.*${title}`, 's'))
    await expect(page.getByRole('main').getByRole('img').first()).toBeVisible()
    const { heads, closing } = pageWords('service')
    const sections = [
      [data.features.heading, data.features.items],
      [data.process?.heading, data.process?.stops.flatMap(({ steps }) => steps)],
      [heads['use-cases'].title, data.useCases],
      [heads.platforms.title, data.platforms],
      [heads.technologies.title, data.technologies],
      [heads.benefits.title, data.benefits],
      [heads.metrics.title, data.metrics],
    ] as const
    for (const [name = '', items] of sections) {
      if (!items) continue
      const section = page.getByRole('region', { name, exact: true }).first()
      await expect(section.locator('li, tbody tr, .spec')).toHaveCount(items.length)
    }
    for (const fact of ['Price', 'Time', 'You bring', 'You get']) {
      await expect(page.getByRole('term').filter({ hasText: fact })).toBeVisible()
    }
    for (const tag of data.tags ?? [])
      await expect(page.getByText(tag, { exact: true })).toBeVisible()
    const links = page.getByRole('main').getByRole('link', { name: closing.button })
    await expect(links).toHaveCount(2)
    for (const link of await links.all()) {
      await expect(link).toHaveAttribute('href', '/consultation')
    }
  })
}

test('each service has a drawing to try, which tells what every state shows, without script', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: String(baseURL) })
  const page = await context.newPage()
  for (const { id } of pages) {
    await page.goto(`/services/${id}`)
    const states = page.getByRole('radio')
    expect(await states.count()).toBeGreaterThan(1)
    const told = new Set<string>()
    const first = states.first()
    await first.focus()
    for (const state of await states.all()) {
      await expect(state).toBeChecked()
      told.add((await page.locator('.told p:visible').first().textContent()) ?? '')
      await page.keyboard.press('ArrowRight')
    }
    expect(told.size).toBe(await states.count())
    await expect(first).toBeChecked()
  }
  await context.close()
})

test('a drawing to try stands on the ground of its own page', async ({ page }) => {
  const groundOf = (selector: string) =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor)
  for (const { id } of pages) {
    await page.goto(`/services/${id}`)
    expect(await groundOf('.stage'), id).toBe(await groundOf('.head .picture'))
  }
})

test('on a phone the call to action stays at hand from the second screen to the closing', async ({
  page,
}) => {
  test.skip(!some, 'No service has a page')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/services/${some}`)
  const { button: name } = pageWords('service').closing
  const bar = page.locator('.rest').getByRole('link', { name })
  await expect(bar).not.toBeInViewport()
  await page.locator('#try').scrollIntoViewIfNeeded()
  await expect(bar).toBeInViewport()
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
  await expect(bar).not.toBeInViewport()
})

test('the services pages work without a script', async ({ browser, baseURL }) => {
  test.skip(!some, 'No service has a page')
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: String(baseURL) })
  const page = await context.newPage()
  await page.goto('/services')
  const title = titleOf(some)
  await page.getByRole('link', { name: `${title} in detail` }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  await context.close()
})

test('home, the services page and the footer name the same services', async ({ page }) => {
  await page.goto('/services')
  const offered = await page
    .getByRole('region', { name: words.heads.offers.title })
    .getByRole('heading', { level: 3 })
    .allTextContents()
  const links = page.getByRole('navigation', { name: 'Services' }).getByRole('link')
  expect(await links.allTextContents()).toEqual(offered)
  const hrefs = await links.evaluateAll((anchors) =>
    anchors.map((anchor) => anchor.getAttribute('href')),
  )
  await page.goto('/')
  const cards = page.locator('#services li a')
  expect(await cards.count()).toBe(entries('home-services').length)
  await expect(cards).toHaveText(entries('home-services').map(({ data }) => data.title))
  for (const card of await cards.all()) expect(hrefs).toContain(await card.getAttribute('href'))
})
