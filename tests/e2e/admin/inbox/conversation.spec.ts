import type { APIRequestContext, Locator, Page, Route } from '@playwright/test'
import type { ActivityEntry, KindPath, RecordMail } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import {
  axeViolations,
  detail,
  enter,
  enterAs,
  expect,
  interceptFromStart,
  mailedLink,
  notice,
  ownWord,
  requested,
  said,
  signedIn,
  submit,
  test,
} from '../fixtures.ts'

// What staff and senders say to each other, in the open record.

test.beforeEach(({ page }) => interceptFromStart(page))

const reply = (page: Page) =>
  page.getByRole('textbox', { name: /^(Send Email|Reply via Email) to / })
const button = (page: Page, name: string | RegExp) => detail(page).getByRole('button', { name })

/** Opens the composer by its key. */
const write = async (page: Page) => {
  await expect(button(page, /^(Send Email|Reply via Email) to/)).toBeVisible()
  await page.keyboard.press('r')
  await expect(reply(page)).toBeFocused()
}

/** Opens a new record as somebody who may change it. */
const opened = async (page: Page, request: APIRequestContext, kind: KindPath, name: string) => {
  const [id = ''] = await submit(request, kind, [name], ownWord())
  const account = await signedIn(request, 'editor')
  await enter(page, account)
  await page.goto(`/admin/${kind}?id=${id}`)
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
  const headers = { authorization: `Bearer ${account.token}` }
  return { id, headers, username: account.user.username }
}

test('an answer is filled in, sent with its status, undone with its text kept, and sent by a key', async ({
  page,
  request,
}) => {
  const { id, headers, username } = await opened(page, request, 'consultations', 'Bakery owner')
  await detail(page).getByRole('link', { name: 'Send Email' }).click()
  await expect(reply(page)).toBeFocused()
  await page.keyboard.type('Hello {name}, your {service} is possible: {link}')
  const filled = `Hello Bakery owner, your ${requested} is possible: {link}`
  await expect(reply(page)).toHaveValue(filled)
  await expect(detail(page).getByText('becomes the link to their own page')).toBeVisible()
  await page.reload()
  await expect(reply(page)).toHaveValue(filled)
  // Emptied, it stays open: the keys that follow are text.
  await reply(page).press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('e')
  await expect(reply(page)).toHaveValue('e')
  await reply(page).fill(filled)

  await button(page, 'Send and mark contacted').click()
  await expect(detail(page).getByText(/^Sending in \d+ s$/)).toBeVisible()
  await page.keyboard.press('r')
  await detail(page).getByLabel('Subject').fill('The next one')
  await button(page, /^Undo/).click()
  await expect(reply(page)).toHaveValue(filled)
  await expect(detail(page).getByLabel('Subject')).toHaveValue('The next one')
  await expect(button(page, 'Mark as Contacted')).toBeVisible()
  await expect(said(page, `Message by ${username}`, filled)).toBeVisible()
  await expect(said(page, `Message by ${username}`, 'Recalled, never sent')).toBeVisible()

  const second = 'Hello, shall we talk on Monday?'
  await reply(page).fill(second)
  await reply(page).press('Control+Enter')
  await expect(said(page, `Message by ${username}`, second)).toBeInViewport()
  await expect(reply(page)).toBeHidden()
  await expect(detail(page).getByText(/^Contacted by/)).toBeVisible()
  await expect(detail(page).getByText('Answered in time')).toBeVisible()
  // Two seconds after it was opened its sender is told that it was read.
  const seenAt = async () =>
    (await (await request.get(`/api/consultations/${id}`, { headers })).json()).data.seenAt
  await expect.poll(seenAt).not.toBeNull()
})

test('an answer that cannot be sent keeps its text, waits for the connection, or is tried again', async ({
  page,
  context,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_INTERNET_DISCONNECTED|status of 4(00|29)/)
  const { username } = await opened(page, request, 'contacts', 'Rowing club')
  const messages = '**/api/contacts/*/messages'
  const refuse = (status: number, message: string) => (route: Route) =>
    route.fulfill({
      status,
      headers: { 'retry-after': '1800' },
      json: { success: false, code: 'invalid', message },
    })
  const refused = async (sentence: string) => {
    await expect(
      detail(page).getByRole('alert').getByText(`Not sent: ${sentence} Your text is kept here.`),
    ).toBeVisible()
    await expect(reply(page)).toHaveValue('We answer on Monday.')
  }
  await page.route(messages, refuse(400, 'Too odd.'))
  await write(page)
  await page.keyboard.type('We answer on Monday.')
  await button(page, 'Send and mark handled').click()
  await refused('Too odd.')
  // The hour's messages are used up.
  await page.route(messages, refuse(429, 'Too many.'))
  await button(page, 'Try again').click()
  await refused('Too many.')
  await expect(button(page, 'Try again')).toBeVisible()

  await page.unroute(messages)
  await context.setOffline(true)
  await expect(detail(page).getByText('No connection.')).toBeVisible()
  await button(page, 'Send when back').click()
  await expect(detail(page).getByText('This message leaves when you are back.')).toBeVisible()
  await expect(said(page, 'Not sent yet', 'We answer on Monday.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Answer' })).toBeFocused()
  await button(page, 'Do not send').click()
  await expect(reply(page)).toHaveValue('We answer on Monday.')
  await button(page, 'Other ways to send').click()
  await button(page, /^Send status stays New/).click()
  await expect(detail(page).getByText('This message leaves when you are back.')).toBeVisible()
  await context.setOffline(false)
  await expect(said(page, `Message by ${username}`, 'We answer on Monday.')).toBeVisible()
  await expect(button(page, 'Mark as Handled')).toBeVisible()
})

test('a colleague who is writing to the same person is named', async ({ page, request }) => {
  const { id, headers } = await opened(page, request, 'contacts', 'Choir')
  const colleague = await signedIn(request, 'editor')
  const other = { authorization: `Bearer ${colleague.token}` }
  await write(page)
  await request.put(`/api/contacts/${id}/writing`, { headers: other })
  const said = page.waitForResponse('**/writing')
  await page.keyboard.type('Good morning')
  expect((await said).status()).toBe(200)
  // The first key asks: the list's own poll comes half a minute later.
  await expect(
    detail(page).getByText(`${colleague.user.username} is writing a reply`),
  ).toBeVisible()
  await expect(button(page, 'Send anyway')).toBeEnabled()
  const { data } = await (await request.get(`/api/contacts/${id}`, { headers })).json()
  expect(data.writing).toHaveLength(2)
})

test('what a colleague does to a record while it is written to says why nothing was stored', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 40[49]/)
  const { id } = await opened(page, request, 'contacts', 'Film club')
  const { token } = await signedIn(request, 'admin')
  const headers = { authorization: `Bearer ${token}` }
  const path = `/api/contacts/${id}`
  await page.route(`**${path}/messages`, async (route) => {
    await request.put(path, { headers, data: { box: 'spam' } })
    await route.continue()
  })
  await write(page)
  await page.keyboard.type('Shall we meet?')
  await button(page, 'Send and mark handled').click()
  const unsent = 'The message to Film club was not sent. Release the record from spam first.'
  await expect(notice(page, unsent)).toBeVisible()

  const gone = { success: false, code: 'not_found', message: 'There is nothing at this address.' }
  await page.route(`**${path}/notes`, (route) => route.fulfill({ status: 404, json: gone }))
  await button(page, 'Add a note').click()
  await page.keyboard.type('They meet on Fridays')
  await button(page, 'Save note').click()
  await expect(detail(page).getByRole('alert')).toHaveText(
    'The record was deleted or erased meanwhile.',
  )
  await page.route(`**${path}?*`, async (route) => {
    if (route.request().method() === 'PUT') await request.delete(path, { headers })
    await route.continue()
  })
  await button(page, 'Not Spam').click()
  await expect(notice(page, 'Film club was deleted or erased meanwhile.')).toBeVisible()
})

test('templates are made from a text, inserted by keyboard, changed and deleted', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/)
  await opened(page, request, 'contacts', 'Flower shop')
  const name = ownWord()
  await write(page)
  await page.keyboard.type('Dear Flower shop, yes.')
  // A file of an earlier release is gone: the page is loaded again, with the text.
  await page.route('**/_astro/templates-dialog.*', (route) => route.abort(), { times: 1 })
  await button(page, 'Templates').click()
  const loaded = page.waitForEvent('load')
  await button(page, 'Save this text as a template').click()
  await loaded
  await expect(reply(page)).toHaveValue('Dear Flower shop, yes.')
  await button(page, 'Templates').click()
  await button(page, 'Save this text as a template').click()
  const dialog = page.getByRole('dialog', { name: 'Templates' })
  await expect(dialog.getByLabel('Text')).toHaveValue('Dear {name}, yes.')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('For').selectOption('All kinds')
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await dialog.getByRole('button', { name: `Edit ${name}` }).click()
  await dialog.getByLabel('Text').fill('Dear {name}, gladly.')
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await dialog.getByRole('button', { name: 'Close' }).click()

  await button(page, 'Discard').click()
  await page.keyboard.press('t')
  await expect(button(page, name)).toBeVisible()
  await button(page, name).focus()
  await page.keyboard.press('Enter')
  await expect(reply(page)).toHaveValue('Dear Flower shop, gladly.')
  await expect(reply(page)).toBeFocused()

  await button(page, 'Templates').click()
  await button(page, 'Edit templates').click()
  await dialog.getByRole('button', { name: `Delete ${name}` }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete template' })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await dialog.getByRole('button', { name: `Delete ${name}` }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByText(name)).toHaveCount(0)
})

test('a record is set aside until a time to come, and brought back', async ({ page, request }) => {
  await opened(page, request, 'consultations', 'Bookshop')
  await page.keyboard.press('h')
  await expect(detail(page).getByText('The promise does not wait.')).toBeVisible()
  await button(page, /^Tomorrow/).click()
  await expect(detail(page).getByText(/^Back .+, 09:00$/)).toBeVisible()
  await expect(detail(page).getByText(/changed the snooze/)).toBeVisible()
  await page.keyboard.press('h')
  await button(page, /^Now/).click()
  await expect(detail(page).getByText(/^Back .+, 09:00$/)).toBeHidden()

  await page.keyboard.press('h')
  const another = page.getByLabel('Another time')
  await another.fill('2020-01-02T09:00')
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Choose a day and a time to come.')
  await another.fill('2090-01-02T09:00')
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await expect(notice(page, 'Bookshop is set aside until 2 Jan 2090')).toBeVisible()
})

test('a reply makes a record unread again, opens it at the newest, and folds what it quotes', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const long = Array.from({ length: 80 }, (_, line) => `Line ${line} ${word}`).join('\n')
  await submit(request, 'contacts', ['Harbour office'], word, { message: long })
  const link = await mailedLink(`${word}@example.test`, /\/status\/[\w-]+/)
  await enterAs(page, request, 'editor')
  await page.goto(`/admin/contacts#q=${word}`)
  const row = page
    .getByRole('region', { name: 'List' })
    .getByRole('link', { name: /Harbour office/ })
  await expect(row).toHaveAccessibleName(/unread/)
  await row.click()
  await expect(said(page, 'Received', 'Received from the website')).not.toBeInViewport()
  await expect(row).not.toHaveAccessibleName(/unread/)

  // A record that is open when the reply comes is read.
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  const quoting =
    'Yes, Tuesday works.\n\nOn Mon, 16 Nov 2026 at 10:00, Agency wrote:\n> Does Tuesday?'
  const sent = await request.post(`/api${link}/messages`, { data: { text: quoting } })
  expect(sent.status()).toBe(201)
  await page.goto(`/admin/contacts#q=${word}`)
  await expect(row).toHaveAccessibleName(/unread/)
  await row.click()
  await expect(said(page, 'replied', 'Yes, Tuesday works.')).toBeInViewport()
  await expect(detail(page).getByText('> Does Tuesday?')).toBeHidden()
  await detail(page).getByText('Show quoted text').click()
  await expect(detail(page).getByText('> Does Tuesday?')).toBeVisible()
  await expect(detail(page).getByText('Reply by')).toBeVisible()
  await expect(row).not.toHaveAccessibleName(/unread/)
})

/** Whether an element is in the window with nothing over its middle. */
const isOnTop = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect()
    return node.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })

/** Answers the open record with another conversation, as mail providers and senders make it. */
const withActivity = (page: Page, id: string, change: (activity: ActivityEntry[]) => void) =>
  page.route(`**/api/contacts/${id}?*`, async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const response = await route.fetch()
    const body = await response.json()
    change(body.data.activity)
    await route.fulfill({ response, json: body })
  })

test('a long message of staff is read and copied whole', async ({ page, context, request }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const [id = ''] = await submit(request, 'contacts', ['Rowing club'], ownWord())
  const account = await signedIn(request, 'editor')
  const headers = { authorization: `Bearer ${account.token}` }
  const end = 'The boats are in the shed.'
  const text = `${'We row on Fridays. '.repeat(limits.activity.text / 10)}${end}`
  const sent = await request.post(`/api/contacts/${id}/messages`, { headers, data: { text } })
  expect(sent.status()).toBe(201)
  await withActivity(page, id, (activity) => {
    for (const entry of activity) if (entry.kind === 'message') entry.delivery = 'bounced'
  })
  await enter(page, account)
  await page.goto(`/admin/contacts?id=${id}`)
  await button(page, 'Copy the text').click()
  await expect(notice(page, 'The text is copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text)
  await expect(detail(page).getByText(end)).toBeHidden()
  await button(page, 'Show the whole text').click()
  await expect(detail(page).getByText(end)).toBeVisible()
})

test('a confirmation that bounced is sent again once its address is corrected', async ({
  page,
  request,
}) => {
  const [id = ''] = await submit(request, 'contacts', ['Chess club'], ownWord())
  const account = await signedIn(request, 'editor')
  await page.route(`**/api/contacts/${id}?*`, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    for (const mail of body.data.mail)
      if (mail.kind === 'acknowledgement') Object.assign(mail, { delivery: 'bounced' })
    await route.fulfill({ response, json: body })
  })
  const retries: string[] = []
  await page.route('**/api/mail/*/retry?*', (route) => {
    retries.push(route.request().url())
    return route.fulfill({ json: { data: {} } })
  })
  await enter(page, account)
  await page.goto(`/admin/contacts?id=${id}`)
  await button(page, 'Correct the address').click()
  const dialog = page.getByRole('dialog', { name: 'Correct the address' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await button(page, 'Send again').click()
  await expect(notice(page, 'The message will be sent again')).toBeVisible()
  expect(retries).toHaveLength(1)
})

test('automatic mail is named where the last of it was lost', async ({ page, request }) => {
  const [id = ''] = await submit(request, 'contacts', ['Chess club'], ownWord())
  const account = await signedIn(request, 'editor')
  let added: Partial<RecordMail>[] = [
    { status: 'sent', delivery: 'bounced' },
    { status: 'waiting' },
  ]
  await page.route(`**/api/contacts/${id}?*`, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const [{ at }] = body.data.mail
    for (const [n, mail] of added.entries())
      body.data.mail.push({
        at,
        _id: `${n}`,
        kind: 'message',
        entry: null,
        delivery: null,
        ...mail,
      })
    await route.fulfill({ response, json: body })
  })
  const retried = '**/api/mail/0/retry?*'
  await page.route(retried, (route) => route.fulfill({ json: { data: {} } }))
  const asked = page.waitForRequest(retried)
  await enter(page, account)
  await page.goto(`/admin/contacts?id=${id}`)
  const bounced = detail(page).getByText('An automatic e-mail to the sender bounced')
  await expect(bounced).toBeVisible()
  await expect(button(page, 'Correct the address')).toBeVisible()
  await button(page, 'Send again').click()
  await asked

  added = [...added, { status: 'sent' }]
  await page.reload()
  await expect(detail(page).getByText(/^(The )?[Cc]onfirmation e-mail/)).toBeVisible()
  await expect(bounced).toBeHidden()
})

test('older entries are offered wherever the server ends its page, and where there are some', async ({
  page,
  request,
}) => {
  const [id = ''] = await submit(request, 'contacts', ['Rowing club'], ownWord())
  const { user } = await enterAs(page, request, 'editor')
  const notes = (from: number, to: number): ActivityEntry[] =>
    Array.from({ length: to - from + 1 }, (_, index) => ({
      _id: String(from + index),
      kind: 'note',
      by: user.username,
      at: new Date(Date.UTC(2026, 10, 1) + (from + index) * 1_000).toISOString(),
      text: `Note ${from + index}`,
    }))
  let activity = notes(3, 5)
  let cursor: string | null = 'before-3'
  await page.route(`**/api/contacts/${id}?*`, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    body.data.activity = activity
    body.meta.activity.cursor = cursor
    await route.fulfill({ response, json: body })
  })
  await page.route(`**/api/contacts/${id}/activity?*cursor=before-3`, (route) =>
    route.fulfill({
      json: { success: true, data: notes(1, 2), meta: { activity: { total: 5, cursor: null } } },
    }),
  )
  const older = button(page, 'Show older entries')
  await page.goto(`/admin/contacts?id=${id}`)
  await older.click()
  await expect(said(page, 'Note by', 'Note 1')).toBeVisible()
  await expect(said(page, 'Note by', 'Note 5')).toBeVisible()
  await expect(older).toBeHidden()

  activity = notes(1, limits.activity.page)
  cursor = null
  await page.reload()
  await expect(said(page, 'Note by', 'Note 1')).toBeVisible()
  await expect(older).toBeHidden()
})

test('a conversation fits and axe finds nothing, on a light phone and on a dark desktop', async ({
  page,
  request,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const [id = ''] = await submit(request, 'contacts', ['Yoga studio'], ownWord())
  const account = await enterAs(page, request, 'editor')
  const entry = { at: new Date().toISOString(), by: account.user.username }
  const more: ActivityEntry[] = [
    { ...entry, _id: '0', kind: 'created', by: null, subject: 'Tuesday classes' },
    { ...entry, _id: '1', kind: 'message', text: 'Hello!', delivery: 'bounced' },
    { ...entry, _id: '2', kind: 'message', text: 'Hello?', delivery: 'delivered' },
    { ...entry, _id: '3', kind: 'note', text: 'Call them' },
    { ...entry, _id: '4', kind: 'reply', by: null, from: null, text: 'Yes, Tuesday works.' },
    { ...entry, _id: '5', kind: 'auto', by: null, from: 'away@example.test', text: 'Away' },
  ]
  await withActivity(page, id, (activity) => activity.push(...more))
  await page.setViewportSize({ width: 320, height: 800 })
  await page.goto(`/admin/contacts?id=${id}`)
  await expect(said(page, 'replied', 'Yes, Tuesday works.')).toBeInViewport()
  await expect(detail(page).getByText('Received by mail: Tuesday classes')).toBeVisible()
  const fits = async (check?: () => Promise<void>) => {
    for (const [colorScheme, width] of [
      ['dark', 1280],
      ['light', 320],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await check?.()
      // The screen is drawn for the new width a moment later.
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
        .toBeLessThanOrEqual(width)
      expect([width, await axeViolations(page)]).toEqual([width, []])
    }
  }
  await fits()
  await button(page, 'Reply via Email to Yoga studio').click()
  await expect.poll(() => isOnTop(button(page, 'Send and mark handled'))).toBe(true)
  await reply(page).fill('See {link}')
  await fits()
  await button(page, 'Templates').click()
  const templates = detail(page).getByRole('heading', { name: 'Insert at the cursor' })
  await fits(() => expect(templates).toBeVisible())
  await page.keyboard.press('Escape')
  await button(page, 'Note').click()
  await fits(() => expect(page.getByRole('textbox', { name: 'Note' })).toBeVisible())

  await button(page, 'Correct the address').click()
  await page.getByLabel('E-mail address').fill(`corrected-${id}@example.test`)
  await fits()
  await page.getByRole('button', { name: 'Save the address' }).click()
  await expect(
    detail(page).getByRole('link', { name: `corrected-${id}@example.test` }),
  ).toBeVisible()
})
