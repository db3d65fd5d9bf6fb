import type { Page } from '@playwright/test'
import {
  detail,
  enter,
  enterAs,
  expect,
  list,
  notice,
  numbered,
  ownWord,
  row,
  said,
  signedIn,
  submit,
  test,
} from '../fixtures.ts'

test('! marks the open record as spam and takes it out again; keys act after a change is undone in its notice, also where a search was typed before', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const [id] = await submit(request, 'contacts', ['Bakery'], word)
  const account = await signedIn(request, 'editor')
  const headers = { authorization: `Bearer ${account.token}` }
  const box = async () =>
    (await (await request.get(`/api/contacts/${id}`, { headers })).json()).data.box
  await enter(page, account)
  await page.goto(`/admin/contacts?id=${id}`)
  await expect(detail(page).getByRole('button', { name: 'Mark as Spam' })).toBeVisible()
  await page.keyboard.press('!')
  await expect(detail(page).getByText('Set apart because someone of the staff')).toBeVisible()
  await expect.poll(box).toBe('spam')
  await page.keyboard.press('!')
  await expect(detail(page).getByRole('button', { name: 'Mark as Spam' })).toBeVisible()
  await expect.poll(box).toBe('inbox')

  await page.getByRole('searchbox').fill(word)
  // The record that is found opens by itself, if it is owed when the list comes.
  await expect(page.getByRole('heading', { name: '1 Contact Message' })).toBeVisible()
  await expect(detail(page).getByRole('heading', { name: 'Bakery' })).toBeVisible()
  await detail(page).getByRole('button', { name: 'Mark as Handled' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(notice(page, 'Undone: Bakery is as before')).toBeVisible()
  await expect(detail(page).getByRole('button', { name: 'Mark as Handled' })).toBeVisible()
  await expect(page.getByRole('searchbox')).not.toBeFocused()
  await page.keyboard.press('e')
  await expect(notice(page, 'Bakery is now Handled')).toBeVisible()
})

test('keys of selected records do nothing to the open one while their bar is loaded', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const [open = '', other = ''] = await submit(request, 'contacts', ['Bakery', 'Florist'], word)
  const account = await signedIn(request, 'editor')
  const release = Promise.withResolvers<void>()
  await page.route('**/bulk.*.js', async (route) => {
    await release.promise
    await route.continue()
  })
  await enter(page, account)
  await page.goto(`/admin/contacts?id=${open}#q=${word}`)
  await expect(detail(page).getByRole('button', { name: 'Mark as Handled' })).toBeVisible()
  await list(page)
    .getByRole('checkbox', { name: /Florist/ })
    .check()
  await page.keyboard.press('e')
  release.resolve()
  await expect(page.getByRole('region', { name: 'Selected' })).toBeVisible()
  await page.keyboard.press('e')
  const statusOf = async (id: string) => {
    const headers = { authorization: `Bearer ${account.token}` }
    return (await (await request.get(`/api/contacts/${id}`, { headers })).json()).data.status
  }
  await expect.poll(() => statusOf(other)).toBe('handled')
  expect(await statusOf(open)).toBe('new')
})

test('twenty records are worked through with the keyboard alone', async ({ page, request }) => {
  const word = ownWord()
  const names = numbered(20)
  await submit(request, 'consultations', names, word)
  await enterAs(page, request, 'superuser')
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

test('single keys can be listed and switched off', async ({ page, request }) => {
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/contacts')
  await expect(page.getByRole('heading', { name: 'Contacts', exact: true })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expect(page).toHaveURL('/admin/applications')
  await expect(page.getByRole('searchbox', { name: 'Search applications' })).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search applications' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('main')).toBeFocused()
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
  await page.keyboard.press('Escape')
  await expect(heading('Second')).toBeFocused()
  await page.keyboard.press('a')
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

test('e moves the selected on where all have one status, and leads to the choice where they differ', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const names = ['First', 'Second', 'Third']
  const [, second] = await submit(request, 'consultations', names, word)
  const account = await signedIn(request, 'editor')
  await request.put(`/api/consultations/${second}`, {
    headers: { authorization: `Bearer ${account.token}` },
    data: { status: 'completed' },
  })
  await enter(page, account)
  await page.goto(`/admin/consultations#q=${word}`)
  const tick = async (...ticked: string[]) => {
    for (const name of ticked) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await expect(page.getByText(`${ticked.length} consultations selected`)).toBeVisible()
  }
  const choice = page.getByLabel('Set status of the selected')
  await tick(...names)
  await page.keyboard.press('e')
  await expect(choice).toBeFocused()
  await page.getByRole('checkbox', { name: 'Select Second' }).uncheck()
  await page.keyboard.press('e')
  await expect(notice(page, '2 consultations are now Contacted')).toBeVisible()
  await expect(list(page).getByRole('heading', { name: 'With them 2' })).toBeVisible()
  await tick('First', 'Third')
  await page.keyboard.press('e')
  await expect(notice(page, '2 consultations are now Completed')).toBeVisible()
  await expect(list(page).getByRole('heading', { name: 'Done 3' })).toBeVisible()
  await tick(...names)
  await page.keyboard.press('e')
  await expect(choice).toBeFocused()
})
