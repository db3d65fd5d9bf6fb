import { entries, monthlyPrice } from '#site/content.ts'
import { isOff } from '#site/features.ts'
import { pageWords } from '#site/page-words.ts'
import { expect, test } from './fixtures.ts'

test('the consultation page shows all steps and offers, each with its price and a link to its form', async ({
  page,
}) => {
  const words = pageWords('consultation')
  await page.goto('/consultation')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.title)
  await expect(page.getByText(words.badge)).toBeVisible()
  for (const { data } of entries('consultation-steps'))
    await expect(page.getByRole('heading', { name: data.title })).toBeVisible()
  const offers = entries('consultation-services')
  await expect(page.getByRole('article')).toHaveCount(offers.length)
  await expect(page.getByRole('article').first()).toContainText('Recommended')
  for (const { id, data } of offers) {
    const card = page.locator(`article#${id}`)
    await expect(card).toContainText(monthlyPrice(id) || 'Free')
    await expect(card.getByRole('link', { name: data.button })).toHaveAttribute(
      'href',
      `/consultation-form?service=${id}`,
    )
  }
})

test('each open position shows pay and hours, leads to its application and carries its JobPosting', async ({
  page,
}) => {
  test.skip(isOff('/careers'), 'This site has no careers')
  await page.goto('/careers')
  const open = entries('openings').filter(({ data }) => data.open)
  const positions = entries('positions').filter(({ id }) => open.some((one) => one.id === id))
  for (const { id, data } of positions) {
    const position = page.locator(`li#${id}`)
    await expect(position.getByRole('heading', { name: data.title })).toBeVisible()
    for (const fact of ['Department', 'Location', 'Type', 'Pay', 'Hours'])
      await expect(position.getByText(fact, { exact: true })).toBeVisible()
    await expect(position.getByRole('link', { name: 'Apply Now' })).toHaveAttribute(
      'href',
      `/apply?position=${id}`,
    )
  }
  await expect(page.getByRole('link', { name: 'Contact Us' })).toHaveAttribute('href', /^mailto:/)

  const [first] = positions
  await page.goto(`/careers/${first?.id}`)
  const text = await page.locator('script[type="application/ld+json"]').textContent()
  const graph: Record<string, unknown>[] = JSON.parse(text ?? '{}')['@graph']
  const job = graph.find((node) => node['@type'] === 'JobPosting')
  expect(job).toMatchObject({
    title: first?.data.title,
    employmentType: first?.data.employment,
    ...(first?.data.remote
      ? { jobLocationType: 'TELECOMMUTE' }
      : { jobLocation: { address: { addressLocality: first?.data.location } } }),
    directApply: true,
  })
  expect(job).toHaveProperty('datePosted')

  // The crumbs stand at equal distances, but for the difference between two fonts.
  const gaps = await page.getByRole('navigation', { name: 'Breadcrumb' }).evaluate((nav) => {
    const words = [...nav.children].map((child) => {
      const range = document.createRange()
      range.selectNodeContents(child)
      return range.getBoundingClientRect()
    })
    return words.slice(1).map(({ left }, index) => left - (words[index]?.right ?? 0))
  })
  expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(4)
})

test('a thank-you page stays out of search engines', async ({ request }) => {
  for (const kind of ['contacts', 'consultations', 'applications']) {
    if (isOff(`/thanks/${kind}`)) continue
    const response = await request.get(`/thanks/${kind}`)
    expect(response.status()).toBe(200)
    expect(response.headers()['x-robots-tag']).toBe('noindex')
  }
})
