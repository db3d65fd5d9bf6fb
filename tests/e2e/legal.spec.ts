import { exceptions, housekeeping, minimumAge, submissions } from '#contract/privacy/rules.ts'
import { brand, content, entries } from '#site/content.ts'
import { longMonth } from '#site/dates.ts'
import { pageWords } from '#site/page-words.ts'
import { expect, test } from '#tests/e2e/fixtures.ts'

for (const { id, data } of entries('legal'))
  test(`/${id} has all sections of its document, the month of its last change, its samples marked and a link home, and loads no script`, async ({
    page,
  }) => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.goto(`/${id}`)
    expect(scripts).toEqual([])
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(data.title)
    await expect(page.getByText(`Last updated: ${longMonth(data.updated)}`)).toBeVisible()
    const home = page.getByRole('link', { name: 'Back to Home' })
    await expect(home).toBeVisible()
    await expect(home).toHaveAttribute('href', '/')
    if (data.body.type === 'mdx') return
    const text = JSON.stringify(data.body)
    await expect(page.locator('.prose h2')).toHaveCount(text.split('"level":2').length - 1)
    const samples = page.locator('.prose').getByText('Sample text', { exact: true })
    await expect(samples).toHaveCount(text.split('{"type":"sample"}').length - 1)
  })

test('the privacy policy says how long each kind is kept, and the least age', async ({ page }) => {
  await page.goto('/privacy-policy')
  await expect(page.getByRole('main')).toContainText(`under ${minimumAge}`)
  const retention = page.getByRole('table', { name: 'How long we keep what' })
  for (const { label, keep } of [...Object.values(submissions), ...Object.values(housekeeping)]) {
    const [unit, count] = Object.entries(keep)[0] ?? []
    const row = retention.getByRole('row').filter({
      has: page.getByRole('rowheader', { name: label, exact: true }),
    })
    await expect(row).toContainText(`${count} ${count === 1 ? unit?.slice(0, -1) : unit}`)
  }
  for (const sentence of Object.values(exceptions))
    await expect(page.getByRole('main')).toContainText(sentence)
})

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
