import type { APIRequestContext, Page, Route } from '@playwright/test'
import { limits } from '#contract/limits.ts'
import {
  axeEverywhere,
  axeViolations,
  enter,
  enterAs,
  expect,
  ownWord,
  signedIn,
  submit,
  test,
} from './fixtures.ts'

// The run through what is owed: one record at a time.

const head = (page: Page, name: string) => page.getByRole('heading', { name, level: 2 })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const reply = (page: Page) =>
  page.getByRole('textbox', { name: /^(Send Email|Reply via Email) to / })
const outcome = (page: Page, text: string) =>
  page.getByRole('list', { name: 'What was done' }).getByRole('listitem').filter({ hasText: text })

const twentyTwoHoursMs = 22 * 3_600_000

/**
 * Consultations of one editor, in the browser's eyes due within two hours: its clock is 22 hours ahead.
 * Records of other tests have other assignees.
 */
const underway = async (page: Page, request: APIRequestContext, names: readonly string[]) => {
  const ids = await submit(request, 'consultations', names, ownWord())
  const account = await signedIn(request, 'editor')
  const headers = { authorization: `Bearer ${account.token}` }
  const { username } = account.user
  for (const id of ids)
    await request.put(`/api/consultations/${id}`, { headers, data: { assignee: username } })
  await page.addInitScript((ahead) => {
    const Real = Date
    class Later extends Real {
      constructor(...parts: unknown[]) {
        if (parts.length === 0) super(Real.now() + ahead)
        else super(...(parts as [number]))
      }
      static override now() {
        return Real.now() + ahead
      }
    }
    globalThis.Date = Later as DateConstructor
  }, twentyTwoHoursMs)
  await enter(page, account)
  const stored = async (id: string) =>
    (await (await request.get(`/api/consultations/${id}`, { headers })).json()).data
  const open = async () => {
    await page.goto(`/admin/run?kind=consultations&assignee=${username}`)
    await expect(page.getByText(`1 of ${names.length}`, { exact: true })).toBeVisible()
  }
  return { ids, headers, username, stored, open }
}

test('by keys each decision is saved and leads to the next record, the end counts them, and z takes the last back', async ({
  page,
  request,
}) => {
  const names = ['Bakery', 'Choir', 'Dance studio', 'Rowing club', 'Robot']
  const { ids, headers, username, stored, open } = await underway(page, request, names)
  // Templates stand by name: the first ones have digits.
  const word = `!${ownWord()}${'x'.repeat(70)}`
  const template = { name: word, text: 'Hello {name}, shall we talk?', kind: 'consultations' }
  const made = await request.post('/api/templates', { headers, data: template })
  const { data: saved } = await made.json()
  await open()

  await expect(head(page, 'Bakery')).toBeFocused()
  await expect(button(page, 'Undo the last')).toBeDisabled()
  expect(await axeEverywhere(page)).toEqual([])
  // A name of one long word stays within its column.
  const ends = await button(page, word).evaluate((element) => {
    const text = document.createRange()
    text.selectNodeContents(element)
    return [text, element].map((one) => Math.floor(one.getBoundingClientRect().right))
  })
  expect(ends[0]).toBeLessThanOrEqual(ends[1] ?? 0)
  // What was begun stays: beside a note, when the composer is closed, and above a template.
  await page.keyboard.press('r')
  await page.keyboard.type('Good morning.')
  await button(page, 'Note').click()
  await page.keyboard.type('Call first')
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('Call first')
  await button(page, 'Discard').click()
  await expect(reply(page)).toHaveValue('Good morning.')
  await button(page, 'Note').focus()
  await page.keyboard.press('Escape')
  await expect(reply(page)).toBeHidden()
  await expect(head(page, 'Bakery')).toBeFocused()
  await button(page, word).click()
  await expect(reply(page)).toBeFocused()
  await expect(reply(page)).toHaveValue('Good morning.\n\nHello Bakery, shall we talk?')
  await expect(button(page, 'Send, mark contacted, next')).toBeVisible()
  await page.keyboard.press('Control+Enter')

  await expect(head(page, 'Choir')).toBeFocused()
  await expect(button(page, 'Undo the last')).toBeEnabled()
  // Held, it decides on one record.
  await page.keyboard.down('e')
  await expect(head(page, 'Dance studio')).toBeFocused()
  await page.keyboard.down('e')
  await page.keyboard.up('e')
  await page.keyboard.press('a')
  await expect(button(page, `${username} you`)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(head(page, 'Rowing club')).toBeFocused()
  await page.keyboard.press('h')
  await expect(button(page, /^In two hours/)).toBeFocused()
  await expect(page.getByText('The promise does not wait.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(head(page, 'Robot')).toBeFocused()
  await page.keyboard.press('!')

  await expect(head(page, 'Landed')).toBeFocused()
  await page.keyboard.press('z')
  await expect(head(page, 'Robot')).toBeFocused()
  await expect.poll(async () => (await stored(ids[4] ?? '')).box).toBe('inbox')
  await page.keyboard.press('!')
  await expect(head(page, 'Landed')).toBeFocused()
  for (const text of [
    '1Replied',
    '1Marked as Contacted',
    `1Assigned${username} 1`,
    '1Later',
    '1Spam',
  ])
    await expect(outcome(page, text)).toBeVisible()
  await button(page, 'See Replied').click()
  await expect(page.getByRole('link', { name: 'Bakery' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  const now = async () =>
    (await Promise.all(ids.map(stored))).map(({ status, box, snoozedUntil }) => [
      status,
      box,
      snoozedUntil !== null,
    ])
  await expect.poll(now).toEqual([
    ['contacted', 'inbox', false],
    ['contacted', 'inbox', false],
    ['pending', 'inbox', false],
    ['pending', 'inbox', true],
    ['pending', 'spam', false],
  ])
  expect((await stored(ids[0] ?? '')).waitingFor).toBe('them')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  await request.delete(`/api/templates/${saved._id}`, { headers })
})

test('a reply is taken back in time; an undo that comes too late leaves the summary as it was', async ({
  page,
  request,
}) => {
  const { ids, open } = await underway(page, request, ['Bakery'])
  await open()
  await expect(head(page, 'Bakery')).toBeFocused()
  await page.keyboard.press('r')
  await page.keyboard.type('Yes, on Monday.')
  await page.keyboard.press('Control+Enter')
  await expect(outcome(page, '1Replied')).toBeVisible()
  await page.keyboard.press('z')
  await expect(reply(page)).toHaveValue('Yes, on Monday.')
  await expect(page.getByText(/^Undone: /)).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(outcome(page, '1Replied')).toBeVisible()
  // The server's answer once the message has left.
  await page.route('**/api/undo', (route) =>
    route.fulfill({
      json: { success: true, data: { reverted: [], conflicts: ids }, meta: { event: null } },
    }),
  )
  await page.keyboard.press('z')
  await expect(page.getByText('The message has left and stays.')).toBeVisible()
  await expect(outcome(page, '1Replied')).toBeVisible()
})

/** A finger that goes sideways. Sent to the page: a real one leaves the browser moving for a while, which swallows taps. */
const swipe = async (page: Page, name: string, from: number, to: number) => {
  const record = page.getByRole('region', { name })
  const touch = (x: number) => [{ identifier: 1, clientX: x, clientY: 300 }]
  await record.dispatchEvent('touchstart', { touches: touch(from), changedTouches: touch(from) })
  await record.dispatchEvent('touchend', { touches: [], changedTouches: touch(to) })
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('swipes decide as the buttons do, and a run that was left goes on without what a colleague has answered', async ({
    page,
    request,
  }) => {
    const names = ['Bakery', 'Choir', 'Dance studio', 'Rowing club']
    const { ids, stored, open } = await underway(page, request, names)
    await open()
    await expect(head(page, 'Bakery')).toBeVisible()
    await swipe(page, 'Bakery', 80, 320)
    await expect(head(page, 'Choir')).toBeVisible()
    await expect.poll(async () => (await stored(ids[0] ?? '')).status).toBe('contacted')

    const colleague = await signedIn(request, 'editor')
    await request.put(`/api/consultations/${ids[2]}`, {
      headers: { authorization: `Bearer ${colleague.token}` },
      data: { status: 'contacted' },
    })
    await page.getByRole('link', { name: 'End the run' }).tap()
    await expect(page).toHaveURL(/\/admin\/dashboard$/)
    await page.goBack()
    await page.reload()
    await expect(page.getByText(/^2 of /)).toBeVisible()
    await expect(head(page, 'Choir')).toBeVisible()

    await swipe(page, 'Choir', 320, 80)
    await button(page, /^Tomorrow/).tap()
    await expect(head(page, 'Rowing club')).toBeVisible()
    await expect.poll(async () => (await stored(ids[1] ?? '')).snoozedUntil).not.toBeNull()
    for (const name of ['Contacted', 'Assign', 'Later', 'More'])
      await expect(button(page, name)).toBeVisible()
    await button(page, 'Send Email').tap()
    await reply(page).fill('Yes, on Monday.')
    await button(page, 'Send, mark contacted, next').tap()
    await expect(head(page, 'Landed')).toBeVisible()
    await expect(outcome(page, '1Replied')).toBeVisible()
    expect((await stored(ids[2] ?? '')).status).toBe('contacted')
  })
})

test('what a colleague answers while the run is open is passed over, and said', async ({
  page,
  request,
}) => {
  const { ids, open } = await underway(page, request, ['Bakery', 'Choir'])
  const colleague = await signedIn(request, 'editor')
  // Loaded before it is its turn, the second record is asked for again only after the first.
  const ahead = page.waitForResponse(`**/api/consultations/${ids[1]}?*`)
  await page.route(`**/api/consultations/${ids[1]}?*`, async (route) => {
    await request.put(`/api/consultations/${ids[1]}`, {
      headers: { authorization: `Bearer ${colleague.token}` },
      data: { status: 'contacted' },
    })
    await route.continue()
  })
  await open()
  await ahead
  await expect(head(page, 'Bakery')).toBeFocused()
  await page.keyboard.press('e')
  await expect(head(page, 'Landed')).toBeFocused()
  const { username } = colleague.user
  await expect(page.getByText(`Settled meanwhile: Choir was answered by ${username}`)).toBeVisible()
  await expect(outcome(page, '1Settled meanwhile')).toBeVisible()
})

test('a long reply is read whole in the run', async ({ page, request }) => {
  const { ids, open } = await underway(page, request, ['Harbour office'])
  const path = `**/api/consultations/${ids[0]}`
  const end = 'The boats are in the shed.'
  const text = `${'We row on Fridays. '.repeat(limits.activity.text / 10)}${end}`
  const at = new Date().toISOString()
  const reply = { _id: 'reply', kind: 'reply', by: null, from: null, at, text }
  await page.route(`${path}?*`, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    body.data.activity.push({ ...reply, text: text.slice(0, limits.activity.text), cut: true })
    await route.fulfill({ response, json: body })
  })
  await page.route(`${path}/activity/reply?*`, (route) =>
    route.fulfill({ json: { success: true, data: reply } }),
  )
  await open()
  // It stands before everything else, and in the conversation.
  await expect(button(page, 'Show the whole text')).toHaveCount(2)
  await expect(page.getByText(end)).toBeHidden()
  await button(page, 'Show the whole text').first().click()
  await expect(page.getByText(end)).toBeVisible()
})

test('without a connection a run goes on, says what waits, and saves it afterwards', async ({
  page,
  context,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_INTERNET_DISCONNECTED/)
  const { ids, stored, open } = await underway(page, request, ['Bakery', 'Choir', 'Dance studio'])
  await open()
  await expect(head(page, 'Bakery')).toBeFocused()
  await context.setOffline(true)
  await expect(page.getByText('No connection.')).toBeVisible()
  await page.keyboard.press('e')
  await expect(head(page, 'Choir')).toBeFocused()
  // One bar at a time: a phone has no room for two.
  await expect(page.getByRole('region', { name: 'Not saved yet' })).toBeVisible()
  await expect(page.getByText('No connection.')).toBeHidden()
  await page.keyboard.press('r')
  await page.keyboard.type('We can do that.')
  await button(page, 'Send when back').click()
  await expect(head(page, 'Dance studio')).toBeFocused()
  await page.keyboard.press('n')
  await page.keyboard.type('Ask for the plan')
  await button(page, 'Save note').click()
  await expect(page.getByText('The note is saved when you are back.')).toBeVisible()
  await button(page, 'Close').click()
  await page.keyboard.press('h')
  await button(page, /^Tomorrow/).click()
  await expect(head(page, 'Landed')).toBeFocused()
  await expect(page.getByText('3 changes wait for the connection.')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText(/for the connection/)).toBeHidden()
  const now = await Promise.all(ids.map(stored))
  expect(now.map(({ status }) => status)).toEqual(['contacted', 'contacted', 'pending'])
  expect(now[1].waitingFor).toBe('them')
  expect(now[2].snoozedUntil).not.toBeNull()
  const notes = async () =>
    (await stored(ids[2] ?? '')).activity.filter(({ kind }: { kind: string }) => kind === 'note')
  await expect.poll(async () => (await notes()).length).toBe(1)
})

test('somebody who may only read is told why there is no run', async ({ page, request }) => {
  await enterAs(page, request, 'reviewer')
  await page.goto('/admin/run')
  await expect(head(page, 'No run for your role')).toBeFocused()
  await expect(page.getByRole('link', { name: 'Read the consultations' })).toBeVisible()
})

test('a run that cannot be loaded tells a failing server from a lost connection', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 500|ERR_FAILED/)
  const answer = async (reply: (route: Route) => Promise<void>) => {
    await page.unroute('**/api/consultations?**')
    await page.route('**/api/consultations?**', reply)
  }
  await enter(page, await signedIn(request, 'editor'))
  await answer((route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'internal', message: '' } }),
  )
  await page.goto('/admin/run')
  const problem = page.getByRole('alert')
  await expect(problem).toContainText('The server cannot answer at the moment')
  await answer((route) => route.abort())
  await button(page, 'Try again').click()
  await expect(problem).toContainText('The server cannot be reached')
})
