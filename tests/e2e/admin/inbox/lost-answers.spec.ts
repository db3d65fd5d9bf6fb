import type { APIRequestContext, Page, Route } from '@playwright/test'
import type { ActivityEntry } from '#contract/inbox.ts'
import {
  detail,
  enter,
  expect,
  interceptFromStart,
  list,
  listNew,
  openNew,
  ownWord,
  signedIn,
  submit,
  test,
  tryNow,
} from '../fixtures.ts'

test.beforeEach(({ page }) => interceptFromStart(page))

/** The server takes the call; its answer never arrives. */
const loseAnswer = async (route: Route) => {
  await route.fetch()
  await route.abort()
}

/** Loses the first answer to a call. */
const loseFirstAnswer = async (page: Page, calls: string, method: string) => {
  let isLost = false
  await page.route(calls, (route) => {
    if (isLost || route.request().method() !== method) return route.fallback()
    isLost = true
    return loseAnswer(route)
  })
}

/** The entries of one kind in a message's activity, as stored. */
const entriesOf = async (
  request: APIRequestContext,
  { token }: { token: string },
  id: string,
  kind: ActivityEntry['kind'],
): Promise<ActivityEntry[]> => {
  const headers = { authorization: `Bearer ${token}` }
  const { data } = await (await request.get(`/api/contacts/${id}`, { headers })).json()
  return data.activity.filter((entry: ActivityEntry) => entry.kind === kind)
}

test('a change whose answer was lost is made once, and undone', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/)
  await openNew(page, request, 'contacts', 'Bike shop', 'admin')
  const open = detail(page)
  const unsaved = page.getByRole('region', { name: 'Not saved yet' })

  await loseFirstAnswer(page, '**/api/contacts/*', 'PUT')
  await page.keyboard.press('e')
  await expect(unsaved).toBeVisible()
  await tryNow(unsaved)
  await expect(unsaved).toBeHidden()
  await expect(open.getByText(/changed the status/)).toHaveCount(1)

  await loseFirstAnswer(page, '**/api/undo', 'POST')
  await page.keyboard.press('z')
  await expect(unsaved).toBeVisible()
  await tryNow(unsaved)
  await expect(unsaved).toBeHidden()
  await expect(open.getByText(/undid a change/)).toHaveCount(1)
  await expect(open.getByRole('button', { name: 'Mark as Handled' })).toBeVisible()
  await expect(page.getByText('Someone has changed the record since')).toBeHidden()

  await loseFirstAnswer(page, '**/api/contacts/*', 'DELETE')
  await page.keyboard.press('#')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(unsaved).toBeVisible()
  await tryNow(unsaved)
  await expect(unsaved).toBeHidden()
  await page.keyboard.press('z')
  await expect(list(page).getByRole('link', { name: 'Bike shop' })).toBeVisible()
})

test('a change whose answer was lost is undone by z or Discard before it is sent again', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/)
  await openNew(page, request, 'contacts', 'Bike shop', 'admin')
  const open = detail(page)
  const unsaved = page.getByRole('region', { name: 'Not saved yet' })

  for (const [index, by] of ['z', 'Discard'].entries()) {
    await loseFirstAnswer(page, '**/api/contacts/*', 'PUT')
    await page.keyboard.press('e')
    await expect(unsaved).toBeVisible()
    if (by === 'z') await page.keyboard.press('z')
    else await unsaved.getByRole('button', { name: 'Discard' }).click()
    await expect(open.getByText(/undid a change/)).toHaveCount(index + 1)
    await expect(open.getByText(/changed the status/)).toHaveCount(index + 1)
    await expect(open.getByRole('button', { name: 'Mark as Handled' })).toBeVisible()
    await expect(unsaved).toBeHidden()
  }
})

test('a view, its new name and a template whose answer was lost are stored once', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/)
  const word = ownWord()
  const account = await signedIn(request, 'editor')
  const headers = { authorization: `Bearer ${account.token}` }
  await enter(page, account)
  await page.goto(`/admin/contacts?status=handled#q=${word}`)
  await expect(page.getByRole('heading', { name: 'Contacts', exact: true })).toBeVisible()

  await loseFirstAnswer(page, '**/api/views', 'POST')
  await page.keyboard.press('s')
  await page.getByRole('dialog').getByLabel('Name').fill(word)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByText(`View saved: ${word}`)).toBeVisible()

  const keys = new Set<string | undefined>()
  page.on('request', (sent) => {
    if (sent.method() === 'PUT') keys.add(sent.headers()['idempotency-key'])
  })
  await loseFirstAnswer(page, '**/api/views/*', 'PUT')
  await page.getByRole('button', { name: /^View:/ }).click()
  await page.getByRole('button', { name: 'Edit saved views' }).click()
  const editing = page.getByRole('dialog', { name: 'Saved views' })
  await editing.getByRole('button', { name: `Rename ${word}` }).click()
  await editing.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(editing.getByRole('alert')).toBeVisible()
  await editing.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(editing.getByRole('button', { name: `Rename ${word}` })).toBeVisible()
  expect([...keys]).toEqual([expect.any(String)])
  await editing.getByRole('button', { name: 'Close' }).click()

  await loseFirstAnswer(page, '**/api/templates', 'POST')
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('templates')
  await page.getByRole('option', { name: 'Templates', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Templates' })
  await dialog.getByRole('button', { name: 'New template' }).click()
  await dialog.getByLabel('Name').fill(word)
  await dialog.getByLabel('Text').fill('Thank you.')
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await expect(dialog.getByRole('button', { name: 'New template' })).toBeVisible()

  for (const path of ['/api/views', '/api/templates']) {
    const { data } = await (await request.get(path, { headers })).json()
    expect(data.filter(({ name }: { name: string }) => name === word)).toHaveLength(1)
  }
})

test('a change of many whose answer was lost can be undone', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/)
  await listNew(page, request, 'contacts', ['Bike shop', 'Book shop'], 'admin')
  for (const name of ['Bike shop', 'Book shop'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await loseFirstAnswer(page, '**/api/contacts/bulk', 'POST')
  await page.getByLabel('Set status of the selected').selectOption('Handled')
  const unsaved = page.getByRole('region', { name: 'Not saved yet' })
  await expect(unsaved).toBeVisible()
  await tryNow(unsaved)
  await expect(unsaved).toBeHidden()
  const group = (name: string) => list(page).getByRole('heading', { name })
  await expect(group('Done 2')).toBeVisible()
  await page.keyboard.press('z')
  await expect(group('Due 2')).toBeVisible()
})

test('a note that the server fails to store is kept, and one whose answer was lost is written once', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 500|ERR_FAILED/)
  const [id = ''] = await submit(request, 'contacts', ['Bike shop'], ownWord())
  const account = await signedIn(request, 'admin')
  await enter(page, account)
  await page.goto(`/admin/contacts?id=${id}`)
  await page.getByRole('button', { name: 'Add a note' }).click()
  await page.getByLabel('Note').fill('Call on Monday')
  await page.route(
    '**/api/contacts/*/notes',
    (route) =>
      route.fulfill({ status: 500, json: { success: false, code: 'internal', message: '' } }),
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(page.getByText('Not saved: the server cannot answer at the moment')).toBeVisible()
  await expect(page.getByLabel('Note')).toHaveValue('Call on Monday')
  await loseFirstAnswer(page, '**/api/contacts/*/notes', 'POST')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(page.getByText('Not saved: the server cannot be reached')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Note saved' })).toBeVisible()
  expect(await entriesOf(request, account, id, 'note')).toHaveLength(1)
})

/** Once the server has taken a call, the next read of the record fails. */
const failReadAfter = (page: Page, calls: string, id: string) =>
  page.route(calls, async (route) => {
    const response = await route.fetch()
    await page.route(
      new RegExp(`/api/contacts/${id}(\\?|$)`),
      (read) =>
        read.fulfill({ status: 500, json: { success: false, code: 'internal', message: '' } }),
      { times: 1 },
    )
    await route.fulfill({ response })
  })

test('a message is sent, and undone, although the record cannot be read after it', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 500/)
  const [id = ''] = await submit(request, 'contacts', ['Bike shop'], ownWord())
  const account = await signedIn(request, 'editor')
  await enter(page, account)
  await page.goto(`/admin/contacts?id=${id}`)
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
  await failReadAfter(page, `**/api/contacts/${id}/messages**`, id)
  await failReadAfter(page, '**/api/undo', id)

  await page.keyboard.press('r')
  const reply = detail(page).getByRole('textbox', { name: /^Reply via Email/ })
  await reply.fill('We deliver on Fridays.')
  await page.keyboard.press('Control+Enter')
  await expect(detail(page).getByText(/Sending in \d+ s/)).toBeVisible()
  await expect(page.getByText('was not sent')).toBeHidden()
  expect(await entriesOf(request, account, id, 'message')).toHaveLength(1)

  await page.keyboard.press('z')
  await expect(detail(page).getByText('Recalled, never sent')).toBeVisible()
  await expect(reply).toHaveValue('We deliver on Fridays.')
  await expect(page.getByText('Failed to undo')).toBeHidden()
})
