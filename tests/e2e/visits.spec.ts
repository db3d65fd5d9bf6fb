import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** The beacons that a page sends, as they leave the browser. */
const beacons = async (page: Page) => {
  const sent: Record<string, unknown>[] = []
  await page.route('**/api/visits', (route) => {
    sent.push(JSON.parse(route.request().postData() ?? '{}'))
    return route.fulfill({ status: 204 })
  })
  return sent
}

test('a visit is counted where it begins, and a form where it is begun', async ({ page }) => {
  const sent = await beacons(page)
  await page.goto('/services?utm_source=spring&utm_campaign=order/status')
  await expect.poll(() => sent).toMatchObject([{ page: '/services', campaign: 'spring' }])
  expect(Object.keys(sent[0] ?? {}).toSorted()).toEqual(['campaign', 'page', 'source', 'wide'])

  await page.reload()
  await page.goto('/faq', { referer: `${new URL(page.url()).origin}/services` })
  await page.getByRole('link', { name: 'Contact' }).first().click()
  const form = page.getByRole('form', { name: /contact/i })
  await form.scrollIntoViewIfNeeded()
  await form.getByLabel('Message').fill('We would like a website.')
  await expect.poll(() => sent).toHaveLength(2)
  expect(sent[1]).toMatchObject({ page: '/services', campaign: 'spring', begun: true })

  await page.reload()
  await form.scrollIntoViewIfNeeded()
  await expect(page.getByText('What you typed earlier is back.')).toBeVisible()
  expect(sent).toHaveLength(2)
})

test('a browser that asks not to be tracked sends no beacon', async ({ page }) => {
  const sent = await beacons(page)
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })
  })
  await page.goto('/')
  const form = page.getByRole('form').first()
  await form.scrollIntoViewIfNeeded()
  await form.getByLabel('Message').fill('We would like a website.')
  await expect(page.getByText('Your text is kept in this tab')).toBeVisible()
  expect(sent).toEqual([])
})
