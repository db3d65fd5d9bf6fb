import { entries } from '#site/content.ts'
import {
  axeEverywhere,
  brandName,
  enter,
  enterAs,
  expect,
  goTo,
  interceptFromStart,
  ownWord,
  signedIn,
  submit,
  superuser,
  test,
} from './fixtures.ts'

const password = 'four grey geese glide'

test.describe('with a refusal', () => {
  test('a wrong current password is refused, the right one changes it', async ({
    page,
    request,
    expectErrors,
  }) => {
    expectErrors(/status of 400/)
    const editor = await signedIn(request, 'editor')
    await enter(page, editor)
    await page.goto('/admin/account')
    await expect(page.getByText('This one')).toBeVisible()
    const fill = async (current: string) => {
      await page.getByLabel('Current password').fill(current)
      await page.getByLabel('New password', { exact: true }).fill(password)
      await page.getByLabel('Confirm new password').fill(password)
      await page.getByRole('button', { name: 'Change password' }).click()
    }
    await fill('not this one at all')
    await expect(page.getByRole('alert')).toBeVisible()
    await fill('three quiet herons wade')
    await expect(page.getByRole('status').filter({ hasText: 'Password changed' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible()
    await expect(page.getByText('This one')).toBeVisible()
  })
})

test('a new password that is confirmed after the sign-out signs nobody in again', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 401/)
  await enter(page, await signedIn(request, 'editor'))
  const release = Promise.withResolvers<void>()
  await page.route('**/api/auth/password', async (route) => {
    const response = await route.fetch()
    await release.promise
    await route.fulfill({ response })
  })
  await page.goto('/admin/account')
  await page.getByLabel('Current password').fill('three quiet herons wade')
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm new password').fill(password)
  const answer = page.waitForResponse('**/api/auth/password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('button', { name: 'Changing...' })).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  release.resolve()
  await (await answer).finished()
  // A later answer comes after what the held one would have begun.
  await page.evaluate(() => fetch('/api/health').then((health) => health.text()))
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('lists of the account that failed load again, and a session is ended once, however often it is pressed', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 404/)
  const editor = await signedIn(request, 'editor')
  await enter(page, editor)
  const data = { email: editor.user.email, password: 'three quiet herons wade' }
  expect((await request.post('/api/auth/login', { data })).ok()).toBe(true)
  const release = Promise.withResolvers<void>()
  const calls: string[] = []
  await page.route('**/api/auth/sessions/*', async (route) => {
    calls.push(route.request().method())
    await release.promise
    await route.continue()
  })
  const lists = /\/api\/(auth\/(sessions|factors)|me\/(settings|tokens))$/
  await page.route(lists, (route) => route.fulfill({ status: 404, json: {} }))
  await page.goto('/admin/account')
  const alert = page.getByRole('alert')
  for (const list of ['settings', 'sessions', 'second factors', 'tokens'])
    await expect(alert.filter({ hasText: `Failed to load your ${list}.` })).toBeVisible()
  await page.unroute(lists)
  for (const left of [3, 2, 1, 0]) {
    await alert.first().getByRole('button', { name: 'Try again' }).click()
    await expect(alert).toHaveCount(left)
  }
  const end = page.getByRole('button', { name: 'End session' })
  await end.dblclick()
  await expect.poll(() => calls.length).toBeGreaterThan(0)
  release.resolve()
  await expect(page.getByRole('status').getByText('Session ended')).toBeVisible()
  await expect(end).toHaveCount(0)
  // The element with the focus is gone, and no other one had it before.
  await expect(page.getByRole('main')).toBeFocused()
  expect(calls).toEqual(['DELETE'])
})

test('all other sessions end, also where one of them has ended meanwhile', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 404/)
  const editor = await signedIn(request, 'editor')
  await enter(page, editor)
  const data = { email: editor.user.email, password: 'three quiet herons wade' }
  const tokens: string[] = []
  for (let n = 0; n < 3; n += 1)
    tokens.push((await (await request.post('/api/auth/login', { data })).json()).token)
  const headersOf = (token = '') => ({ authorization: `Bearer ${token}` })
  await page.goto('/admin/account')
  const all = page.getByRole('button', { name: 'End all other sessions' })
  await expect(all).toBeVisible()
  await request.post('/api/auth/logout', { headers: headersOf(tokens[2]) })
  await all.click()
  await expect(page.getByRole('status').getByText('Your other sessions have ended.')).toBeVisible()
  const statuses = await Promise.all(
    tokens.map(async (token) =>
      (await request.get('/api/auth/sessions', { headers: headersOf(token) })).status(),
    ),
  )
  expect(statuses).toEqual([401, 401, 401])
})

test('new recovery codes whose answer was lost are not said to be unmade', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/)
  await enterAs(page, request, 'editor')
  const totp = { confirmedAt: new Date().toISOString() }
  const data = { passkeys: [], totp, recoveryCodes: 10, required: false }
  await page.route('**/api/auth/factors', (route) =>
    route.fulfill({ json: { success: true, data } }),
  )
  await page.route('**/api/auth/recovery-codes', (route) => route.abort())
  await page.goto('/admin/account')
  await page.getByRole('button', { name: 'New codes' }).click()
  await page.getByRole('button', { name: 'Make new codes' }).click()
  await expect(page.getByText('the old ones may no longer work')).toBeVisible()
})

test('an erasure whose answer was lost is not denied, and a late answer keeps the next address', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/)
  await enterAs(page, request, 'superuser')
  const release = Promise.withResolvers<void>()
  await page.route('**/api/privacy/erase', async (route) => {
    await release.promise
    await route.fulfill({ json: { success: true, data: {}, meta: { templates: [] } } })
  })
  await page.route('**/api/privacy/erase', (route) => route.abort(), { times: 1 })
  await page.goto('/admin/privacy')
  const address = page.getByLabel('Email', { exact: true })
  await address.fill('first@example.test')
  const erase = async () => {
    await page.getByRole('button', { name: 'Erase everything' }).click()
    await page.getByLabel('Email, once more').fill('first@example.test')
    await page.getByRole('button', { name: 'Erase for good' }).click()
  }
  await erase()
  await expect(page.getByRole('alert')).toHaveText(
    'Some of the data may not be erased yet. Please try again.',
  )
  await erase()
  await address.fill('second@example.test')
  release.resolve()
  await expect(page.getByText('Nothing was held on first@example.test.')).toBeVisible()
  await expect(address).toHaveValue('second@example.test')
})

test('a person’s data is exported, and erased after the address is typed again', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['Forget me'], word)
  const superuser = await signedIn(request, 'superuser')
  await request.post('/api/templates', {
    headers: { authorization: `Bearer ${superuser.token}` },
    data: { name: `Ask ${word}`, text: `Ask ${word}@example.test.` },
  })
  await enter(page, superuser)
  await page.goto('/admin/privacy')
  await page.getByLabel('Email', { exact: true }).fill(`${word}@example.test`)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download everything' }).click()
  await download
  await page.getByRole('button', { name: 'Erase everything' }).click()
  const sure = page.getByRole('button', { name: 'Erase for good' })
  await expect(sure).toBeDisabled()
  await page.getByLabel('Email, once more').fill(`${word}@example.test`)
  // What is erased within a week is on the same page, and may name the person.
  const expiring = page.waitForRequest('**/api/privacy/retention?*')
  await sure.click()
  await expect(page.getByText(/^Erased for .+contacts 1/)).toContainText(
    `Templates still hold the address: Ask ${word}.`,
  )
  await expiring
  await goTo(page, `/admin/contacts#q=${word}`)
  await expect(page.getByText('No contact messages found')).toBeVisible()
})

test('the audit log names the program for its own actions; it, the state of mail and the programs lead to each other, and the open one is marked as current', async ({
  page,
  request,
}) => {
  await enterAs(page, request, 'superuser')
  const entry = { at: new Date().toISOString(), by: null, byId: null, target: null, fields: [] }
  const data = [
    { ...entry, _id: '1', via: 'retention', kind: 'retention', counts: { contacts: 2 } },
    { ...entry, _id: '2', via: 'command', kind: 'user.update', fields: ['password'], changes: {} },
  ]
  await page.route('**/api/audit*', (route) =>
    route.fulfill({ json: { success: true, data, meta: { nextCursor: null } } }),
  )
  await page.goto('/admin/audit')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(row('Erased what was due')).toContainText('The rules of retention')
  await expect(row('Erased what was due')).toContainText('contacts: 2')
  await expect(row('Changed a user')).toContainText('A command on the server')

  const main = page.getByRole('navigation', { name: 'Admin', exact: true })
  await expect(main.getByRole('link', { name: 'Users' })).toHaveAttribute('aria-current', 'true')
  const own = page.getByRole('navigation', { name: 'People and system' })
  await expect(own.getByRole('link', { name: 'Audit' })).toHaveAttribute('aria-current', 'page')
  await expect(own.getByRole('link', { name: 'Users' })).not.toHaveAttribute('aria-current')
  await own.getByRole('link', { name: 'Outgoing mail' }).click()
  await expect(page).toHaveTitle(`Outgoing mail | ${brandName}`)
  await expect(page.getByText('No message has failed')).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  const programs = own.getByRole('link', { name: 'Programs' })
  await programs.click()
  await expect(page).toHaveTitle(`Programs | ${brandName}`)
  await page.reload()
  await expect(programs).toBeInViewport({ ratio: 0.9 })
})

test('the audit log names the published fields as the forms of the site do', async ({
  page,
  request,
}) => {
  const [question] = entries('faq')
  await enter(page, await signedIn(request, 'superuser'))
  const entry = {
    ...{ _id: '1', at: new Date().toISOString(), by: 'ada', byId: null, changes: {} },
    ...{ kind: 'content_published', target: { kind: 'releases', _id: null } },
    fields: [`faq.${question?.id}.question`, 'faq.order'],
  }
  await page.route('**/api/audit*', (route) =>
    route.fulfill({ json: { success: true, data: [entry], meta: { nextCursor: null } } }),
  )
  await page.goto('/admin/audit')
  const row = page.getByRole('row').filter({ hasText: 'Published the site' })
  await expect(row).toContainText(`Questions, ${question?.data.question}, Question`)
  await expect(row).toContainText('Questions, order')
})

test('nothing leads to the applications of a site that takes none', async ({ page, request }) => {
  const name = ownWord()
  const [id] = await submit(request, 'applications', [name], ownWord())
  const { token } = await signedIn(request, 'superuser')
  await request.post(`/api/applications/${id}/notes`, {
    data: { text: name },
    headers: { authorization: `Bearer ${token}` },
  })
  await page.route('**/admin/*', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('"careers":true', '"careers":false')
    await route.fulfill({ response: answer, body })
  })
  await page.route('**/api/privacy/retention*', (route) => {
    const data = [{ kind: 'applications', _id: id, name, expiresAt: new Date().toISOString() }]
    return route.fulfill({ json: { success: true, data } })
  })
  // Mail of other tests may fill the page.
  await page.route('**/api/mail?*', async (route) => {
    const answer = await route.fetch()
    const message = {
      ...{ _id: id, kind: 'staff', to: name, status: 'failed', attempts: 1, lastError: 'refused' },
      ...{ nextAttemptAt: null, sentAt: null, record: { kind: 'applications', _id: id } },
    }
    await route.fulfill({ json: { ...(await answer.json()), data: [message] } })
  })
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/audit')
  for (const [screen, heading, text] of [
    ['audit', 'Audit log', 'Wrote a note'],
    ['mail', 'Outgoing mail', name],
    ['privacy', 'Personal data', name],
  ] as const) {
    await goTo(page, `/admin/${screen}`)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(page.getByRole('row', { name: text }).first()).toBeVisible()
    await expect(page.locator('a[href*="/admin/applications"]')).toHaveCount(0)
  }
})

test('the address holds which mail, appointments and entries of the log are shown, which is filtered by what happened, by whom and by the day', async ({
  page,
  request,
}) => {
  const { token, user } = await signedIn(request, 'editor')
  await request.post('/api/templates', {
    headers: { authorization: `Bearer ${token}` },
    data: { name: ownWord(), text: 'Hello.', kind: null },
  })
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/mail?status=sent')
  const chosen = page.getByRole('button', { pressed: true })
  await expect(chosen).toHaveText('Sent')
  await page.getByRole('button', { name: 'Waiting', exact: true }).click()
  await expect(page).toHaveURL('/admin/mail?status=waiting')
  await goTo(page, '/admin/appointments?which=past')
  await expect(chosen).toHaveText('Past')
  await page.getByRole('button', { name: 'Mine', exact: true }).click()
  await expect(page).toHaveURL('/admin/appointments?which=own')
  await goTo(page, '/admin/audit')
  const filter = page.getByRole('search', { name: 'Filter' })
  await filter.getByLabel('What').selectOption('Signed in')
  await filter.getByLabel('Who').selectOption(superuser.username)
  await page.getByRole('link', { name: 'Outgoing mail' }).click()
  await page.goBack()
  await expect(filter.getByLabel('What').locator(':checked')).toHaveText('Signed in')
  await expect(filter.getByLabel('Who')).toHaveValue(superuser.username)

  await filter.getByLabel('What').selectOption('Saved a template')
  await filter.getByLabel('Who').selectOption(user.username)
  const rows = page.getByRole('row').filter({ hasText: 'Saved a template' })
  await expect(rows).toHaveCount(1)
  await expect(page.getByRole('row')).toHaveCount(2)
  await filter.getByLabel('Day (UTC)').fill('2020-01-01')
  await expect(page.getByText('No entry matches')).toBeVisible()
  await page.getByRole('button', { name: 'Show all entries' }).click()
  await expect(filter.getByLabel('Day (UTC)')).toHaveValue('')
  await expect(page.getByRole('row').filter({ hasText: 'Signed in' }).first()).toBeVisible()
})

test('axe finds nothing on the people screens, in both themes and on a phone', async ({
  page,
  request,
}) => {
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/account')
  for (const [path, name] of [
    ['account', 'Your account'],
    ['audit', 'Audit log'],
    ['mail', 'Outgoing mail'],
    ['privacy', 'Personal data'],
  ] as const) {
    await goTo(page, `/admin/${path}`)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    expect(await axeEverywhere(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  }
})

test.describe('out of order', () => {
  test('axe finds nothing on the people screens in error, empty and confirmation states', async ({
    page,
    request,
    expectErrors,
  }) => {
    expectErrors(/status of 503/)
    await interceptFromStart(page)
    await enterAs(page, request, 'superuser')
    await page.goto('/admin/account')
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByRole('alert')).toBeVisible()
    expect(await axeEverywhere(page)).toEqual([])
    const empty = { success: true, data: [], meta: { nextCursor: null } }
    for (const [path, text] of [
      ['audit', 'Nothing has happened yet'],
      ['mail', 'No message has failed'],
    ] as const) {
      const calls = `**/api/${path}*`
      await page.route(calls, (route) => route.fulfill({ status: 503, json: {} }))
      await goTo(page, `/admin/${path}`)
      await expect(page.getByRole('alert')).toContainText('Please try again.')
      expect(await axeEverywhere(page)).toEqual([])
      await page.unroute(calls)
      await page.route(calls, (route) => route.fulfill({ json: empty }))
      await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByText(text)).toBeVisible()
      expect(await axeEverywhere(page)).toEqual([])
    }
    await goTo(page, '/admin/privacy')
    await page.getByLabel('Email', { exact: true }).fill('nobody@example.test')
    await page.getByRole('button', { name: 'Erase everything' }).click()
    await expect(page.getByRole('button', { name: 'Erase for good' })).toBeVisible()
    expect(await axeEverywhere(page)).toEqual([])
  })
})
