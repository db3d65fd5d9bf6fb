import { entries } from '#site/content.ts'
import { pageWords } from '#site/page-words.ts'
import { expect, test } from '#tests/e2e/fixtures.ts'

const { tabs: labels, closing } = pageWords('faq')
const questions = entries('faq')
const [first, second] = questions
if (!first || !second) throw new Error('The content has too few questions')

const open = 'main details[open]'

test('one answer is open at a time, and a second click or key closes it', async ({ page }) => {
  await page.goto('/faq')
  await expect(page.locator('details[name]')).toHaveCount(questions.length)
  const answer = page.locator(`#${first.id} .answer`)
  await page.getByText(first.data.question).click()
  await expect(page.locator(open)).toHaveCount(1)
  await expect(answer).toBeVisible()
  await page.getByText(second.data.question).click()
  await expect(page.locator(open)).toHaveCount(1)
  await expect(answer).toBeHidden()
  await page.getByText(second.data.question).click()
  await expect(page.locator(open)).toHaveCount(0)
  await page.getByRole('main').locator('summary').first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').locator('details').first()).toHaveAttribute('open')
  await page.keyboard.press('Space')
  await expect(page.getByRole('main').locator('details').first()).not.toHaveAttribute('open')
})

const tabs = Object.entries(labels).flatMap(([hash, name]) => {
  const count = questions.filter(({ data }) => data.category === hash).length
  return count > 0 ? [{ hash, name, count }] : []
})
const last = tabs.at(-1) ?? { hash: '', name: '', count: 0 }

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled })

    test('each tab filters the questions and is in the URL', async ({ page }) => {
      await page.goto('/faq')
      const filter = page.getByRole('navigation', { name: 'Filter questions' })
      for (const { name, hash, count } of tabs) {
        await filter.getByRole('link', { name: new RegExp(`^${name}`) }).click()
        await expect(page).toHaveURL(new RegExp(`#${hash}$`))
        await expect(page.locator('details:visible')).toHaveCount(count)
      }
      await page.goBack()
      await expect(page.locator('details:visible')).toHaveCount(tabs.at(-2)?.count ?? 0)
      await filter.getByRole('link', { name: labels.all }).click()
      await expect(page.locator('details:visible')).toHaveCount(questions.length)
    })

    test('a URL with a tab opens filtered, at the top of the page', async ({ page }) => {
      await page.goto(`/faq#${last.hash}`)
      await expect(page.locator('details:visible')).toHaveCount(last.count)
      await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
    })
  })
}

test('the chosen tab is announced as current and does not move the page', async ({ page }) => {
  await page.goto('/faq')
  const filter = page.getByRole('navigation', { name: 'Filter questions' })
  const current = filter.locator('[aria-current]')
  await expect(current).toHaveText(new RegExp(labels.all))
  const tab = filter.getByRole('link', { name: new RegExp(`^${last.name}`) })
  await tab.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => scrollY)
  await tab.click()
  await expect(page.locator('details:visible')).toHaveCount(last.count)
  expect(await page.evaluate(() => scrollY)).toBe(before)
  await expect(current).toHaveText(new RegExp(last.name))
  await expect(current).toHaveCount(1)
})

test('a visitor with more questions can write or book a talk', async ({ page }) => {
  await page.goto('/faq')
  const rest = page.getByRole('region', { name: closing.title })
  await expect(rest.getByRole('link', { name: 'Email Us' })).toHaveAttribute('href', /^mailto:/)
  await expect(rest.getByRole('link', { name: 'Schedule Consultation' })).toHaveAttribute(
    'href',
    '/consultation',
  )
})

interface Question {
  '@id': string
  name: string
}

test('search engines read the same questions, each by an address that opens its answer', async ({
  page,
}) => {
  await page.goto('/faq')
  const data = await page.locator('script[type="application/ld+json"]').textContent()
  const graph: { '@type': string; mainEntity?: Question[] }[] = JSON.parse(String(data))['@graph']
  const named = graph.find((node) => node['@type'] === 'FAQPage')?.mainEntity ?? []
  expect(named.map(({ name }) => name)).toEqual(
    await page.getByRole('main').locator('summary h2').allTextContents(),
  )
  const last = named.at(-1)
  for (const one of [last, named[0]]) {
    await page.goto(`/faq${new URL(one?.['@id'] ?? '').hash}`)
    await expect(page.locator(open)).toHaveCount(1)
    await expect(page.locator(`${open} summary h2`)).toHaveText(one?.name ?? '')
    await expect(page.locator(`${open} summary`)).toBeInViewport()
  }
  // The page is loaded again only after another one.
  await page.goto('about:blank')
  await page.goto(`/faq${new URL(last?.['@id'] ?? '').hash}`)
  await expect(page.locator(`${open} summary h2`)).toHaveText(last?.name ?? '')
  await expect(page.locator(`${open} summary`)).toBeInViewport()
})

test('on a phone the answer that an address names stands below the bar, after a reload too', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/faq')
  const ids = await page.locator('details[name]').evaluateAll((all) => all.map(({ id }) => id))
  for (const id of ids.slice(-5)) {
    /** Its upper edge in pixels; 100 at the end of the page, which cannot be scrolled further. */
    const top = () =>
      page.locator(`#${id}`).evaluate((one) => {
        const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
        return isAtEnd ? 100 : Math.round(one.getBoundingClientRect().top)
      })
    // The other page loads the fonts: a font that comes after the scroll may move the answer.
    await page.goto('/about')
    await page.goto(`/faq#${id}`)
    await expect.poll(top).toBe(100)
    await page.reload()
    await expect(page.locator(`#${id}`)).toHaveAttribute('open')
    await expect.poll(top).toBe(100)
  }
})

test('a page that loads stands at once at the answer that its address names', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.addInitScript(() => {
    const places: number[] = []
    Object.assign(globalThis, { places })
    addEventListener('scroll', () => places.push(scrollY))
  })
  const { id = '' } = questions.at(-2) ?? {}
  await page.goto(`/faq#${id}`)
  const top = () =>
    page.locator(`#${id}`).evaluate((one) => Math.round(one.getBoundingClientRect().top))
  await expect.poll(top).toBe(100)
  // A font that comes meanwhile may move it by some lines; gliding begins with a few pixels.
  const way = await page.evaluate(() => {
    const [first = 0] = (globalThis as never as { places: number[] }).places
    return scrollY - first
  })
  expect(Math.abs(way)).toBeLessThan(200)
})
