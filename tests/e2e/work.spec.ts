import { entries } from '#site/content.ts'
import { isOff } from '#site/features.ts'
import { expect, test } from '#tests/e2e/fixtures.ts'

test.skip(isOff('/work'), 'This site shows no work')

test('every plate on the home page is labelled a study and leads to its own page, which says so too', async ({
  page,
}) => {
  await page.goto('/')
  const plates = page.locator('#work').getByRole('listitem')
  const drawn = entries('work').filter(({ data }) => data.plate)
  await expect(plates).toHaveCount(drawn.length)
  const addresses: string[] = []
  for (const plate of await plates.all()) {
    await expect(plate.getByText('Study', { exact: true })).toBeVisible()
    addresses.push(String(await plate.getByRole('link').getAttribute('href')))
  }
  expect(new Set(addresses).size).toBe(drawn.length)
  for (const address of addresses) {
    expect(address).toMatch(/^\/work\/[a-z-]+$/)
    await page.goto(address)
    await expect(page.getByRole('main').getByText('Study', { exact: true })).toBeVisible()
    await expect(page.getByRole('main').getByText('Case', { exact: true })).toHaveCount(0)
  }
})

test('the first case is this site, with a dated figure and the cost of each decision', async ({
  page,
}) => {
  const measured = entries('work').find(({ data }) => data.result === 'bench')
  test.skip(!measured, 'This site is none of its own cases')
  const title = measured?.data.title ?? ''
  const { length } = measured?.data.decisions ?? []
  await page.goto('/work')
  await page.getByRole('link', { name: title }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  await expect(page.getByText('Case', { exact: true })).toBeVisible()
  const decisions = page.getByRole('region', { name: 'Three decisions' }).getByRole('listitem')
  await expect(decisions).toHaveCount(length)
  for (const decision of await decisions.all()) {
    await expect(decision.getByText('Cost:')).toBeVisible()
    await expect(decision.getByRole('img')).toHaveCount(2)
  }
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result.getByRole('link', { name: 'Measured Quality' })).toHaveAttribute(
    'href',
    '/quality',
  )
  const data = JSON.parse(
    String(await page.locator('script[type="application/ld+json"]').textContent()),
  )
  expect(data['@graph'].map((node: { '@type': string }) => node['@type'])).toEqual([
    'CreativeWork',
    'BreadcrumbList',
  ])
})
