import { monthlyPrice } from '#site/content.ts'
import { expect, test } from './fixtures.ts'

test('the consultation page shows four steps and three offers, each with a link to its form', async ({
  page,
}) => {
  await page.goto('/consultation')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Web Consultation Services')
  await expect(page.getByText('Expert Advice')).toBeVisible()
  for (const step of [
    'Discovery Call',
    'Needs Analysis',
    'Proposal & Planning',
    'Implementation',
  ]) {
    await expect(page.getByRole('heading', { name: step })).toBeVisible()
  }
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(3)
  await expect(cards.first()).toContainText('Recommended')
  await expect(cards.first().getByRole('link', { name: 'Book Free Consultation' })).toHaveAttribute(
    'href',
    '/consultation-form?service=website-creation',
  )
  await expect(cards.nth(1)).toContainText(monthlyPrice('basic-package'))
  await expect(cards.nth(1).getByRole('link', { name: 'Get Started' })).toHaveAttribute(
    'href',
    '/consultation-form?service=basic-package',
  )
  await expect(cards.nth(2)).toContainText(monthlyPrice('premium-package'))
  await expect(cards.nth(2).getByRole('link', { name: 'Get Started' })).toHaveAttribute(
    'href',
    '/consultation-form?service=premium-package',
  )
})

test('each open position leads to its application and carries its JobPosting', async ({ page }) => {
  await page.goto('/careers')
  for (const [value, label] of [
    ['frontend-intern', 'Frontend Development Intern'],
    ['ui-ux-intern', 'UI/UX Design Intern'],
    ['backend-intern', 'Backend Development Intern'],
    ['digital-marketing-intern', 'Digital Marketing Intern'],
  ] as const) {
    const position = page.locator(`li#${value}`)
    await expect(position.getByRole('heading', { name: label })).toBeVisible()
    await expect(position.getByRole('link', { name: 'Apply Now' })).toHaveAttribute(
      'href',
      `/apply?position=${value}`,
    )
  }
  await expect(page.getByRole('link', { name: 'Contact Us' })).toHaveAttribute('href', /^mailto:/)

  await page.goto('/careers/ui-ux-intern')
  const text = await page.locator('script[type="application/ld+json"]').textContent()
  const graph: Record<string, unknown>[] = JSON.parse(text ?? '{}')['@graph']
  const job = graph.find((node) => node['@type'] === 'JobPosting')
  expect(job).toMatchObject({
    title: 'UI/UX Design Intern',
    employmentType: 'INTERN',
    jobLocationType: 'TELECOMMUTE',
    directApply: true,
  })
  expect(job).toHaveProperty('datePosted')
})

test('a thank-you page says what happens next and stays out of search engines', async ({
  page,
}) => {
  for (const [kind, heading] of [
    ['contacts', 'Message sent successfully!'],
    ['consultations', 'Consultation Request Submitted Successfully!'],
    ['applications', 'Application Submitted Successfully!'],
  ] as const) {
    const response = await page.goto(`/thanks/${kind}`)
    expect(response?.headers()['x-robots-tag']).toBe('noindex')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page.getByRole('heading', { name: 'What happens next' })).toBeVisible()
  }
})
