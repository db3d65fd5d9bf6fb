import {
  axeEverywhere,
  axeViolations,
  enter,
  enterAs,
  expect,
  goTo,
  interceptFromStart,
  ownWord,
  signedIn,
  submit,
  test,
} from './fixtures.ts'

test('the dashboard greets, counts, lists the newest of each kind, and breaks no word and no row of numbers on a phone', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'consultations', ['Bakery owner'], word)
  await submit(request, 'applications', ['Second-year student'], word)
  await submit(request, 'contacts', ['Choir secretary'], word)
  const staff = await signedIn(request, 'reviewer')
  await enter(page, staff)
  await page.goto('/admin')

  await expect(page.getByRole('heading', { name: `Hello, ${staff.user.username}` })).toBeVisible()
  await expect(
    page.getByRole('link', { name: /^Consultations [\d,]+ total requests$/ }),
  ).toBeVisible()
  await expect(
    page.getByRole('link', { name: /^Applications [\d,]+ total candidates$/ }),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: /^Contacts [\d,]+ total messages$/ })).toBeVisible()
  const candidates = page.getByRole('link', { name: /^[\d,]+ candidates?$/ })
  await expect(candidates).toHaveAttribute('href', '/admin/applications')

  const newest = page.getByRole('region', { name: 'Consultations' }).getByRole('listitem')
  await expect(newest.first()).toBeVisible()
  expect(await newest.count()).toBeLessThanOrEqual(5)
  await page
    .getByRole('region', { name: /^Arrivals/ })
    .getByText('Show as a table')
    .click()
  await expect(page.getByRole('table', { name: 'Arrivals by day' }).getByRole('row')).toHaveCount(
    15,
  )
  expect(await axeViolations(page)).toEqual([])

  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const word of ['Consultations', 'Applications', 'Contacts']) {
      const tile = page.getByRole('link', { name: new RegExp(`^${word} [\\d,]+ total`) })
      const table = page.getByRole('table', { name: 'What is owed, by kind' })
      for (const label of [
        tile.getByText(word, { exact: true }),
        table.getByRole('rowheader', { name: word }),
      ]) {
        await expect(label).toBeVisible()
        const lines = await label.evaluate((element) => {
          const range = document.createRange()
          range.selectNodeContents(element)
          return new Set([...range.getClientRects()].map(({ top }) => top)).size
        })
        expect([width, word, lines]).toEqual([width, word, 1])
      }
    }
    const numberEnds = async (group: string) => {
      const label = page.getByText(group, { exact: true }).first()
      const box = await label.locator('xpath=following-sibling::b').boundingBox()
      return Math.round((box?.y ?? Number.NaN) + (box?.height ?? 0))
    }
    // Also where a label beside takes two lines.
    expect(await numberEnds('To answer')).toBe(await numberEnds('Late'))
    expect(await numberEnds('With them')).toBe(await numberEnds('Snoozed'))
  }

  await page.getByRole('link', { name: 'View all consultations' }).click()
  await expect(page).toHaveURL(/\/admin\/consultations$/)
})

test('a list or another span that cannot be loaded leaves the rest as it is', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 50[03]/)
  await interceptFromStart(page)
  await enterAs(page, request, 'reviewer')
  await page.route('**/api/contacts?*', (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'internal', message: 'no' } }),
  )
  await page.goto('/admin/dashboard')
  await expect(
    page.getByRole('alert').getByText('Failed to load dashboard data. Please try again.'),
  ).toBeVisible()
  await expect(page.getByRole('region', { name: 'Applications', exact: true })).toBeVisible()
  await page.unroute('**/api/contacts?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)

  await page.route('**/api/stats?days=30', (route) => route.fulfill({ status: 503, json: {} }))
  const answers = page.getByRole('region', { name: 'Answers on time' })
  await expect(answers).toContainText('these 14 days')
  await page.getByRole('button', { name: '30 days' }).click()
  await expect(page.getByRole('alert')).toContainText('Failed to load dashboard data.')
  await expect(answers).toContainText('these 14 days')
  await expect(page.getByRole('button', { name: '14 days' })).toBeVisible()
})

test('a question about a second factor that is not answered keeps nobody from the figures', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 503/)
  await interceptFromStart(page)
  await enterAs(page, request, 'admin')
  let asked = 0
  await page.route('**/api/auth/factors', async (route) => {
    asked += 1
    // The second try has no answer.
    if (asked === 1) await route.fulfill({ status: 503, json: {} })
  })
  await page.goto('/admin')
  await expect(page.getByRole('region', { name: 'Answers on time' })).toBeVisible()
})

const nothing = { inbox: 0, spam: 0, trash: 0 }
const emptyList = {
  success: true,
  data: [],
  meta: {
    total: 0,
    matching: 0,
    counts: {},
    boxes: nothing,
    groups: { late: 0, due: 0, open: 0, snoozed: 0, waiting: 0, done: 0 },
    nextCursor: null,
  },
}

test('where nothing waits the strip says so once it knows, and empty lists suggest what to do next', async ({
  page,
  request,
}) => {
  await enterAs(page, request, 'reviewer')
  const none = { late: 0, due: 0, open: 0, snoozed: 0, waiting: 0, done: 3 }
  const quiet = {
    groups: { consultations: none, applications: none, contacts: none },
    mail: { waiting: 0, failed: 0 },
    warnings: [],
  }
  const release = Promise.withResolvers<void>()
  await page.route('**/api/stats?*', async (route) => {
    const answer = await route.fetch()
    const { data } = await answer.json()
    await release.promise
    await route.fulfill({ json: { success: true, data: { ...data, ...quiet } } })
  })
  for (const kind of ['consultations', 'applications', 'contacts'])
    await page.route(`**/api/${kind}?*`, (route) => route.fulfill({ json: emptyList }))
  await page.goto('/admin/dashboard')
  const strip = page.getByRole('region', { name: 'What needs you' })
  await expect(page.getByText('Loading dashboard data...')).toBeVisible()
  // The strip would move what is shown before it.
  await expect(page.getByRole('link', { name: /total requests/ })).toHaveCount(0)
  release.resolve()
  await expect(strip.getByText('Nothing waits for you.')).toBeVisible()
  await expect(strip.getByRole('link', { name: /^Done 9/ })).toHaveAttribute(
    'href',
    '/admin/owed?group=done',
  )
  for (const [name, text] of [
    ['Consultations', 'No consultations found'],
    ['Applications', 'No applications found'],
    ['Contacts', 'No contact messages found'],
  ] as const) {
    const list = page.getByRole('region', { name, exact: true })
    await expect(list.getByText(text)).toBeVisible()
    await expect(list.getByRole('link', { name: 'this form on the site' })).toBeVisible()
  }
  expect(await axeViolations(page)).toEqual([])
})

test('the strip leads with what is late, a clean-up that is overdue and where the run starts; the answers say how the promise was kept', async ({
  page,
  request,
}) => {
  await enterAs(page, request, 'editor')
  await page.route('**/api/stats?*', async (route) => {
    const { data } = await (await route.fetch()).json()
    const none = { late: 0, due: 0, open: 0, snoozed: 0, waiting: 0, done: 0 }
    const groups = {
      consultations: { ...none, late: 82, due: 1 },
      applications: none,
      contacts: { ...none, late: 2 },
    }
    const answers = { due: 40, inTime: 37, late: 1, open: 2, share: 37 / 40 }
    const answersByKind = { ...data.answersByKind, consultations: answers }
    const figures = { groups, answers, answersByKind, warnings: ['retention_overdue'] }
    await route.fulfill({ json: { success: true, data: { ...data, ...figures } } })
  })
  await page.goto('/admin/dashboard')
  const answers = page.getByRole('region', { name: 'Answers on time' })
  await expect(answers.getByText('93 %')).toBeVisible()
  await expect(answers).toContainText(
    '37 of the 40 that fell due in these 14 days, answered or not.',
  )
  await answers.getByText('Show as a table').click()
  await expect(
    answers
      .getByRole('row', { name: /^Consultations/ })
      .getByRole('link')
      .last(),
  ).toHaveAttribute('href', '/admin/consultations?answers=open&days=14')
  await expect(page.getByRole('link', { name: /^Late 84/ })).toHaveAttribute(
    'href',
    '/admin/owed?group=late',
  )
  await expect(page.getByRole('link', { name: /^Due 1/ })).toHaveAttribute(
    'href',
    '/admin/consultations?group=due',
  )
  await expect(page.getByRole('region', { name: 'What needs you' })).toContainText(
    'The clean-up of old data has not succeeded for two days',
  )
  const start = page.getByRole('link', { name: /85 late or due 1 due first, then 84 late/ })
  expect(await axeViolations(page)).toEqual([])
  await start.click()
  await expect(page.getByRole('heading', { name: 'Morning run' })).toBeVisible()
})

test('figures name the days that they are of, a wait of hours is not of today, what is owed by a day is late without the 24 hours, and the way to all talks names no number', async ({
  page,
  request,
}) => {
  await enterAs(page, request, 'reviewer')
  const release = Promise.withResolvers<void>()
  const since = new Date(Date.now() - 23.9 * 3_600_000).toISOString()
  const waits = {
    position: 'gone',
    label: 'Balloon pilot',
    count: 1,
    since,
    answerBy: null,
    closing: null,
  }
  await page.route('**/api/stats?*', async (route) => {
    if (route.request().url().includes('days=30')) await release.promise
    const { data } = await (await route.fetch()).json()
    await route.fulfill({ json: { success: true, data: { ...data, unanswered: [waits] } } })
  })
  await submit(request, 'applications', ['Second-year student'], ownWord())
  await page.route('**/api/applications?*', async (route) => {
    const { data, ...body } = await (await route.fetch()).json()
    const dueAt = '2026-01-31T23:59:59.999Z'
    const late = { ...data[0], answerBy: '2026-01-31', dueAt, snoozedUntil: null }
    await route.fulfill({ json: { ...body, data: [late] } })
  })
  // The list has those that were cancelled, too.
  const talk = {
    record: { kind: 'consultations', _id: crypto.randomUUID() },
    name: 'Bakery owner',
    start: new Date(Date.now() + 3_600_000).toISOString(),
    end: new Date(Date.now() + 5_400_000).toISOString(),
    host: 'eli',
    zone: 'UTC',
  }
  const data = ['booked', 'cancelled'].map((state) => ({ ...talk, _id: state, state }))
  await page.route('**/api/appointments', (route) =>
    route.fulfill({ json: { success: true, data } }),
  )
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('region', { name: 'Applicants without an answer' })).toContainText(
    /Balloon pilot.*the first for less than a day, /,
  )
  const answers = page.getByRole('region', { name: 'Answers on time' })
  await page.getByRole('button', { name: '30 days' }).click()
  await expect(page.getByRole('button', { name: '30 days' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(answers).toContainText('these 14 days')
  release.resolve()
  await expect(answers).toContainText('these 30 days')

  const applications = page.getByRole('region', { name: 'Applications', exact: true })
  await expect(applications.getByRole('img', { name: 'New, late' })).toBeVisible()

  const talks = page.getByRole('region', { name: 'Talks and offers' })
  await talks.getByRole('link', { name: 'All talks', exact: true }).click()
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(3)
})

test('after hours on another screen it says at once what is late', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'consultations', ['Bakery owner'], word)
  await enterAs(page, request, 'reviewer')
  await page.route('**/api/consultations?limit=5', async (route) => {
    const { data, ...rest } = await (await route.fetch()).json()
    const owed = { status: 'pending', dueAt: new Date(Date.now() + 3_600_000).toISOString() }
    await route.fulfill({
      json: { ...rest, data: data.map((one: object) => ({ ...one, ...owed })) },
    })
  })
  await page.clock.install()
  await page.goto('/admin/dashboard')
  const newest = page.getByRole('region', { name: 'Consultations', exact: true })
  await expect(newest.getByRole('img', { name: 'Pending', exact: true }).first()).toBeVisible()
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeVisible()
  // No timer runs any more.
  await page.clock.pauseAt(Date.now() + 2 * 3_600_000)
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(newest.getByRole('img', { name: 'Pending, past 24 hours' }).first()).toBeVisible()
})

test('nothing in the bar moves when the unread counts come', async ({ page, request }) => {
  const counts = { consultations: 1_234, applications: 56, contacts: 8 }
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>()
  await enterAs(page, request, 'admin')
  await page.route('**/api/me/unread', async (route) => {
    await isAnswered
    await route.fulfill({ json: { success: true, data: counts } })
  })
  await page.goto('/admin/users')
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeVisible()
  await page.evaluate(async () => void (await document.fonts.ready))

  const bar = page.getByRole('banner')
  const places = async () => {
    const found: unknown[] = []
    for (const width of [1000, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      found.push(
        await bar.locator('a, button').evaluateAll((all) =>
          all.map((one) => {
            const { x, y, width } = one.getBoundingClientRect()
            return `${one.textContent}: ${x}, ${y}, ${width}`.replace(/ \d+\+? unread/, '')
          }),
        ),
      )
    }
    return found
  }
  const before = await places()
  answer()
  await expect(bar.getByText('99+')).toBeVisible()
  await expect(bar.getByText('56')).toBeVisible()
  expect(await places()).toEqual(before)
})

test('figures and unread counts are asked for again after a change and after its undo', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['Owed sender'], word)
  await enterAs(page, request, 'editor')
  // Without polls, all that is asked for again is asked because of the change.
  await page.addInitScript('setInterval = () => 0')
  await page.goto('/admin/dashboard')
  const figure = page.getByRole('link', { name: /^Contacts, Due: \d+$/ })
  await figure.click()
  await page.getByRole('searchbox').fill(word)
  const list = page.getByRole('region', { name: 'List' })
  await expect(list.getByRole('link')).toHaveCount(1)
  await list.getByRole('link', { name: /Owed sender/ }).click()
  for (const key of ['e', 'z']) {
    const unread = page.waitForRequest(/\/api\/me\/unread/)
    await page.keyboard.press(key)
    await unread
  }
  const stats = page.waitForRequest(/\/api\/stats\?/)
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await stats
})

test('numbers of what is owed that cannot be read are not shown as 0, and each leads to a list of that group alone, of one kind or of all', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 500/)
  const word = ownWord()
  await submit(request, 'contacts', ['Owed sender'], word)
  await submit(request, 'consultations', ['Owed client'], word)
  await enterAs(page, request, 'reviewer')
  await page.route('**/api/contacts?*', (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'internal', message: 'no' } }),
  )
  await page.goto('/admin/owed?group=due')
  await expect(page.getByText('Failed to load the records. Please try again.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Due –', exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Contacts –', exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Consultations [\d,]+$/ })).toBeVisible()
  await page.unroute('**/api/contacts?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Due [1-9]/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Contacts [1-9]/ })).toBeVisible()

  await goTo(page, '/admin/dashboard')
  await page.getByRole('link', { name: /^Contacts, Due: \d+$/ }).click()
  await expect(page).toHaveURL(/\/admin\/contacts\?group=due/)
  await expect(page.getByRole('heading', { name: /^Due [\d,]+$/ })).toBeVisible()
  await expect(
    page.getByRole('heading', { name: /^(Late|To answer|Snoozed|With them|Done) [\d,]+$/ }),
  ).toHaveCount(0)

  await page.goBack()
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  await page.getByRole('link', { name: /^Due [\d,]+/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Due [\d,]+$/ })).toBeVisible()
  await expect(
    page
      .getByRole('region', { name: /^Contacts/ })
      .getByRole('link', { name: /Owed sender/ })
      .last(),
  ).toBeVisible()
  await expect(
    page
      .getByRole('region', { name: /^Consultations/ })
      .getByRole('link', { name: /Owed client/ })
      .last(),
  ).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
})

test('figures of a range of days have an address, a table of links to as many rows, and leave as CSV; a year that is typed asks for no days of other years', async ({
  page,
  request,
}) => {
  await submit(request, 'consultations', ['Bakery owner'], ownWord())
  await enterAs(page, request, 'admin')
  // Nothing that other tests do falls due so soon.
  await page.route('**/api/stats/answers?*', async (route) => {
    const body = await (await route.fetch()).json()
    const counts = { due: 10, inTime: 8, late: 1, open: 1, share: 0.8 }
    const before = { due: 10, inTime: 5, late: 5, open: 0, share: 0.5 }
    const label = 'Gone package'
    const parts: Record<string, object[]> = {
      month: [
        { key: '2026-09', ...before },
        { key: '2026-10', ...counts },
      ],
      person: [{ key: 'none', ...counts }],
      service: ['gone', 'gone-before'].map((key) => ({ key, label, ...counts })),
    }
    const data = parts[new URL(route.request().url()).searchParams.get('by') ?? '']
    await route.fulfill({ json: { ...body, data, meta: { ...body.meta, total: counts } } })
  })
  await page.goto('/admin/figures?by=person&from=2026-09-15&to=2026-10-31')
  await expect(page.getByText('80 %').first()).toBeVisible()
  await expect(page.getByLabel('From')).toHaveValue('2026-09-15')
  await expect(
    page
      .getByRole('row', { name: /^Nobody/ })
      .getByRole('link')
      .last(),
  ).toHaveAttribute(
    'href',
    '/admin/owed?answers=open&dueFrom=2026-09-15&dueTo=2026-10-31&assignee=none',
  )
  // Two services that the site has no more had the same name.
  await page.getByRole('button', { name: 'Service' }).click()
  await expect(page.getByRole('row', { name: /^Gone package/ })).toHaveCount(2)
  await page.getByRole('button', { name: 'Month' }).click()
  await expect(page).toHaveURL('/admin/figures?by=month&from=2026-09-15&to=2026-10-31')
  const october = page.getByRole('row', { name: /^October 2026/ })
  await expect(october).toContainText('+30 points')
  await expect(october.getByRole('link').first()).toHaveAttribute(
    'href',
    '/admin/owed?answers=due&dueFrom=2026-10-01&dueTo=2026-10-31',
  )
  expect(await axeEverywhere(page)).toEqual([])
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  expect((await file).suggestedFilename()).toBe('answers-by-month-2026-09-15-2026-10-31.csv')
  await october.getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(
    'Fell due from 1 October 2026 to 31 October 2026: ',
  )

  await page.unroute('**/api/stats/answers?*')
  const asked: (string | null)[] = []
  page.on('request', (one) => {
    const { pathname, searchParams } = new URL(one.url())
    if (pathname === '/api/stats/answers') asked.push(searchParams.get('from'))
  })
  await goTo(page, '/admin/figures?from=2026-05-01&to=2026-05-31')
  const from = page.getByLabel('From')
  await from.focus()
  await page.keyboard.type('04302026')
  await expect(from).toHaveValue('2026-04-30')
  await expect(page).toHaveURL(/from=2026-04-30/)
  await expect.poll(() => asked.at(-1)).toBe('2026-04-30')
  expect(asked.filter((day) => day !== null && day < '2026')).toEqual([])
})
