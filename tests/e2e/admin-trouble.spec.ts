import type { Page } from '@playwright/test'
import { enter, expect, faultsOf, ownWord, signedIn, submit, test } from './admin-fixtures.ts'

/** Two at once, a server that goes away, and a sign-in that lapses. */

test.use({ expectedError: /401|409|503|ERR_FAILED/ })

const list = (page: Page) => page.getByRole('region', { name: 'List' })
const detail = (page: Page) => page.getByRole('region', { name: 'Detail' })

test('two who change one record at once are both shown, and one chooses', async ({
  page,
  request,
  browser,
}) => {
  const word = ownWord()
  await submit(request, 'consultations', ['Dental clinic'], word)
  await enter(page, await signedIn(request, 'superuser'))
  const colleague = await (await browser.newContext()).newPage()
  await enter(colleague, await signedIn(request, 'editor'))

  for (const person of [page, colleague]) {
    await person.goto(`/admin/consultations?q=${word}`)
    await list(person).getByRole('link', { name: 'Dental clinic' }).click()
    await expect(detail(person).getByText('Received from the website')).toBeVisible()
  }
  await detail(colleague).getByRole('button', { name: 'Mark as Completed' }).click()
  await expect(detail(colleague).getByText(/^Completed by/)).toBeVisible()
  await expect(detail(colleague).getByText(/changed the status/)).toBeVisible()

  await detail(page).getByRole('button', { name: 'Mark as Contacted' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Someone else was faster' })
  await expect(dialog.getByRole('row', { name: /Status/ })).toContainText('Completed')
  await expect(dialog.getByRole('row', { name: /Status/ })).toContainText('Contacted')
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Keep what is saved' }).click()
  await expect(detail(page).getByText(/^Completed by/)).toBeVisible()

  await detail(page).getByRole('button', { name: 'Mark as Contacted' }).click()
  await expect(detail(page).getByText(/^Contacted by owner/)).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('a change made while the server is away stays visible as unsaved, and is saved later', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'consultations', ['Guest house', 'Furniture shop'], word)
  await enter(page, await signedIn(request, 'superuser'))
  await page.goto(`/admin/consultations?q=${word}`)
  await list(page).getByRole('link', { name: 'Guest house' }).click()
  await expect(detail(page).getByText('Received from the website')).toBeVisible()

  await page.route('**/api/**', (route) => route.abort())
  await detail(page).getByRole('button', { name: 'Mark as Contacted' }).click()
  const unsaved = page.getByRole('region', { name: 'Not saved yet' })
  await expect(unsaved).toContainText('1 change is not saved yet')
  await expect(list(page).getByText('Not saved yet')).toBeVisible()
  await expect(detail(page).getByText('Contacted', { exact: true })).toBeVisible()
  expect(await faultsOf(page)).toEqual([])

  await page.unroute('**/api/**')
  await unsaved.getByRole('button', { name: 'Try now' }).click()
  await expect(unsaved).toBeHidden()
  await page.reload()
  await expect(detail(page).getByText(/^Contacted by owner/)).toBeVisible()
})

test('an unsaved change can be given back', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'contacts', ['Repair shop'], word)
  await enter(page, await signedIn(request, 'superuser'))
  await page.goto(`/admin/contacts?q=${word}`)
  await list(page).getByRole('link', { name: 'Repair shop' }).click()
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
  await page.route('**/api/contacts/*', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 503, json: { success: false, code: 'unavailable', message: '' } })
      : route.continue(),
  )
  await detail(page).getByRole('button', { name: 'Mark as Handled' }).click()
  await page.getByRole('button', { name: 'Give back' }).click()
  await expect(detail(page).getByRole('button', { name: 'Mark as Handled' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Not saved yet' })).toBeHidden()
})

test('a note survives a sign-in that lapses while it is written', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'contacts', ['School office'], word)
  const owner = await signedIn(request, 'superuser')
  await enter(page, owner)
  await page.goto(`/admin/contacts?q=${word}`)
  await list(page).getByRole('link', { name: 'School office' }).click()
  await page.getByRole('button', { name: 'Add a note' }).click()
  await page.getByLabel('Note').fill('Call on Monday, ask for the headmaster')
  await request.post('/api/auth/logout', { headers: { authorization: `Bearer ${owner.token}` } })
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(page).toHaveURL(/\/admin\/login/)

  const again = await signedIn(request, 'superuser')
  await page.evaluate((token) => localStorage.setItem('token', token), again.token)
  await page.evaluate(() => localStorage.setItem('adminAuthenticated', 'true'))
  await page.goto(`/admin/contacts?q=${word}`)
  await list(page).getByRole('link', { name: 'School office' }).click()
  await expect(page.getByLabel('Note')).toHaveValue('Call on Monday, ask for the headmaster')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(detail(page).getByText('Call on Monday')).toBeVisible()
})

test('a list that cannot be loaded says so and is loaded on request', async ({ page, request }) => {
  await enter(page, await signedIn(request, 'superuser'))
  await page.route('**/api/applications?*', (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto('/admin/applications')
  await expect(page.getByRole('alert')).toContainText(
    'Failed to load applications. Please try again.',
  )
  expect(await faultsOf(page)).toEqual([])
  await page.unroute('**/api/applications?*')
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toBeHidden()
})
