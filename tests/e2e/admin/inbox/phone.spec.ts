import type { Page } from '@playwright/test'
import {
  axeViolations,
  detail,
  enter,
  enterAs,
  expect,
  goTo,
  list,
  numbered,
  ownWord,
  row,
  signedIn,
  submit,
  test,
  viewMenu,
} from '../fixtures.ts'

/** One finger across the open record. */
const swipe = (page: Page, to: 'left' | 'right') =>
  detail(page)
    .getByText('We bake bread')
    .evaluate(
      (target, [from, until]) => {
        const touch = (clientX: number) => [
          new Touch({ identifier: 1, target, clientX, clientY: 300 }),
        ]
        const send = (type: string, touches: Touch[], changedTouches: Touch[]) =>
          target.dispatchEvent(new TouchEvent(type, { touches, changedTouches, bubbles: true }))
        send('touchstart', touch(from), touch(from))
        send('touchend', [], touch(until))
      },
      to === 'left' ? ([300, 100] as const) : ([100, 300] as const),
    )

test('on a phone the detail replaces the list', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'consultations', ['Yoga studio', 'Bookshop'], word)
  await page.setViewportSize({ width: 390, height: 844 })
  await enterAs(page, request, 'superuser')
  await page.goto(`/admin/consultations#q=${word}`)
  await expect(detail(page)).toBeHidden()
  await row(page, 'Yoga studio').click()
  await expect(detail(page).getByRole('heading', { name: 'Yoga studio' })).toBeVisible()
  await expect(list(page)).toBeHidden()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
  await page.goBack()
  await expect(row(page, 'Bookshop')).toBeVisible()

  // A menu leaves its button in sight: a second touch closes it.
  const statuses = await viewMenu(page, 'Status')
  await expect(statuses).toBeVisible()
  await page.getByRole('button', { name: /^View: / }).click()
  await expect(statuses).toBeHidden()
  await page.getByRole('navigation', { name: 'Admin, phone' }).getByText('Contacts').click()
  await expect(page).toHaveURL('/admin/contacts')
})

test('on a phone ten records are in view, and groups, selection and neighbours are one touch away', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const ids = await submit(request, 'consultations', numbered(12), word)
  const { token, user } = await signedIn(request, 'editor')
  const headers = { authorization: `Bearer ${token}` }
  await request.put(`/api/consultations/${ids[11]}`, { headers, data: { status: 'contacted' } })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.clock.install()
  await enter(page, { token, user })
  const rows = list(page).getByRole('listitem')
  // The search has a line of its own here.
  await page.goto('/admin/consultations?sort=due')
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await page.keyboard.press('Escape')
  const whole = () =>
    rows.evaluateAll((all) => {
      const bar = document.querySelector('nav[aria-label="Admin, phone"]')
      const end = bar?.getBoundingClientRect().top ?? 0
      return all.filter((row) => {
        const { top, bottom } = row.getBoundingClientRect()
        return top >= 0 && bottom <= end
      }).length
    })
  await expect.poll(whole).toBeGreaterThanOrEqual(10)

  await goTo(page, `/admin/consultations#q=${word}`)
  await expect(rows).toHaveCount(12)
  const groups = page.getByRole('navigation', { name: 'Groups' })
  await expect(groups.getByRole('button', { name: 'Late 0' })).toBeDisabled()
  await groups.getByRole('button', { name: 'With them 1' }).click()
  await expect(row(page, 'Person 12')).toBeInViewport()
  const finger = { pointerType: 'touch', bubbles: true }
  await row(page, 'Person 12').dispatchEvent('pointerdown', finger)
  await page.clock.runFor(600)
  await row(page, 'Person 12').dispatchEvent('pointerup', finger)
  await expect(page.getByText('1 consultation selected')).toBeVisible()
  await expect(page.getByLabel('Set status of the selected')).toBeInViewport()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Clear' }).click()

  await row(page, 'Person 01').click()
  const heading = (name: string) => detail(page).getByRole('heading', { name })
  await expect(heading('Person 01')).toBeVisible()
  await expect(detail(page).getByText('We bake bread')).toBeInViewport()
  await swipe(page, 'left')
  await expect(heading('Person 02')).toBeVisible()
  await detail(page).getByRole('button', { name: 'Next record' }).click()
  await expect(heading('Person 03')).toBeVisible()
  await swipe(page, 'right')
  await expect(heading('Person 02')).toBeVisible()
})
