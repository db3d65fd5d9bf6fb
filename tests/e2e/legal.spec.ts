import { housekeeping, minimumAge, submissions } from '#contract/privacy/rules.ts'
import { brand, content } from '#site/content.ts'
import { longMonth } from '#site/dates.ts'
import { pageWords } from '#site/page-words.ts'
import { expect, test } from '#tests/e2e/fixtures.ts'

test('the privacy policy has its ten sections and says how long each kind is kept', async ({
  page,
}) => {
  await page.goto('/privacy-policy')
  await expect(page.getByText('Last updated: April 2024')).toBeVisible()
  await expect(page.locator('.prose h2')).toHaveCount(10)
  await expect(page.getByText(`not directed to anyone under ${minimumAge}`)).toBeVisible()
  const retention = page.getByRole('table', { name: 'How long we keep what' })
  for (const { label, keep } of [...Object.values(submissions), ...Object.values(housekeeping)]) {
    const [unit, count] = Object.entries(keep)[0] ?? []
    const row = retention.getByRole('row').filter({
      has: page.getByRole('rowheader', { name: label, exact: true }),
    })
    await expect(row).toContainText(`${count} ${count === 1 ? unit?.slice(0, -1) : unit}`)
  }
})

test('the terms have thirteen numbered sections under the law of India', async ({ page }) => {
  await page.goto('/terms-conditions')
  await expect(page.getByText('Last updated: April 2024')).toBeVisible()
  const titles = await page.locator('.prose h2').allTextContents()
  expect(titles.map((title) => Number.parseInt(title, 10))).toEqual(
    Array.from({ length: 13 }, (_, index) => index + 1),
  )
  await expect(page.getByText('the law of India')).toBeVisible()
})

for (const path of ['/privacy-policy', '/terms-conditions', '/accessibility']) {
  test(`${path} has a link home and loads no script`, async ({ page }) => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.goto(path)
    expect(scripts).toEqual([])
    await page.getByRole('link', { name: 'Back to Home' }).click()
    await expect(page).toHaveURL(/\/$/)
  })
}

test('the about page names the founding, the timeline, values and methods', async ({ page }) => {
  const { company } = content()
  await page.goto('/about')
  await expect(page.getByText(`Founded ${longMonth(brand().founded)}`)).toBeVisible()
  for (const { when, title } of company.timeline)
    await expect(page.getByText(`${when} ${title}`)).toBeVisible()
  const values = page.getByRole('region', { name: pageWords('about').heads.values.title })
  await expect(values.getByRole('listitem')).toHaveCount(company.values.length)
  for (const { title } of company.features)
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
})

test('the privacy policy names matching, mentorship, quality assurance and certificates', async ({
  page,
}) => {
  await page.goto('/privacy-policy')
  const text = page.getByRole('main')
  for (const words of [
    'match students with startup projects',
    'mentorship',
    'assure its quality',
    'internship certificates',
  ]) {
    await expect(text).toContainText(words)
  }
})

test('terms that the owner has not decided on are marked as samples', async ({ page }) => {
  await page.goto('/terms-conditions')
  for (const words of ['within ten working days', 'more than 14 days late']) {
    const paragraph = page.getByRole('paragraph').filter({ hasText: words })
    await expect(paragraph.getByText('Sample text').first()).toBeVisible()
  }
  await expect(page.getByText(/the contact form asks for none and records none/)).toBeVisible()
})
