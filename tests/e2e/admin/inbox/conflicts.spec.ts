import {
  axeViolations,
  detail,
  enter,
  enterAs,
  expect,
  interceptFromStart,
  list,
  ownWord,
  signedIn,
  submit,
  test,
} from '../fixtures.ts'

test.beforeEach(({ page }) => interceptFromStart(page))

test('concurrent changes of one record are both shown, and one person chooses', async ({
  page,
  request,
  browser,
  expectErrors,
}) => {
  expectErrors(/status of 409/)
  const word = ownWord()
  await submit(request, 'consultations', ['Dental clinic'], word)
  await enterAs(page, request, 'superuser')
  const colleague = await (await browser.newContext()).newPage()
  await enterAs(colleague, request, 'editor')

  for (const person of [page, colleague]) {
    await person.goto(`/admin/consultations#q=${word}`)
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
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Keep what is saved' }).click()
  await expect(detail(page).getByText(/^Completed by/)).toBeVisible()

  await detail(page).getByRole('button', { name: 'Mark as Contacted' }).click()
  await expect(detail(page).getByText(/^Contacted by owner/)).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('a conflict is told each time that its dialog cannot be loaded, until it can', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 409/, /ERR_FAILED/)
  const word = ownWord()
  const [id] = await submit(request, 'consultations', ['Dental clinic'], word)
  const owner = await signedIn(request, 'superuser')
  await enter(page, owner)
  await page.route('**/_astro/conflict-dialog.*', (route) => route.abort())
  // A colleague's change arrives first.
  const assignees = [owner.user.username, null, owner.user.username]
  await page.route(`**/api/consultations/${id}**`, async (route) => {
    if (route.request().method() === 'PUT')
      await request.put(`/api/consultations/${id}`, {
        headers: { authorization: `Bearer ${owner.token}` },
        data: { assignee: assignees.shift() },
      })
    await route.continue()
  })
  await page.goto(`/admin/consultations#q=${word}`)
  for (const status of ['Contacted', 'Completed']) {
    await detail(page)
      .getByRole('button', { name: `Mark as ${status}` })
      .click()
    const told = `Someone else was faster. Not saved: Dental clinic is now ${status}`
    await expect(page.getByText(told)).toBeVisible()
  }
  await page.unroute('**/_astro/conflict-dialog.*')
  await detail(page).getByRole('button', { name: 'Mark as Contacted' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Someone else was faster' })
  await expect(dialog.getByRole('row', { name: 'Assigned to' })).toContainText('owner')
})

test('a template and a view that a colleague has changed meanwhile show what is stored', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 409/)
  const word = ownWord()
  const account = await signedIn(request, 'editor')
  const headers = { authorization: `Bearer ${account.token}` }
  const add = async (path: string, data: object): Promise<string> =>
    (await (await request.post(path, { headers, data: { name: word, ...data } })).json()).data._id
  const template = await add('/api/templates', { text: 'Hello.', kind: null })
  const view = await add('/api/views', { kind: 'contacts', filter: { status: 'handled' } })
  await enter(page, account)
  const open = async (name: string) => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type(name)
    await page.getByRole('option', { name, exact: true }).click()
    return page.getByRole('dialog', { name })
  }
  const faster = page.getByRole('alertdialog', { name: 'Someone else was faster' })

  await page.goto('/admin/contacts')
  await expect(page.getByRole('heading', { name: 'Contacts', exact: true })).toBeVisible()
  const templates = await open('Templates')
  await templates.getByRole('button', { name: `Edit ${word}` }).click()
  await request.put(`/api/templates/${template}`, { headers, data: { text: 'Dear all.' } })
  await templates.getByLabel('Text').fill('Good day.')
  await templates.getByRole('button', { name: 'Save template' }).click()
  await expect(faster.getByRole('cell', { name: 'Dear all.' })).toBeVisible()
  await faster.getByRole('button', { name: 'Save my change' }).click()
  await expect(templates.getByRole('button', { name: 'New template' })).toBeVisible()
  await templates.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: /^View:/ }).click()
  await page.getByRole('button', { name: 'Edit saved views' }).click()
  const views = page.getByRole('dialog', { name: 'Saved views' })
  await views.getByRole('button', { name: `Rename ${word}` }).click()
  await request.put(`/api/views/${view}`, { headers, data: { name: `${word} hers` } })
  await views.getByLabel('Name').fill(`${word} his`)
  await views.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(faster.getByRole('cell', { name: `${word} hers` })).toBeVisible()
  await faster.getByRole('button', { name: 'Keep what is saved' }).click()
  await expect(views.getByRole('button', { name: `Rename ${word} hers` })).toBeVisible()

  const stored = async (path: string, id: string) =>
    (await (await request.get(path, { headers })).json()).data.find(
      ({ _id }: { _id: string }) => _id === id,
    )
  expect(await stored('/api/templates', template)).toMatchObject({ text: 'Good day.', version: 3 })
  expect(await stored('/api/views', view)).toMatchObject({ name: `${word} hers`, version: 2 })
})
