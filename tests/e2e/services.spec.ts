import { entries, entry } from '#site/content.ts'
import { pageWords } from '#site/page-words.ts'
import { expect, test } from '#tests/e2e/fixtures.ts'

const words = pageWords('services')
const services = entries('services')
const pages = entries('service-pages')
const titleOf = (id: string) => entry('services', id)?.data.title ?? id
const some = pages[0]?.id ?? ''

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false })

  test('the services page shows all offers, leads to the page of each, and shows prices and the steps', async ({
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
    if (!some) return
    await page.getByRole('link', { name: `${titleOf(some)} in detail` }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(titleOf(some))
  })

  for (const { id, data } of pages) {
    const title = titleOf(id)
    test(`${title} shows its features, steps and parts, has a drawing to try, and leads to a free consultation`, async ({
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

      await test.step('the drawing stands on the ground of the page and tells what every state shows', async () => {
        const groundOf = (selector: string) =>
          page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor)
        expect(await groundOf('.stage')).toBe(await groundOf('.head .picture'))
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
      })
    })
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

test('home and the footer name the services of the services page', async ({ page }) => {
  await page.goto('/')
  const links = page.getByRole('navigation', { name: 'Services' }).getByRole('link')
  await expect(links).toHaveText(services.map(({ data }) => data.title))
  const hrefs = await links.evaluateAll((anchors) =>
    anchors.map((anchor) => anchor.getAttribute('href')),
  )
  const cards = page.locator('#services li a')
  expect(await cards.count()).toBe(entries('home-services').length)
  await expect(cards).toHaveText(entries('home-services').map(({ data }) => data.title))
  for (const card of await cards.all()) expect(hrefs).toContain(await card.getAttribute('href'))
})
