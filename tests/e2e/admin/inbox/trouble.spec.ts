import type { Route } from '@playwright/test'
import {
  axeViolations,
  detail,
  enter,
  enterAs,
  expect,
  interceptFromStart,
  list,
  listNew,
  openNew,
  orSignIn,
  ownWord,
  said,
  signedIn,
  submit,
  test,
  tryNow,
} from '../fixtures.ts'

/** An unreachable or failing server, and an expired session. */

test.beforeEach(({ page }) => interceptFromStart(page))

test('a note is typed on while the undo of its record’s deletion is on its way', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const [id] = await submit(request, 'consultations', ['Dental clinic'], word)
  await enterAs(page, request, 'superuser')
  const deleted = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await page.route(`**/api/consultations/${id}**`, async (route) => {
    await (route.request().method() === 'DELETE' ? deleted : answered).promise
    await route.continue()
  })
  await page.route('**/api/undo', async (route) => {
    await answered.promise
    await route.continue()
  })
  await page.goto(`/admin/consultations#q=${word}`)
  const row = list(page).getByRole('link', { name: 'Dental clinic' })
  const heading = detail(page).getByRole('heading', { name: 'Dental clinic' })
  await expect(heading).toBeVisible()
  await page.keyboard.press('#')
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click()
  await expect(row).toBeHidden()
  await page.keyboard.press('z')
  await expect(row).toBeVisible()
  await page.keyboard.press('j')
  await expect(heading).toBeVisible()
  await page.keyboard.press('n')
  const note = page.getByRole('textbox', { name: 'Note' })
  await expect(note).toBeFocused()
  await page.keyboard.type('Ask for ')

  // The list is read again after the deletion and before the undo.
  deleted.resolve()
  await expect(row).toBeHidden()
  await page.keyboard.type('photos')
  await expect(note).toHaveValue('Ask for photos')
  answered.resolve()
  await expect(row).toBeVisible()

  // What is typed while it is saved begins the next note, and an answer keeps the focus.
  let stored = Promise.withResolvers<void>()
  await page.route(`**/api/consultations/${id}/notes`, async (route) => {
    await stored.promise
    await route.continue()
  })
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await page.keyboard.type(' and a plan')
  stored.resolve()
  await expect(said(page, 'Note by owner', 'Ask for photos')).toBeVisible()
  await expect(note).toHaveValue('and a plan')
  await expect(page.getByRole('button', { name: 'Save note' })).toBeVisible()
  stored = Promise.withResolvers()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await page.getByRole('button', { name: 'Send Email', exact: true }).click()
  const reply = page.getByRole('textbox', { name: /^(Send Email|Reply via Email) to / })
  await reply.focus()
  await page.keyboard.type('Good ')
  stored.resolve()
  await expect(said(page, 'Note by owner', 'and a plan')).toBeVisible()
  await page.keyboard.type('evening')
  await expect(reply).toHaveValue('Good evening')
})

test('a change made while the server is away stays visible as unsaved, and is saved later or discarded', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/, /status of 503/)
  await listNew(page, request, 'consultations', ['Guest house', 'Furniture shop'], 'superuser')
  await list(page).getByRole('link', { name: 'Guest house' }).click()
  await expect(detail(page).getByText('Received from the website')).toBeVisible()

  await page.route('**/api/**', (route) => route.abort())
  await detail(page).getByRole('button', { name: 'Mark as Contacted' }).click()
  const unsaved = page.getByRole('region', { name: 'Not saved yet' })
  await expect(unsaved).toContainText('1 change is not saved yet')
  await expect(list(page).getByText('Not saved yet')).toBeVisible()
  await expect(detail(page).getByText('Contacted', { exact: true })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  await page.unroute('**/api/**')
  await tryNow(unsaved)
  await expect(unsaved).toBeHidden()
  await expect(
    detail(page).getByText('owner changed the status from Pending to Contacted'),
  ).toBeVisible()

  await page.route('**/api/consultations/*', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 503, json: { success: false, code: 'unavailable', message: '' } })
      : route.continue(),
  )
  await detail(page).getByRole('button', { name: 'Mark as Completed' }).click()
  await unsaved.getByRole('button', { name: 'Discard' }).click()
  await expect(detail(page).getByRole('button', { name: 'Mark as Completed' })).toBeVisible()
  await expect(unsaved).toBeHidden()
})

test('a note is sent after the changes of its record that are on their way', async ({
  page,
  request,
}) => {
  await openNew(page, request, 'contacts', 'Rowing club', 'superuser')
  await page.getByRole('button', { name: 'Add a note' }).click()
  await page.getByLabel('Note').fill('Call before noon')

  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const order: string[] = []
  await page.route('**/api/contacts/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    await released
    const response = await route.fetch()
    order.push('change')
    await route.fulfill({ response })
  })
  await page.route('**/api/contacts/*/notes', (route) => {
    order.push('note')
    return route.continue()
  })
  await detail(page).getByRole('button', { name: 'Mark as Handled' }).click()
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  release()
  await expect(said(page, 'Note by owner', 'Call before noon')).toBeVisible()
  expect(order).toEqual(['change', 'note'])
})

test('a change that is discarded while it is sent is undone when it arrives', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/)
  await openNew(page, request, 'contacts', 'Bike shop', 'admin')
  let isFirst = true
  const again = Promise.withResolvers<Route>()
  await page.route('**/api/contacts/*', (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    if (!isFirst) return again.resolve(route)
    isFirst = false
    return route.abort()
  })
  await page.keyboard.press('e')
  const unsaved = page.getByRole('region', { name: 'Not saved yet' })
  await expect(unsaved).toBeVisible()
  await tryNow(unsaved)
  const held = await again.promise
  await unsaved.getByRole('button', { name: 'Discard' }).click()
  await expect(unsaved).toBeHidden()
  await held.continue()
  await expect(detail(page).getByText(/undid a change/)).toBeVisible()
  await expect(detail(page).getByRole('button', { name: 'Mark as Handled' })).toBeVisible()

  // A message too; what is written meanwhile stays.
  const messages = '**/api/contacts/*/messages'
  await page.route(messages, (route) => route.abort())
  await page.keyboard.press('r')
  await page.keyboard.type('On Monday.')
  await page.keyboard.press('Control+Enter')
  await expect(detail(page).getByText('This message leaves when you are back.')).toBeVisible()
  const sent = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<void>()
  await page.route(messages, async (route) => {
    sent.resolve()
    await stored.promise
    await route.continue()
  })
  await tryNow(unsaved)
  await sent.promise
  await detail(page).getByRole('button', { name: 'Do not send' }).click()
  const reply = detail(page).getByRole('textbox', { name: /^(Send Email|Reply via Email) to / })
  await reply.fill('On Tuesday.')
  stored.resolve()
  await expect(detail(page).getByText('Recalled, never sent')).toBeVisible()
  await expect(reply).toHaveValue('On Monday.\n\nOn Tuesday.')
})

test('changes of one record arrive in the order they were made, bulk changes too', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/, /status of 409/)
  await listNew(page, request, 'consultations', ['Bike shop', 'Book shop'], 'admin')
  await list(page).getByRole('link', { name: 'Bike shop' }).click()
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
  await page.route('**/api/consultations/bulk', (route) => route.abort())
  for (const name of ['Bike shop', 'Book shop'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByLabel('Assign the selected').selectOption('owner')
  const unsaved = page.getByRole('region', { name: 'Not saved yet' })
  await expect(unsaved).toContainText('2 consultations are assigned to owner')
  await detail(page).getByLabel('Assigned to').selectOption('Nobody')
  // A change that waits behind it is not saved either.
  await expect(unsaved).toContainText('2 changes are not saved yet')
  await expect(unsaved).toContainText('Bike shop is assigned to nobody')
  await page.unroute('**/api/consultations/bulk')
  await tryNow(unsaved)
  await expect(unsaved).toBeHidden()
  await expect(detail(page).getByText('took the assignment back')).toBeVisible()
  await page.reload()
  await expect(detail(page).getByLabel('Assigned to')).toHaveValue('')
  await expect(list(page).getByRole('link', { name: 'Book shop' })).toContainText('owner')
})

const refusals = [
  ['consultations', 'Failed to delete consultation. Please try again.'],
  ['applications', 'Failed to delete application. Please try again.'],
  ['contacts', 'Failed to delete contact message. Please try again.'],
] as const

for (const [kind, deleting] of refusals)
  test(`a change of ${kind} that fails on the server is given up, and the record is unchanged`, async ({
    page,
    request,
    expectErrors,
  }) => {
    expectErrors(/status of 500/)
    const word = ownWord()
    await submit(request, kind, ['Bike shop'], word)
    await enterAs(page, request, 'admin')
    await page.goto(`/admin/${kind}#q=${word}`)
    const row = list(page).getByRole('link', { name: 'Bike shop' })
    await row.click()
    await expect(detail(page).getByText('Received from the website')).toBeVisible()
    const before = await detail(page)
      .getByRole('button', { name: /^Mark as/ })
      .allTextContents()
    let attempts = 0
    await page.route(`**/api/${kind}/*`, (route) => {
      if (!['PUT', 'DELETE'].includes(route.request().method())) return route.continue()
      attempts += 1
      return route.fulfill({ status: 500, json: { success: false, code: 'internal', message: '' } })
    })
    const notice = (text: string) => page.getByRole('status').filter({ hasText: text })
    await page.keyboard.press('e')
    await expect(notice('Failed to update status. Please try again.')).toBeVisible()
    await expect(detail(page).getByRole('button', { name: /^Mark as/ })).toHaveText(before)
    await page.keyboard.press('#')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(notice(deleting)).toBeVisible()
    await expect(row).toBeVisible()
    await expect(page.getByRole('region', { name: 'Not saved yet' })).toBeHidden()
    expect(attempts).toBe(2)
  })

test('a stalled connection counts as offline: the change is unsaved, the list says so', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['Bike shop'], word)
  await enterAs(page, request, 'admin')
  await page.clock.install()
  await page.goto(`/admin/contacts#q=${word}`)
  await list(page).getByRole('link', { name: 'Bike shop' }).click()
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
  const stalled = page.waitForRequest((sent) => sent.method() === 'PUT')
  // Never answered.
  await page.route('**/api/**', () => undefined)
  await page.keyboard.press('e')
  await stalled
  await page.clock.runFor(20_000)
  await expect(page.getByRole('region', { name: 'Not saved yet' })).toBeVisible()

  const asked = page.waitForRequest('**/api/contacts/search')
  await page.getByRole('searchbox').fill('something else')
  await asked
  // The first attempt, the pause before the second, and that one.
  await page.clock.runFor(20_000)
  const asksAgain = page.waitForRequest('**/api/contacts/search')
  await page.clock.runFor(1_000)
  await asksAgain
  await page.clock.runFor(20_000)
  await expect(page.getByRole('alert')).toContainText('Failed to load contact messages.')
})

test('a note survives a session that expires while it is written', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 401/)
  const word = ownWord()
  await submit(request, 'contacts', ['School office'], word)
  const owner = await signedIn(request, 'superuser')
  await enter(page, owner)
  await page.goto(`/admin/contacts#q=${word}`)
  await list(page).getByRole('link', { name: 'School office' }).click()
  await page.getByRole('button', { name: 'Add a note' }).click()
  await page.getByLabel('Note').fill('Call on Monday, ask for the headmaster')
  await request.post('/api/auth/logout', { headers: { authorization: `Bearer ${owner.token}` } })
  await orSignIn(page.getByRole('button', { name: 'Save note' })).click()
  await expect(page).toHaveURL(/\/admin\/login/)

  const again = await signedIn(request, 'superuser')
  await page.evaluate((token) => localStorage.setItem('token', token), again.token)
  await page.evaluate(() => localStorage.setItem('adminAuthenticated', 'true'))
  await page.goto(`/admin/contacts#q=${word}`)
  await list(page).getByRole('link', { name: 'School office' }).click()
  await expect(page.getByLabel('Note')).toHaveValue('Call on Monday, ask for the headmaster')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(detail(page).getByText('Call on Monday')).toBeVisible()
})

test('a screen that cannot be loaded without a connection is loaded on request', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/)
  await enterAs(page, request, 'editor')
  // By this call the page asks whether the server is back, and reloads: here only the request loads it.
  await page.route('**/admin/contacts', (route) =>
    route.request().method() === 'HEAD' ? route.abort() : route.continue(),
  )
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Contacts', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'This screen cannot be loaded' })).toBeVisible()
  await page.context().setOffline(false)
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Contacts', exact: true })).toBeVisible()
})

test('a list that cannot be loaded says so and is loaded on request', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 503/)
  await enterAs(page, request, 'superuser')
  await page.route('**/api/applications?*', (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto('/admin/applications')
  await expect(page.getByRole('alert')).toContainText(
    'Failed to load applications. Please try again.',
  )
  expect(await axeViolations(page)).toEqual([])
  await page.unroute('**/api/applications?*')
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toBeHidden()
})
