// Tokens, webhooks, agents, and where enquiries come from.

import type { APIRequestContext } from '@playwright/test'
import type { Scope } from '#contract/http/access.ts'
import {
  axeEverywhere,
  enter,
  enterAs,
  expect,
  goTo,
  ownWord,
  signedIn,
  submit,
  test,
} from '#tests/e2e/admin/fixtures.ts'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const makeToken = async (
  request: APIRequestContext,
  session: string,
  name: string,
  scopes: readonly Scope[],
): Promise<string> => {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const made = await request.post('/api/me/tokens', {
    headers: bearer(session),
    data: { name, scopes, expiresAt },
  })
  expect(made.status()).toBe(201)
  return (await made.json()).data.token
}

/** Calls a tool as an agent does. */
const callTool = async (
  request: APIRequestContext,
  token: string,
  name: string,
  args: object,
): Promise<void> => {
  const answer = await request.post('/api/mcp', {
    headers: bearer(token),
    data: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  })
  expect((await answer.json()).result.isError).toBeUndefined()
}

test('a token is made in the account, shown once, which no Escape takes away, works and ends', async ({
  page,
  request,
}) => {
  const release = Promise.withResolvers<void>()
  await page.route('**/api/me/tokens', async (route) => {
    if (route.request().method() === 'POST') await release.promise
    await route.continue()
  })
  await enter(page, await signedIn(request, 'reviewer'))
  await page.goto('/admin/account')
  const panel = page.getByRole('region', { name: 'Programs' })
  await expect(panel.getByRole('table')).toHaveCount(0)
  await panel.getByRole('button', { name: 'Make a token' }).click()
  const dialog = page.getByRole('dialog')
  const escapeTwice = async () => {
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
  }
  await dialog.getByRole('checkbox', { name: /^Read/ }).uncheck()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Night shift')
  await dialog.getByRole('button', { name: 'Make token' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Choose what the program may do')
  await dialog.getByRole('checkbox', { name: /^Read/ }).check()
  expect(await axeEverywhere(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Make token' }).click()
  await expect(dialog.getByRole('button', { name: 'Making...' })).toBeVisible()
  await escapeTwice()
  await dialog.getByRole('button', { name: 'Cancel' }).dispatchEvent('click')
  release.resolve()
  const shown = dialog.getByLabel('Token', { exact: true })
  await expect(shown).toBeFocused()
  await escapeTwice()
  const token = await shown.textContent()
  expect(token).toMatch(/^fl_/)
  const read = () => request.get('/api/contacts', { headers: bearer(token ?? '') })
  expect((await read()).status()).toBe(200)
  await dialog.getByRole('button', { name: 'I have kept it' }).click()
  await expect(dialog).toBeHidden()
  await expect(panel.getByRole('row', { name: /Night shift/ })).toContainText('Read')
  await expect(page.getByText(token ?? '')).toHaveCount(0)

  await panel.getByRole('button', { name: 'End Night shift' }).click()
  await page.getByRole('button', { name: 'End token' }).click()
  await expect(panel.getByRole('table')).toHaveCount(0)
  expect((await read()).status()).toBe(401)
})

test.describe('east of Greenwich', () => {
  test.use({ timezoneId: 'Asia/Kolkata' })

  test('a token ends on the day that was chosen', async ({ page, request }) => {
    await enter(page, await signedIn(request, 'reviewer'))
    await page.goto('/admin/account')
    await page.getByRole('button', { name: 'Make a token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Night shift')
    const inAWeek = new Date(Date.now() + 7 * 86_400_000)
    await dialog.getByLabel('Ends on').fill(inAWeek.toISOString().slice(0, 10))
    await dialog.getByRole('button', { name: 'Make token' }).click()
    await dialog.getByRole('button', { name: 'I have kept it' }).click()
    await expect(page.getByRole('row', { name: /Night shift/ })).toContainText(
      inAWeek.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
    )
  })
})

test('the switches keep the focus while they are saved', async ({ page, request }) => {
  // Other tests need the settings as they are.
  await page.route('**/api/settings', async (route) => {
    const asked = route.request()
    if (asked.method() !== 'PUT') return route.continue()
    const data = { agents: false, visits: true, ...asked.postDataJSON() }
    await route.fulfill({ json: { success: true, data } })
  })
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/programs')
  const visits = page.getByRole('checkbox', { name: /^Count visits/ })
  for (const isOn of [false, true]) {
    await (isOn ? page.keyboard.press('Space') : visits.press('Space'))
    await expect(visits).toBeChecked({ checked: isOn })
    await expect(visits).not.toHaveAttribute('aria-disabled', 'true')
  }
  await expect(visits).toBeFocused()
})

test('a superuser ends the tokens of another person', async ({ page, request }) => {
  const staff = await signedIn(request, 'editor')
  const token = await makeToken(request, staff.token, 'Old robot', ['read'])
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/users')
  await page.getByRole('button', { name: `Tokens of ${staff.user.username}` }).click()
  const dialog = page.getByRole('dialog', { name: `Tokens of ${staff.user.username}` })
  await dialog.getByRole('button', { name: 'End Old robot' }).click()
  await expect(dialog.getByText('No program acts for')).toBeVisible()
  const read = await request.get('/api/contacts', { headers: bearer(token) })
  expect(read.status()).toBe(401)
})

test('a webhook is added, tried, sent again, switched off and removed', async ({
  page,
  request,
  expectErrors,
}) => {
  // The private address.
  expectErrors(/status of 400/)
  const host = `${ownWord()}.invalid`
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/programs')
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Address' }).fill('https://127.0.0.1/hook')
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(dialog.getByRole('alert')).toContainText('private')
  await dialog.getByRole('textbox', { name: 'Address' }).fill(`https://${host}/hook`)
  await dialog.getByLabel('A reply of a sender').check()
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(dialog.getByLabel('Signing secret')).toContainText('whsec_')
  await dialog.getByRole('button', { name: 'I have kept it' }).click()
  const row = page.getByRole('row', { name: new RegExp(host) })
  await expect(row).toContainText('submission.created, reply.received')

  const release = Promise.withResolvers<void>()
  await page.route('**/api/endpoints/*/test', async (route) => {
    await release.promise
    await route.continue()
  })
  const trying = row.getByRole('button', { name: `Send a test to ${host}` })
  await trying.click()
  await expect(trying).toHaveAttribute('aria-disabled', 'true')
  await trying.dispatchEvent('click')
  release.resolve()
  const sent = page.getByRole('dialog', { name: `Deliveries to ${host}` })
  await expect(sent.getByRole('row', { name: /^test/ })).toHaveCount(1)
  await expect(sent.getByRole('row', { name: /^test/ })).toContainText(
    /last try: (ENOTFOUND|EAI_AGAIN)/,
  )
  expect(await axeEverywhere(page)).toEqual([])
  await sent.getByRole('button', { name: 'Send again test' }).click()
  await expect(page.getByText('It is sent again.')).toBeVisible()
  await expect(sent.getByRole('row', { name: /^test/ }).getByRole('cell').nth(1)).toHaveText('2')
  await sent.getByRole('button', { name: 'Close' }).click()

  await row.getByRole('button', { name: `New secret for ${host}` }).click()
  await page.getByRole('button', { name: 'Make a new secret' }).click()
  await expect(page.getByRole('dialog').getByLabel('Signing secret')).toContainText('whsec_')
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await row.getByRole('button', { name: `Switch off ${host}` }).click()
  await expect(row.getByRole('button', { name: `Switch on ${host}` })).toBeVisible()
  await row.getByRole('button', { name: `Remove ${host}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(row).toHaveCount(0)
})

test('what agents suggest waits on the record, and a person decides', async ({ page, request }) => {
  const boss = await signedIn(request, 'superuser')
  await enter(page, boss)
  await page.goto('/admin/programs')
  const agents = page.getByRole('checkbox', { name: /^Agents/ })
  if (!(await agents.isChecked())) await agents.click()
  await expect(agents).toBeChecked()

  const word = ownWord()
  const [id = '', other = ''] = await submit(request, 'contacts', ['Bakery', 'Florist'], word)
  const token = await makeToken(request, boss.token, 'Robot', ['read', 'draft'])
  const text = 'Hello {name}, see https://evil.test/pay and our answer tomorrow.'
  await callTool(request, token, 'draft_reply', { id, text })
  for (const one of [id, other])
    await callTool(request, token, 'propose_status', {
      id: one,
      status: 'handled',
      why: 'It is answered',
    })

  await goTo(page, `/admin/contacts#q=${word}`)
  await page.getByRole('button', { name: /^View:/ }).click()
  await page.getByRole('link', { name: /^Drafts 1/ }).click()
  await expect(page.getByRole('button', { name: /^View: Drafts 1/ })).toBeVisible()
  await page.getByRole('region', { name: 'List' }).getByRole('link', { name: 'Bakery' }).click()
  const draft = page.getByRole('region', { name: 'Drafted by Robot' })
  await expect(draft).toContainText('Hello Bakery, see https://evil.test/pay')
  expect(await axeEverywhere(page)).toEqual([])

  await draft.getByRole('button', { name: 'Use this draft' }).click()
  const field = page.getByLabel('Reply via Email to Bakery')
  await expect(field).toHaveValue(
    'Hello Bakery, see https://evil.test/pay and our answer tomorrow.',
  )
  await field.fill('Hello Bakery, see https://evil.test/pay and our answer today.')
  await expect(draft.getByRole('insertion')).toHaveText('today.')
  await expect(draft.getByRole('deletion')).toHaveText('tomorrow.')
  // A draft that replaces the used one does not make its links anybody's own.
  await callTool(request, token, 'draft_reply', { id, text: 'Hello, we answer tomorrow.' })
  await page.reload()
  await expect(draft).toContainText('Hello, we answer tomorrow.')
  await field.press('Control+Enter')
  const question = page.getByRole('alertdialog', { name: 'Send these links?' })
  await expect(question).toContainText('https://evil.test/pay')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await field.fill('Hello Bakery, here is our answer.')
  await field.press('Control+Enter')
  await expect(draft).toHaveCount(0)

  await page.goto(`/admin/contacts?id=${other}#q=${word}`)
  const proposal = page.getByRole('region', { name: 'Proposed status' })
  await expect(proposal).toContainText('Handled is proposed by Robot')
  await page.getByRole('heading', { level: 2, name: 'Florist' }).click()
  await page.keyboard.press('y')
  await expect(page.getByText(/^Handled by owner/)).toBeVisible()
  await expect(proposal).toHaveCount(0)
})

test('a proposal is dropped by a key, and taken by one in the morning run', async ({
  page,
  request,
}) => {
  const boss = await signedIn(request, 'superuser')
  await request.put('/api/settings', { headers: bearer(boss.token), data: { agents: true } })
  const [id = ''] = await submit(request, 'contacts', ['Bakery'], ownWord())
  const token = await makeToken(request, boss.token, 'Robot', ['draft'])
  await callTool(request, token, 'propose_status', { id, status: 'handled', why: 'Spam' })
  await enter(page, boss)
  await page.goto(`/admin/contacts?id=${id}`)
  const proposal = page.getByRole('region', { name: 'Proposed status' })
  await expect(proposal).toBeVisible()
  await page.getByRole('heading', { level: 2, name: 'Bakery' }).click()
  await page.keyboard.press('d')
  await expect(proposal).toHaveCount(0)
  const read = await request.get(`/api/contacts/${id}`, { headers: bearer(boss.token) })
  expect((await read.json()).data).toMatchObject({ proposal: null, status: 'new' })

  await callTool(request, token, 'propose_status', { id, status: 'handled', why: 'Thanks' })
  const { username } = boss.user
  const data = { assignee: username }
  await request.put(`/api/contacts/${id}`, { headers: bearer(boss.token), data })
  await page.goto(`/admin/run?kind=contacts&assignee=${username}`)
  await expect(proposal).toContainText('Handled is proposed by Robot')
  await page.keyboard.press('y')
  const done = page.getByRole('list', { name: 'What was done' }).getByRole('listitem')
  await expect(done).toContainText('Marked as Handled')
})

test('where enquiries come from is shown by source and landing page, however long its name, and leaves as CSV', async ({
  page,
  request,
}) => {
  const campaign = ownWord()
  const longest = 'x'.repeat(300)
  for (const utm_source of [campaign, longest])
    await submit(request, 'contacts', ['Bakery'], ownWord(), { source: { utm_source } })
  const visit = { page: '/services', campaign, wide: true }
  for (let n = 0; n < 25; n += 1)
    await request.post('/api/visits', {
      headers: { 'Content-Type': 'text/plain', 'User-Agent': 'Mozilla/5.0' },
      data: JSON.stringify(visit),
    })
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/dashboard')
  await page.getByRole('link', { name: 'Where enquiries come from' }).click()
  const row = page.getByRole('row', { name: new RegExp(campaign) })
  await expect(row).toContainText('about 25')
  await expect(row).toContainText('4.0 %')
  await expect(page.getByRole('row', { name: /^\/services/ })).toBeVisible()
  await expect(page.getByRole('rowheader', { name: longest })).toBeVisible()
  for (const width of [768, 1_280]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  }
  await page.getByRole('button', { name: '7 days' }).click()
  await expect(row).toContainText('about 25')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  expect((await download).suggestedFilename()).toBe('sources-7-days.csv')
  expect(await axeEverywhere(page)).toEqual([])
})
