import { readFile } from 'node:fs/promises'
import {
  detail,
  enter,
  enterAs,
  expect,
  goTo,
  interceptFromStart,
  list,
  listNew,
  notice,
  numbered,
  ownWord,
  row,
  signedIn,
  submit,
  test,
  tool,
  viewMenu,
} from '../fixtures.ts'

test('a list shows what is owed first, by group, and keeps what is done out of the way', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const ids = await submit(
    request,
    'consultations',
    ['Waiting longest', 'Answered', 'Just in', 'Set aside'],
    word,
  )
  const { token, user } = await signedIn(request, 'editor')
  const headers = { authorization: `Bearer ${token}` }
  const change = (id: string | undefined, data: object) =>
    request.put(`/api/consultations/${id}`, { headers, data })
  await change(ids[1], { status: 'completed', assignee: user.username })
  await change(ids[0], { assignee: user.username })
  await change(ids[3], { snoozedUntil: new Date(Date.now() + 3 * 86_400_000).toISOString() })
  await enter(page, { token, user })
  await page.goto(`/admin/consultations?assignee=${user.username}`)
  const group = (name: string) => list(page).getByRole('button', { name })
  const rows = list(page).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('We bake bread and want people to order a loaf.')
  await expect(rows).toContainText(`Assigned to ${user.username}`)
  await expect(rows).toContainText(/due (tomorrow )?\d\d:\d\d/)
  await expect(group('Done 1')).toHaveAttribute('aria-expanded', 'false')
  await group('Done 1').click()
  await expect(rows).toHaveCount(2)
  await page.reload()
  await expect(group('Done 1')).toHaveAttribute('aria-expanded', 'true')
  await expect(rows.last()).toContainText('Answered')

  // What was searched for is shown, whatever its group.
  await goTo(page, `/admin/consultations#q=${word}`)
  await expect(rows).toHaveCount(4)
  await expect(rows).toContainText(['Waiting longest', 'Just in', 'Set aside', 'Answered'])
  await expect(rows.nth(2)).toContainText(/back \w{3} \d\d:\d\d/)
  await expect(list(page).getByRole('heading', { name: 'Done 1' })).toBeVisible()
})

test('a list of one group shows its records and names the group, until the filters are cleared', async ({
  page,
  request,
  expectErrors,
}) => {
  const [id] = await submit(request, 'contacts', ['Answered'], ownWord())
  const { token, user } = await signedIn(request, 'editor')
  await request.put(`/api/contacts/${id}`, {
    headers: { authorization: `Bearer ${token}` },
    data: { status: 'handled', assignee: user.username },
  })
  await enter(page, { token, user })
  await page.goto(`/admin/contacts?assignee=${user.username}&group=done`)
  await expect(row(page, 'Answered')).toBeVisible()
  await goTo(page, '/admin/contacts?group=done')
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await page.getByRole('dialog', { name: 'Filters' }).getByRole('button', { name: 'Clear' }).click()
  await expect(page).toHaveURL('/admin/contacts')

  // A filter by a position that nothing knows selects nothing.
  expectErrors(/status of 400/)
  await goTo(page, '/admin/applications?position=of-nobody')
  await expect(list(page)).toContainText('No applications found')
  await list(page).getByRole('link', { name: 'Show the whole inbox' }).click()
  await expect(page).toHaveURL('/admin/applications')
})

test('the first record opens by itself on a desktop, and stays unread until it is used', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['First', 'Second'], word)
  await enterAs(page, request, 'editor')
  await page.clock.install()
  const seen: string[] = []
  page.on('request', (sent) => {
    if (sent.url().endsWith('/seen')) seen.push(sent.url())
  })
  await page.goto(`/admin/contacts#q=${word}`)
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
  await page.clock.runFor(5_000)
  expect(seen).toEqual([])
  await expect(row(page, 'First')).toHaveAccessibleName(/unread/)
  await expect(page).toHaveURL(`/admin/contacts#q=${word}`)
  await detail(page).getByText('Received from the website').click()
  await expect(row(page, 'First')).not.toHaveAccessibleName(/unread/)
  await page.clock.runFor(3_000)
  await expect.poll(() => seen).toHaveLength(1)
})

test('what was read on one device is read on another, and all at once by the menu', async ({
  page,
  request,
  browser,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['First', 'Second'], word)
  const account = await signedIn(request, 'editor')
  await enter(page, account)
  await page.goto(`/admin/contacts#q=${word}`)
  const told = page.waitForResponse('**/seen')
  await row(page, 'Second').click()
  await told

  const other = await (await browser.newContext()).newPage()
  await enter(other, account)
  await other.goto(`/admin/contacts#q=${word}`)
  await expect(row(other, 'First')).toHaveAccessibleName(/unread/)
  await expect(row(other, 'Second')).not.toHaveAccessibleName(/unread/)
  await (await tool(other, 'Mark all as read')).click()
  await expect(row(other, 'First')).not.toHaveAccessibleName(/unread/)
  await other.context().close()
})

test('what a change moves to another group leaves its place to the next', async ({
  page,
  request,
}) => {
  await listNew(page, request, 'consultations', ['First', 'Second', 'Third'], 'editor')
  const heading = (name: string) => detail(page).getByRole('heading', { name })
  await expect(heading('First')).toBeVisible()
  await page.keyboard.press('e')
  await expect(list(page).getByRole('heading', { name: 'With them 1' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(heading('Second')).toBeVisible()
  await detail(page).getByRole('button', { name: 'Next record' }).click()
  await expect(heading('Third')).toBeVisible()
})

test('filters, search, order and the open record are in the URL', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'applications', ['Zoe', 'Ada', 'Mira'], word)
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/applications')
  await page.getByRole('searchbox').fill(word)
  await expect(page.getByRole('heading', { name: '3 Total Applications' })).toBeVisible()
  await (await tool(page, 'Sort and filter')).click()
  await page.getByLabel('Sort').selectOption('Name, A to Z')
  await expect(list(page).getByRole('listitem').first()).toContainText('Ada')
  await page.keyboard.press('Escape')
  await (await viewMenu(page, 'Status')).getByRole('link', { name: 'New' }).click()
  await expect(page.getByRole('heading', { name: '3 New Applications' })).toBeVisible()
  await row(page, 'Mira').click()
  await expect(detail(page).getByRole('heading', { name: 'Mira' })).toBeVisible()
  const { searchParams, hash } = new URL(page.url())
  expect(Object.fromEntries(searchParams)).toMatchObject({ sort: 'name', status: 'new' })
  expect(hash).toBe(`#q=${word}`)
  await page.reload()
  await expect(detail(page).getByRole('heading', { name: 'Mira' })).toBeVisible()
  await expect(page.getByRole('heading', { name: '3 New Applications' })).toBeVisible()
  await page.goBack()
  await expect(detail(page).getByRole('heading', { name: 'Ada' })).toBeVisible()

  // A search that was only begun does not lead back from another screen.
  await page.clock.install()
  await page.getByRole('searchbox').fill('Zo')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  await page.clock.runFor(1_000)
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
})

test('each count in the menu of views is that of the list to which it leads', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const [id] = await submit(request, 'consultations', ['Piano teacher'], word)
  const staff = await signedIn(request, 'editor')
  await request.put(`/api/consultations/${id}/draft`, {
    headers: { Authorization: `Bearer ${staff.token}` },
    data: { text: 'We tune on Fridays.' },
  })
  await enter(page, staff)
  await page.goto('/admin/consultations')
  const boxes = await viewMenu(page, 'Box')
  await expect(boxes.getByRole('link', { name: /^Trash [\d,]+$/ })).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Status' })
    .getByRole('link', { name: 'Completed' })
    .click()
  await expect(page).toHaveURL('/admin/consultations?status=completed')
  await viewMenu(page, 'Box')
  await expect(boxes.getByRole('link', { name: 'Trash', exact: true })).toBeVisible()
  const drafts = page.getByRole('link', { name: /^Drafts [1-9]/ })
  const count = /\d+/.exec((await drafts.textContent()) ?? '')?.[0]
  await drafts.click()
  await expect(page.getByRole('button', { name: `View: Drafts ${count}` })).toBeVisible()
})

test('no request line contains a search text, also when the list that it filters is downloaded', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['Cello maker'], word)
  await enterAs(page, request, 'admin')
  const asked: string[] = []
  page.on('request', (sent) => asked.push(`${sent.url()} ${sent.headers().referer ?? ''}`))
  await page.goto('/admin/contacts')
  await page.getByRole('searchbox').fill(`Cello maker ${word} 100%`)
  await expect(page.getByText('No contact messages found')).toBeVisible()
  await expect(await tool(page, 'All keys')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeHidden()
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').fill(word)
  await row(page, 'Cello maker').click()
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
  const download = page.waitForEvent('download')
  await (await tool(page, 'Download CSV')).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(file.split('\r\n')[0]).toMatch(/Name,Email,Message/i)
  expect(file).toContain('Cello maker')
  await page.getByRole('link', { name: 'Skip to content' }).focus()
  await page.keyboard.press('Enter')
  await (await viewMenu(page, 'Status')).getByRole('link', { name: 'New' }).click()
  await expect(page).toHaveURL(`/admin/contacts?status=new#q=${word}`)
  await page.reload()
  await expect(row(page, 'Cello maker')).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveValue(word)
  expect(asked.filter((line) => line.includes(word))).toEqual([])

  // A link of an older version opens the same list.
  await page.goto(`/admin/contacts?q=${word}&status=new`)
  await expect(page).toHaveURL(`/admin/contacts?status=new#q=${word}`)
  await expect(row(page, 'Cello maker')).toBeVisible()
})

test('an old link with a search text leads through the sign-in without sending the text again', async ({
  page,
}) => {
  await page.goto('/admin/contacts?q=cello%20maker&status=new')
  await expect(page.getByLabel('Email')).toBeVisible()
  const from = encodeURIComponent('/admin/contacts?status=new')
  await expect(page).toHaveURL(`/admin/login?from=${from}#q=cello%20maker`)
})

test('all matching records are ticked until one of them is unticked, changed at once, and undone at once', async ({
  page,
  request,
}) => {
  await listNew(page, request, 'consultations', numbered(55), 'admin')
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
  await box('Person 01').check()
  await box('Person 02').check()
  await expect(page.getByText('2 consultations selected')).toBeVisible()
  await page.getByLabel('Set status of the selected').selectOption('Completed')
  await expect(notice(page, '2 consultations are now Completed')).toBeVisible()
  await page.keyboard.press('z')
  await expect(notice(page, 'Undone: 2 consultations')).toBeVisible()

  await box('Person 01').check()
  await box('Person 02').check()
  await page.getByRole('button', { name: 'Select all 55' }).click()
  await expect(box('Person 03')).toBeChecked()
  await expect(page.getByText('55 consultations selected')).toBeVisible()
  await box('Person 02').uncheck()
  await expect(page.getByText('1 consultation selected')).toBeVisible()
  await expect(box('Person 01')).toBeChecked()
  await expect(box('Person 03')).not.toBeChecked()
  await page.getByRole('button', { name: 'Select all 55' }).click()
  await page.getByLabel('Set status of the selected').selectOption('Contacted')
  await page.getByRole('button', { name: 'Change 55 consultations' }).click()
  await expect(notice(page, '55 consultations changed')).toBeVisible()
  const group = (name: string) => list(page).getByRole('heading', { name })
  await expect(group('With them 55')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(group('With them')).toBeHidden()
  const statuses = await viewMenu(page, 'Status')
  await expect(statuses.getByRole('link', { name: 'Pending' })).toContainText('55')
})

test('a change of many says how many a colleague has taken out of the list', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const [id] = await submit(request, 'contacts', numbered(3), word)
  await enterAs(page, request, 'editor')
  const { token } = await signedIn(request, 'admin')
  await page.goto(`/admin/contacts#q=${word}`)
  for (const name of numbered(3))
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await request.delete(`/api/contacts/${id}`, { headers: { authorization: `Bearer ${token}` } })
  await page.getByLabel('Set status of the selected').selectOption('Handled')
  await expect(notice(page, 'Only 2 contact messages changed. 1 is not in this list')).toBeVisible()
  await page.keyboard.press('z')
  await expect(notice(page, 'Undone: 2 contact messages are as before')).toBeVisible()
})

test('rows can be set higher, which every device of the person remembers', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/)
  const word = ownWord()
  await submit(request, 'contacts', ['Bookshop'], word)
  const { token, user } = await signedIn(request, 'reviewer')
  await interceptFromStart(page)
  await enter(page, { token, user })
  await page.goto(`/admin/contacts#q=${word}`)
  const height = async () => (await list(page).getByRole('listitem').boundingBox())?.height
  await expect.poll(height).toBe(44)
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await (await tool(page, 'Comfortable rows')).click()
  await expect.poll(height).toBe(62)
  await saved
  await page.evaluate(() => sessionStorage.removeItem('lists'))
  await page.reload()
  await expect.poll(height).toBe(62)

  // What is not saved is not shown as if it were.
  await page.route('**/api/me/settings', (route) => route.abort())
  await (await tool(page, 'Compact rows')).click()
  await expect(page.getByText('The height of the rows could not be saved.')).toBeVisible()
  await expect.poll(height).toBe(62)
})

test('a row height that is chosen while the settings are still read stays', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['Bookshop'], word)
  const { token, user } = await signedIn(request, 'reviewer')
  const read = Promise.withResolvers<void>()
  const chosen = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await page.route(
    '**/api/me/settings',
    async (route) => {
      const response = await route.fetch()
      read.resolve()
      await chosen.promise
      // The page may have given it up.
      await route.fulfill({ response }).catch(() => {})
      answered.resolve()
    },
    { times: 1 },
  )
  await enter(page, { token, user })
  await page.goto(`/admin/contacts#q=${word}`)
  await read.promise
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await (await tool(page, 'Comfortable rows')).click()
  await saved
  chosen.resolve()
  await answered.promise
  await page.evaluate(() => fetch('/robots.txt'))
  const height = async () => (await list(page).getByRole('listitem').boundingBox())?.height
  await expect.poll(height).toBe(62)
})
