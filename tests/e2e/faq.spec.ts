import { expect, test } from '#tests/e2e/fixtures.ts'

const open = 'main details[open]'

test('one answer is open at a time, and a second click closes it', async ({ page }) => {
  await page.goto('/faq')
  await expect(page.locator('details[name]')).toHaveCount(10)
  await page.getByText('Who can apply for an internship?').click()
  await expect(page.locator(open)).toHaveCount(1)
  await expect(page.getByText('We read every application.')).toBeVisible()
  await page.getByText('How does a project start?').click()
  await expect(page.locator(open)).toHaveCount(1)
  await expect(page.getByText('We read every application.')).toBeHidden()
  await page.getByText('How does a project start?').click()
  await expect(page.locator(open)).toHaveCount(0)
})

test('a question opens and closes by keyboard', async ({ page }) => {
  await page.goto('/faq')
  await page.getByRole('main').locator('summary').first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').locator('details').first()).toHaveAttribute('open')
  await page.keyboard.press('Space')
  await expect(page.getByRole('main').locator('details').first()).not.toHaveAttribute('open')
})

const tabs = [
  ['Services', 'services', 3],
  ['For Students', 'students', 3],
  ['For Startups', 'startups', 2],
  ['Process', 'process', 2],
] as const

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled })

    test('each tab filters the questions and is in the URL', async ({ page }) => {
      await page.goto('/faq')
      const filter = page.getByRole('navigation', { name: 'Filter questions' })
      for (const [name, hash, count] of tabs) {
        await filter.getByRole('link', { name }).click()
        await expect(page).toHaveURL(new RegExp(`#${hash}$`))
        await expect(page.locator('details:visible')).toHaveCount(count)
      }
      await page.goBack()
      await expect(page.locator('details:visible')).toHaveCount(2)
      await filter.getByRole('link', { name: 'All Questions' }).click()
      await expect(page.locator('details:visible')).toHaveCount(10)
    })

    test('a URL with a tab opens filtered, at the top of the page', async ({ page }) => {
      await page.goto('/faq#students')
      await expect(page.locator('details:visible')).toHaveCount(3)
      await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
    })
  })
}

test('choosing a tab does not move the page', async ({ page }) => {
  await page.goto('/faq')
  await page.getByRole('link', { name: 'For Startups' }).scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => scrollY)
  await page.getByRole('link', { name: 'For Startups' }).click()
  await expect(page.locator('details:visible')).toHaveCount(2)
  expect(await page.evaluate(() => scrollY)).toBe(before)
})

test('the chosen tab is announced as current', async ({ page }) => {
  await page.goto('/faq')
  const filter = page.getByRole('navigation', { name: 'Filter questions' })
  const current = filter.locator('[aria-current]')
  await expect(current).toHaveText(/All Questions/)
  await filter.getByRole('link', { name: 'Process' }).click()
  await expect(current).toHaveText(/Process/)
  await expect(current).toHaveCount(1)
})

test('a visitor with more questions can write or book a talk', async ({ page }) => {
  await page.goto('/faq')
  const rest = page.getByRole('region', { name: 'Still Have Questions?' })
  await expect(rest.getByRole('link', { name: 'Email Us' })).toHaveAttribute('href', /^mailto:/)
  await expect(rest.getByRole('link', { name: 'Schedule Consultation' })).toHaveAttribute(
    'href',
    '/consultation',
  )
})

test('search engines read the same ten questions', async ({ page }) => {
  await page.goto('/faq')
  const data = await page.locator('script[type="application/ld+json"]').textContent()
  const graph: { '@type': string; mainEntity?: { name: string }[] }[] = JSON.parse(String(data))[
    '@graph'
  ]
  const faq = graph.find((node) => node['@type'] === 'FAQPage')
  expect(faq?.mainEntity?.map(({ name }) => name)).toEqual(
    await page.getByRole('main').locator('summary h2').allTextContents(),
  )
})
