import type { Page } from '@playwright/test'
import { limits } from '#contract/limits.ts'
import {
  axeViolations,
  enter,
  enterAs,
  expect,
  list,
  listNew,
  numbered,
  ownWord,
  requested,
  signedIn,
  submit,
  test,
} from '../fixtures.ts'

// Saved views, and one message to many.

const viewMenu = (page: Page) => page.getByRole('button', { name: /^View:/ })

test('a view is saved by its key, opened from the menu, shared, renamed and deleted', async ({
  page,
  request,
  browser,
}) => {
  const word = ownWord()
  const name = `Bakers ${word}`
  const owner = `Bakery owner ${word}`
  await submit(request, 'consultations', [owner], word)
  await enterAs(page, request, 'editor')
  await page.goto(`/admin/consultations?status=pending&assignee=none#q=${word}`)
  await expect(list(page).getByRole('link', { name: owner })).toBeVisible()

  await page.keyboard.press('s')
  const saving = page.getByRole('dialog', { name: 'Save this view' })
  await expect(saving).toContainText(`Pending, assigned to nobody, with “${word}”, due first`)
  await saving.getByLabel('Name').fill(name)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`View saved: ${name}`)).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()

  await page.goto('/admin/consultations')
  await viewMenu(page).click()
  const saved = page.getByRole('region', { name: 'Saved by you' })
  await saved.getByRole('link', { name }).click()
  await expect(page).toHaveURL((url) => {
    const { pathname, searchParams, hash } = url
    expect(pathname).toBe('/admin/consultations')
    return (
      `${searchParams.get('status')} ${searchParams.get('assignee')} ${hash}` ===
      `pending none #q=${word}`
    )
  })
  await expect(viewMenu(page)).toHaveAccessibleName(`View: ${name} 1`)
  await viewMenu(page).click()
  await expect(saved.getByRole('link', { name })).toHaveAttribute('aria-current', /page|true/)

  await page.getByRole('button', { name: 'Edit saved views' }).click()
  const editing = page.getByRole('dialog', { name: 'Saved views' })
  await page.setViewportSize({ width: 1280, height: 240 })
  await expect(editing.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1280, height: 720 })
  await editing.getByRole('checkbox', { name: `Shared ${name}` }).check()
  await editing.getByRole('button', { name: `Rename ${name}` }).click()
  await expect(editing.getByLabel('Name')).toBeFocused()
  await editing.getByLabel('Name').fill(`${name}, late`)
  await editing.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(editing.getByRole('button', { name: `Rename ${name}, late` })).toBeVisible()

  expect(await axeViolations(page)).toEqual([])

  // A colleague who may not change it opens it by name.
  const colleague = await (await browser.newContext()).newPage()
  await enterAs(colleague, request, 'reviewer')
  await colleague.goto('/admin/consultations')
  await expect(colleague.getByRole('heading', { name: 'Consultations', exact: true })).toBeVisible()
  await colleague.keyboard.press('ControlOrMeta+k')
  await expect(colleague.getByRole('combobox', { name: 'Find or do' })).toBeFocused()
  await colleague.keyboard.type(`${name}, late`)
  await expect(colleague.getByRole('option', { selected: true })).toContainText('shared by editor-')
  await colleague.keyboard.press('Enter')
  await expect(list(colleague).getByRole('link', { name: owner })).toBeVisible()
  await expect(viewMenu(colleague)).toHaveAccessibleName(`View: ${name}, late 1`)
  await viewMenu(colleague).click()
  await expect(colleague.getByRole('region', { name: 'Shared' })).toContainText(name)
  await colleague.getByRole('button', { name: 'Edit saved views' }).click()
  await expect(colleague.getByRole('button', { name: `Delete ${name}, late` })).toHaveCount(0)
  await colleague.context().close()

  await editing.getByRole('button', { name: `Delete ${name}, late` }).click()
  await page
    .getByRole('alertdialog', { name: 'Delete view' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(editing.getByText(`${name}, late`)).toHaveCount(0)
  await expect(editing).toBeFocused()
})

test('one template goes to all that were selected, without those in spam, and is undone at once', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const names = ['Rose', 'Lily', 'Fern']
  const ids = await submit(request, 'consultations', names, word)
  const account = await signedIn(request, 'editor')
  const headers = { authorization: `Bearer ${account.token}` }
  const text = `Dear {name}, about your {service}: yes. ${word}`
  await request.post('/api/templates', { headers, data: { name: word, text } })
  await enter(page, account)
  await page.goto(`/admin/consultations#q=${word}`)
  for (const name of names)
    await list(page)
      .getByRole('checkbox', { name: new RegExp(name) })
      .check()
  await request.put(`/api/consultations/${ids[0]}`, { headers, data: { box: 'spam' } })

  await expect(page.getByRole('region', { name: 'Selected' })).toBeVisible()
  await page.keyboard.press('t')
  const dialog = page.getByRole('dialog', { name: 'Write to 3 consultations' })
  await dialog.getByLabel('Template').selectOption(word)
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText(
    `, about your ${requested}`,
  )
  await expect(dialog.getByLabel('Status')).toHaveValue('contacted')
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Send to 3 consultations' }).click()
  await expect(
    page.getByText('Message to 2 consultations leaves in 10 s. 1 left out'),
  ).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.getByText('Message to 3 consultations')).toBeHidden()

  await page.keyboard.press('z')
  await expect(page.getByText('Undone: Message to 2 consultations')).toBeVisible()
  const stateOf = async (id: string | undefined) => {
    const { data } = await (await request.get(`/api/consultations/${id}`, { headers })).json()
    const message = data.activity.find(({ kind }: { kind: string }) => kind === 'message')
    return `${data.status}, ${message?.delivery ?? 'nothing written'}`
  }
  await expect.poll(() => stateOf(ids[1])).toBe('pending, recalled')
  await expect.poll(() => stateOf(ids[2])).toBe('pending, recalled')
  expect(await stateOf(ids[0])).toBe('pending, nothing written')
})

test('a message to all sets no status where not all of them are loaded', async ({
  page,
  request,
}) => {
  const names = numbered(limits.page.default + 1)
  await listNew(page, request, 'contacts', names, 'editor')
  await page.getByRole('checkbox', { name: 'Select Person 01' }).check()
  await expect(page.getByText('1 contact message selected')).toBeVisible()
  await page.keyboard.press('t')
  const status = page.getByRole('dialog').getByLabel('Status')
  await expect(status).toHaveValue('handled')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `Select all ${names.length}` }).click()
  await expect(page.getByText(`${names.length} contact messages selected`)).toBeVisible()
  await page.keyboard.press('t')
  await expect(status).toHaveValue('')
})
