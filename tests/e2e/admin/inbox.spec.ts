import { readFile } from 'node:fs/promises'
import type { Page, Request, Response } from '@playwright/test'
import { samples } from '#server/intake/samples.ts'
import { serviceLabel } from '#site/content.ts'
import {
  appliedFor,
  axeEverywhere,
  axeViolations,
  brandName,
  enter,
  expect,
  interceptFromStart,
  ownWord,
  said,
  signedIn,
  submit,
  test,
  tool,
  viewMenu,
} from './fixtures.ts'

const list = (page: Page) => page.getByRole('region', { name: 'List' })
const detail = (page: Page) => page.getByRole('region', { name: 'Detail' })
const row = (page: Page, name: string) => list(page).getByRole('link', { name })
const notice = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `Person ${String(index + 1).padStart(2, '0')}`)

test('a consultation shows all that was sent, and what can be done with it', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'consultations', ['Bakery owner'], word)
  await enter(page, await signedIn(request, 'superuser'))
  await page.goto(`/admin/consultations#q=${word}`)
  await expect(page.getByRole('heading', { name: '1 Total Consultations' })).toBeVisible()
  const open = detail(page)
  await expect(open.getByRole('heading', { name: 'Bakery owner' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('No Consultation Selected')).toBeVisible()
  await row(page, 'Bakery owner').click()
  await expect(page).toHaveURL(/id=/)
  await expect(open.getByRole('heading', { name: 'Bakery owner' })).toBeVisible()
  await expect(open.getByText(serviceLabel(String(samples.consultations.service)))).toBeVisible()
  await expect(open.getByRole('definition').filter({ hasText: 'N/A' })).toHaveCount(1)
  await expect(open.getByText('Reply by')).toBeVisible()
  await expect(open.getByRole('link', { name: 'Send Email' })).toHaveAttribute(
    'href',
    `mailto:${word}@example.test?subject=Regarding%20Your%20Consultation%20Request`,
  )

  await open.getByRole('button', { name: 'Mark as Contacted' }).click()
  await expect(open.getByText(/^Contacted by owner on .+ at \d\d:\d\d$/)).toBeVisible()
  await expect(open.getByRole('button', { name: 'Mark as Contacted' })).toBeHidden()
  await expect(open.getByRole('button', { name: 'Mark as Completed' })).toBeVisible()
  await expect(open.getByText('owner changed the status from Pending to Contacted')).toBeVisible()

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(notice(page, 'Undone: Bakery owner is as before')).toBeVisible()
  await expect(open.getByRole('button', { name: 'Mark as Contacted' })).toBeVisible()
  await expect(open.getByText(/^Contacted by/)).toBeHidden()
  await page.reload()
  await expect(open.getByRole('button', { name: 'Mark as Contacted' })).toBeVisible()
})

test('an application and a message have their own words', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'applications', ['Asha'], word)
  await submit(request, 'contacts', ['Asha'], word)
  await enter(page, await signedIn(request, 'superuser'))

  await page.goto(`/admin/applications#q=${word}`)
  const open = detail(page)
  await expect(open.getByRole('heading', { name: 'Asha' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('No Application Selected')).toBeVisible()
  await row(page, 'Asha').click()
  await expect(open.getByRole('link', { name: 'Send Email' })).toHaveAttribute(
    'href',
    `mailto:${word}@example.test?subject=Regarding%20Your%20Application%20for%20${encodeURIComponent(appliedFor)}`,
  )
  const resume = open.getByRole('link', { name: 'Open' })
  await expect(resume).toHaveAttribute('rel', 'noopener noreferrer')
  await expect(open.getByText('drive.example.com', { exact: true })).toBeVisible()
  for (const name of ['Mark as Reviewing', 'Mark as Interviewed', 'Accept Application'])
    await expect(open.getByRole('button', { name })).toBeVisible()
  await open.getByRole('button', { name: 'Reject Application' }).click()
  await expect(open.getByRole('button', { name: 'Reject Application' })).toBeHidden()

  await open.getByRole('link', { name: 'Contact message' }).click()
  await expect(page.getByRole('heading', { name: '1 Contact Message' })).toBeHidden()
  await expect(open.getByRole('link', { name: 'Reply via Email' })).toHaveAttribute(
    'href',
    `mailto:${word}@example.test?subject=Re%3A%20Your%20Message%20to%20${encodeURIComponent(brandName)}`,
  )
  await open.getByRole('button', { name: 'Mark as Handled' }).click()
  await expect(open.getByText(/^Handled by owner on/)).toBeVisible()
})

test('! marks the open record as spam, as in the run, and takes it out again', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const [id] = await submit(request, 'contacts', ['Bakery'], word)
  await enter(page, await signedIn(request, 'editor'))
  await page.goto(`/admin/contacts?id=${id}`)
  await expect(detail(page).getByRole('button', { name: 'Mark as Spam' })).toBeVisible()
  await page.keyboard.press('!')
  await expect(detail(page).getByText('Set apart because someone of the staff')).toBeVisible()
  await page.keyboard.press('!')
  await expect(detail(page).getByRole('button', { name: 'Mark as Spam' })).toBeVisible()
})

test('twenty records are worked through with the keyboard alone', async ({ page, request }) => {
  const word = ownWord()
  const names = numbered(20)
  await submit(request, 'consultations', names, word)
  await enter(page, await signedIn(request, 'superuser'))
  await page.goto(`/admin/consultations?status=pending&sort=createdAt#q=${word}`)
  await expect(page.getByRole('heading', { name: '20 Pending Consultations' })).toBeVisible()
  const hasFocus = () =>
    expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)

  for (const [index, name] of names.slice(0, 15).entries()) {
    // The first is open.
    if (index > 0) await page.keyboard.press('j')
    await expect(detail(page).getByRole('heading', { name })).toBeVisible()
    await page.keyboard.press('e')
    await expect(notice(page, `${name} is now Contacted`)).toBeVisible()
    if (index === 0) continue
    await hasFocus()
  }
  for (const name of names.slice(15)) {
    await page.keyboard.press('j')
    await expect(detail(page).getByRole('heading', { name })).toBeVisible()
    await page.keyboard.press('#')
    await expect(page.getByText('Are you sure you want to delete this consultation?')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(notice(page, `${name} is in the trash`)).toBeVisible()
    await hasFocus()
  }
  await expect(page.getByRole('heading', { name: '0 Pending Consultations' })).toBeVisible()
  await expect(page.getByText('No consultations found')).toBeVisible()

  await page.keyboard.press('z')
  await expect(notice(page, 'Undone: Person 20 is as before')).toBeVisible()
  await expect(page.getByRole('heading', { name: '1 Pending Consultations' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(detail(page).getByRole('heading', { name: 'Person 20' })).toBeVisible()
  await page.keyboard.press('n')
  await page.keyboard.type('Ask for photos')
  await page.keyboard.press('Control+Enter')
  await expect(said(page, 'Note by owner', 'Ask for photos')).toBeVisible()
})

test('a message that was recalled says so in the activity', async ({ page, request }) => {
  const word = ownWord()
  const [id] = await submit(request, 'contacts', ['Bakery'], word)
  const { token, user } = await signedIn(request, 'editor')
  const headers = { authorization: `Bearer ${token}` }
  const sent = await request.post(`/api/contacts/${id}/messages`, { headers, data: { text: 'Hi' } })
  const { event } = (await sent.json()).meta
  const undone = await request.post('/api/undo', { headers, data: { event } })
  expect(undone.ok()).toBe(true)
  await enter(page, { token, user })
  await page.goto(`/admin/contacts?id=${id}#q=${word}`)
  await expect(said(page, `Message by ${user.username}`, 'Hi')).toBeVisible()
  await expect(said(page, `Message by ${user.username}`, 'Recalled, never sent')).toBeVisible()
})

test('single keys can be listed and switched off', async ({ page, request }) => {
  await enter(page, await signedIn(request, 'superuser'))
  await page.goto('/admin/contacts')
  await expect(page.getByRole('heading', { name: 'Contacts', exact: true })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expect(page).toHaveURL('/admin/applications')
  await expect(page.getByRole('searchbox', { name: 'Search applications' })).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search applications' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('checkbox', { name: /single-key shortcuts/ }).uncheck()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await page.keyboard.press('?')
  await expect(page).toHaveURL('/admin/applications')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.goto('/admin/account')
  await expect(page.getByText('They are off on this device.')).toBeVisible()
  await page.getByRole('button', { name: 'Switch them on here' }).click()
  await page.getByRole('checkbox', { name: /single-key shortcuts on this device/ }).check()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('They are off on this device.')).toBeHidden()
})

/** The open record's head right after a key, before another event, timer or frame. */
const headAfterKey = (page: Page, key: string): Promise<string | null | undefined> =>
  page.evaluate(async (pressed) => {
    document.dispatchEvent(new KeyboardEvent('keydown', { key: pressed }))
    const { port1, port2 } = new MessageChannel()
    await new Promise((resolve) => {
      port1.onmessage = resolve
      port2.postMessage(null)
    })
    return document.querySelector('[aria-label="Detail"] header')?.textContent
  }, key)

test('keys move, open, assign and select, until they are switched off', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['First', 'Second', 'Third'], word)
  const { token, user } = await signedIn(request, 'editor')
  await enter(page, { token, user })
  await page.goto(`/admin/contacts#q=${word}`)
  const heading = (name: string) => detail(page).getByRole('heading', { name })
  await expect(heading('First')).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(heading('Third')).toBeVisible()
  await page.keyboard.press('k')
  await expect(heading('Second')).toBeVisible()
  // A record that is back where it was leads on to the next as before.
  const done = list(page).getByRole('heading', { name: 'Done' })
  expect(await headAfterKey(page, 'e')).toContain('Handled by')
  await expect(done).toBeVisible()
  await page.keyboard.press('z')
  await expect(done).toBeHidden()
  await page.keyboard.press('j')
  await expect(heading('Third')).toBeVisible()
  await page.keyboard.press('k')
  await expect(heading('Second')).toBeVisible()
  await expect(row(page, 'Second')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(heading('Second')).toBeFocused()
  await page.keyboard.press('a')
  await expect(detail(page).getByLabel('Assigned to')).toBeFocused()
  // Once somebody is chosen, letters are keys again and choose nobody else.
  await detail(page).getByLabel('Assigned to').selectOption(user.username)
  await expect(notice(page, `Second is assigned to ${user.username}`)).toBeVisible()
  await expect(heading('Second')).toBeFocused()
  // A key that is held acts once.
  await page.keyboard.down('x')
  await page.keyboard.down('x')
  await page.keyboard.up('x')
  await expect(page.getByText('1 contact message selected')).toBeVisible()
  // What is selected goes before what is open.
  await page.keyboard.press('a')
  await expect(page.getByLabel('Assign the selected')).toBeFocused()
  await heading('Second').focus()

  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('checkbox', { name: /single-key shortcuts/ }).click()
  await page.getByRole('button', { name: 'Close' }).click()
  for (const key of ['j', 'e', 'x', 'n', 'z', '?']) await page.keyboard.press(key)
  await expect(heading('Second')).toBeVisible()
  await expect(page.getByText('1 contact message selected')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mark as Handled' })).toBeVisible()
  await expect(page.getByLabel('Note')).toBeHidden()
  await expect(page.getByRole('dialog')).toBeHidden()
})

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
  await page.goto(`/admin/consultations#q=${word}`)
  await expect(rows).toHaveCount(4)
  await expect(rows).toContainText(['Waiting longest', 'Just in', 'Set aside', 'Answered'])
  await expect(rows.nth(2)).toContainText(/back \w{3} \d\d:\d\d/)
  await expect(list(page).getByRole('heading', { name: 'Done 1' })).toBeVisible()
})

test('the first record opens by itself on a desktop, and stays unread until it is used', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['First', 'Second'], word)
  await enter(page, await signedIn(request, 'editor'))
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
  const word = ownWord()
  await submit(request, 'consultations', ['First', 'Second', 'Third'], word)
  await enter(page, await signedIn(request, 'editor'))
  await page.goto(`/admin/consultations#q=${word}`)
  const heading = (name: string) => detail(page).getByRole('heading', { name })
  await expect(heading('First')).toBeVisible()
  await page.keyboard.press('e')
  await expect(list(page).getByRole('heading', { name: 'With them 1' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(heading('Second')).toBeVisible()
  await detail(page).getByRole('button', { name: 'Next record' }).click()
  await expect(heading('Third')).toBeVisible()
})

test('a deletion asks for confirmation, shows at once, and can be undone', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['Choir secretary', 'Café owner'], word)
  await enter(page, await signedIn(request, 'admin'))
  await page.goto(`/admin/contacts#q=${word}`)
  await row(page, 'Choir secretary').click()
  await detail(page).getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Are you sure you want to delete this contact message?')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, 'Choir secretary')).toBeVisible()
  await detail(page).getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(row(page, 'Choir secretary')).toBeHidden()
  await expect(page.getByText('No Message Selected')).toBeVisible()
  await expect(page.getByRole('heading', { name: '1 Contact Message', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'Choir secretary')).toBeVisible()
  await expect(page.getByRole('heading', { name: '2 Contact Messages' })).toBeVisible()

  await page.getByRole('checkbox', { name: 'Select Choir secretary' }).check()
  await page.getByRole('checkbox', { name: 'Select Café owner' }).check()
  const selected = page.getByRole('region', { name: 'Selected' })
  await selected.getByRole('button', { name: 'Delete' }).click()
  await expect(question).toContainText('They go to the trash and can come back.')
})

test('spam shows its reasons and can be released; trash can be restored', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const links = Array.from({ length: 7 }, (_, n) => `http://${n}.example`).join(' ')
  await submit(request, 'contacts', ['Link farm'], word, { message: `${word} ${links}` })
  await enter(page, await signedIn(request, 'admin'))
  await page.goto(`/admin/contacts#q=${word}`)
  await expect(page.getByText('No contact messages found')).toBeVisible()
  await (await viewMenu(page, 'Box')).getByRole('link', { name: /Spam/ }).click()
  await row(page, 'Link farm').click()
  await expect(detail(page).getByText('the text holds more than 5 links')).toBeVisible()
  await detail(page).getByRole('button', { name: 'Not Spam' }).click()
  await expect(row(page, 'Link farm')).toBeHidden()
  await (await viewMenu(page, 'Box')).getByRole('link', { name: /Inbox/ }).click()
  await row(page, 'Link farm').click()
  await detail(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await (await viewMenu(page, 'Box')).getByRole('link', { name: /Trash/ }).click()
  await row(page, 'Link farm').click()
  await detail(page).getByRole('button', { name: 'Restore' }).click()
  await expect(row(page, 'Link farm')).toBeHidden()
  await (await viewMenu(page, 'Box')).getByRole('link', { name: /Inbox/ }).click()
  await expect(row(page, 'Link farm')).toBeVisible()
})

test('filters, search, order and the open record are in the URL', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'applications', ['Zoe', 'Ada', 'Mira'], word)
  await enter(page, await signedIn(request, 'superuser'))
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

test('no request line contains a search text', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'contacts', ['Cello maker'], word)
  await enter(page, await signedIn(request, 'admin'))
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
  expect(await readFile(await (await download).path(), 'utf8')).toContain('Cello maker')
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

test('all matching records are changed at once, and undone at once', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'consultations', numbered(55), word)
  await enter(page, await signedIn(request, 'admin'))
  await page.goto(`/admin/consultations#q=${word}`)
  await page.getByRole('checkbox', { name: 'Select Person 01' }).check()
  await page.getByRole('checkbox', { name: 'Select Person 02' }).check()
  await expect(page.getByText('2 consultations selected')).toBeVisible()
  await page.getByLabel('Set status of the selected').selectOption('Completed')
  await expect(notice(page, '2 consultations are now Completed')).toBeVisible()
  await page.keyboard.press('z')
  await expect(notice(page, 'Undone: 2 consultations')).toBeVisible()

  await page.getByRole('checkbox', { name: 'Select Person 01' }).check()
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

test('a message shows the full date and time of its arrival', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'contacts', ['Harbour office'], word)
  await enter(page, await signedIn(request, 'reviewer'))
  await page.goto(`/admin/contacts#q=${word}`)
  await row(page, 'Harbour office').click()
  const detail = page.getByRole('region', { name: 'Detail' })
  await expect(
    detail.getByRole('definition').filter({ hasText: /^\d+ \w+ \d{4} at \d\d:\d\d$/ }),
  ).toBeVisible()
})

const isPolling = (answer: Response) => answer.request().headers()['x-background'] === '1'

test('a screen that is left open does not count as use of the session', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['First'], word)
  await enter(page, await signedIn(request, 'reviewer'))
  await page.clock.install()
  for (const screen of [`contacts#q=${word}`, 'dashboard']) {
    await page.goto(`/admin/${screen}`)
    await expect(page.getByRole('link', { name: 'First' }).first()).toBeVisible()
    if (screen !== 'dashboard') {
      const seen = page.waitForResponse('**/seen')
      await row(page, 'First').click()
      await expect(detail(page).getByText('Received from the website')).toBeVisible()
      await seen
    }
    await page.waitForLoadState('networkidle')
    const counted: string[] = []
    const polls: string[] = []
    const note = (sent: Request) =>
      (sent.headers()['x-background'] === '1' ? polls : counted).push(sent.url())
    page.on('request', note)
    // Arrivals are fetched too.
    await submit(request, 'contacts', ['Later'], word)
    await page.clock.runFor(16_000)
    await page.clock.runFor(16_000)
    await expect(page.getByRole('link', { name: 'Later' }).first()).toBeVisible()
    await expect.poll(() => polls.length).toBeGreaterThan(1)
    page.off('request', note)
    expect(counted).toEqual([])
  }
})

test('new arrivals appear without a reload', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'contacts', ['First'], word)
  await enter(page, await signedIn(request, 'superuser'))
  await page.clock.install()
  const polled = page.waitForResponse(isPolling)
  await page.goto(`/admin/contacts#q=${word}`)
  await expect(row(page, 'First')).toBeVisible()
  await (await polled).finished()
  await submit(request, 'contacts', ['Second'], word)
  await page.clock.runFor(20_000)
  await expect(row(page, 'Second')).toBeVisible()
  await expect(page.getByRole('heading', { name: '2 Contact Messages' })).toBeVisible()
  const arrivals = page.getByRole('button', { name: '1 new' })
  await arrivals.click()
  await expect(row(page, 'Second')).toBeFocused()
  await expect(arrivals).toBeHidden()
})

test('a hidden tab sends no request, and is updated as soon as it is shown', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['First'], word)
  await enter(page, await signedIn(request, 'reviewer'))
  await page.clock.install()
  await page.goto(`/admin/contacts#q=${word}`)
  await row(page, 'First').click()
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const show = (state: 'hidden' | 'visible') =>
    page.evaluate((visibility) => {
      Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }, state)
  await show('hidden')
  const asked: string[] = []
  page.on('request', (sent) => asked.push(sent.url()))
  await submit(request, 'contacts', ['Second'], word)
  await page.clock.runFor(10 * 60_000)
  expect(asked).toEqual([])
  await show('visible')
  await expect(row(page, 'Second')).toBeVisible()
})

test('the filtered list can be downloaded', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'contacts', ['Garden centre'], word)
  await enter(page, await signedIn(request, 'admin'))
  await page.goto(`/admin/contacts#q=${word}`)
  await expect(row(page, 'Garden centre')).toBeVisible()
  const download = page.waitForEvent('download')
  await (await tool(page, 'Download CSV')).click()
  const file = await (await download).path()
  const text = await readFile(file, 'utf8')
  expect(text.split('\r\n')[0]).toMatch(/Name,Email,Message/i)
  expect(text).toContain('Garden centre')
})

test('what visitors typed is shown as text only', async ({ page, request }) => {
  const word = ownWord()
  const hostile = `<img src=x onerror="document.title='taken'"> "'&{{7*7}}`
  await submit(request, 'applications', [hostile], word, {
    coverLetter: `${hostile}\n<script>document.title='taken'</script> ${word}`,
    location: hostile,
    university: hostile,
    major: hostile,
  })
  await enter(page, await signedIn(request, 'superuser'))
  await page.goto(`/admin/applications#q=${word}`)
  await list(page).getByRole('listitem').getByRole('link').click()
  await expect(detail(page).getByRole('heading', { name: '<img src=x' })).toBeVisible()
  await expect(detail(page).getByText('<script>document.title')).toBeVisible()
  await expect(page).toHaveTitle(`Applications | ${brandName}`)
  expect(await page.locator('#main img').count()).toBe(0)
})

test('on a phone the detail replaces the list', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'consultations', ['Yoga studio', 'Bookshop'], word)
  await page.setViewportSize({ width: 390, height: 844 })
  await enter(page, await signedIn(request, 'superuser'))
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
  await page.goto(`/admin/consultations#q=${word}`)
  const rows = list(page).getByRole('listitem')
  await expect(rows).toHaveCount(12)
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

  await page.goto(`/admin/consultations#q=${word}`)
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
  await page.evaluate(() => localStorage.removeItem('lists'))
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

test('axe finds nothing with every part open', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'applications', ['Asha', 'Ben'], word)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/admin/login')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await enter(page, await signedIn(request, 'superuser'))
  await page.goto(`/admin/applications#q=${word}`)
  await row(page, 'Asha').click()
  await page.getByText('Background').click()
  await page.getByRole('checkbox', { name: 'Select Ben' }).check()
  await expect(detail(page).getByText('From the same person')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect((await viewMenu(page, 'Status')).getByRole('link', { name: 'New' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  const sort = await tool(page, 'Sort and filter')
  await expect(sort).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await sort.click()
  await expect(page.getByLabel('Assigned to').first()).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
})

test('axe finds nothing on a list, a record, a question and an empty list, in both themes and on a phone', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'consultations', ['Tutoring centre'], word)
  await enter(page, await signedIn(request, 'superuser'))
  await page.goto(`/admin/consultations#q=${word}`)
  await expect(row(page, 'Tutoring centre')).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])
  await row(page, 'Tutoring centre').click()
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
  await page.keyboard.press('n')
  await page.keyboard.press('Escape')
  await page.keyboard.press('e')
  await expect(notice(page, 'is now Contacted')).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])
  await page.keyboard.press('#')
  expect(await axeEverywhere(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.goto('/admin/contacts#q=nothing-like-this')
  await expect(page.getByText('No contact messages found')).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])
})
