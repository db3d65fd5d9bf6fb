// Applications are scored, where the position asks for it before anybody sees whose they are.

import type { APIRequestContext, Route } from '@playwright/test'
import {
  axeEverywhere,
  axeViolations,
  blindPosition,
  enter,
  expect,
  interceptFromStart,
  listNew,
  notice,
  orSignIn,
  ownWord,
  signedIn,
  submit,
  test,
} from '#tests/e2e/admin/fixtures.ts'

test.beforeEach(({ page }) => interceptFromStart(page))

const criteria = blindPosition?.data.criteria ?? []
const asksBlind = () => test.skip(!blindPosition, 'No position of this site is read without names')

const name = 'Wanda Hidden'

/** An application for a position that is read blind. */
const applyBlind = async (request: APIRequestContext, word: string): Promise<string> => {
  const [id = ''] = await submit(request, 'applications', [name], word, {
    position: blindPosition?.id,
    coverLetter: `I counted the taps in our canteen’s menu: eleven. ${word}`,
  })
  return id
}

/** The server gets the call, the page no answer. */
const lose = async (route: Route) => {
  await route.fetch()
  await route.abort()
}

test('a blind application is scored by keyboard before anybody sees whose it is, once also where an answer is lost', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/, /status of 401/)
  asksBlind()
  const word = ownWord()
  const id = await applyBlind(request, word)
  const colleague = await signedIn(request, 'editor')
  const scored = await request.put(`/api/applications/${id}/score`, {
    data: {
      criteria: Object.fromEntries(criteria.map(({ key }, index) => [key, index === 0 ? 1 : 3])),
      comment: 'A template.',
    },
    headers: { authorization: `Bearer ${colleague.token}` },
  })
  expect(scored.status()).toBe(200)

  const { token, user: scorer } = await signedIn(request, 'editor')
  await enter(page, { token, user: scorer })
  await page.goto(`/admin/applications#q=${word}`)
  const open = page.getByRole('region', { name: 'Detail' })
  const card = open.getByRole('region', { name: 'Your score' })
  await expect(open.getByRole('heading', { name: /^Candidate \d{3}\s\d{3}$/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /Candidate/ })).toBeVisible()
  await expect(card.getByText('Somebody else has scored.')).toBeVisible()
  await expect(page.locator('body')).not.toContainText(name)
  await expect(page.locator('body')).not.toContainText('University of Examples')
  for (const decision of ['Accept Application', 'Reject Application'])
    await expect(open.getByRole('button', { name: decision })).toBeDisabled()
  await expect(open.getByText('Score it first.')).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 900 })

  // Arrows choose within a criterion, Tab leads to the next one.
  const group = card.getByRole('group', { name: criteria[0]?.label ?? '' })
  const first = group.getByRole('radio', { name: `1, ${criteria[0]?.anchors[0]}` })
  await first.focus()
  await page.keyboard.press('Space')
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight')
  await expect(group.getByText(`4: ${criteria[0]?.anchors[3]}`)).toBeVisible()
  for (let criterion = 1; criterion < criteria.length; criterion += 1) {
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
  }
  await expect(card.getByText(`${criteria.length} of ${criteria.length}`)).toBeVisible()
  const keys: (string | undefined)[] = []
  page.on('request', (sent) => {
    if (sent.url().includes('/score')) keys.push(sent.headers()['idempotency-key'])
  })
  await page.route('**/score*', lose, { times: 1 })
  await page.keyboard.press('Control+Enter')
  await expect(card.getByRole('alert')).toBeVisible()
  const { promise: typed, resolve: answer } = Promise.withResolvers<void>()
  const held = async (route: Route) => {
    await typed
    await route.continue()
  }
  await page.route('**/score*', held, { times: 1 })
  await page.keyboard.press('Control+Enter')
  // What is typed while it is saved stays.
  await expect(card.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await card.getByLabel(/^Why/).fill('Clear, too.')
  answer()
  await expect(open.getByRole('heading', { name })).toBeVisible()
  await expect(card.getByLabel(/^Why/)).toHaveValue('Clear, too.')
  await card.getByRole('button', { name: 'Keep the earlier score' }).click()

  const scores = open.getByRole('region', { name: 'Scores' })
  await expect(scores.getByText('you and 1 other')).toBeVisible()
  expect(keys).toEqual([expect.any(String), keys[0]])
  await expect(scores.getByText(`Furthest apart: ${criteria[0]?.label}.`)).toBeVisible()
  await expect(scores.getByText('A template.')).toBeVisible()
  await expect(open.getByRole('heading', { name })).toBeVisible()
  await expect(page.getByRole('link', { name })).toBeVisible()

  const stage = open.getByRole('list', { name: 'Stage' }).locator('[aria-current]')
  await expect(stage).toHaveText('New')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name }).click()
  // The next stage's button comes to the same place: a double click decides once.
  await open.getByRole('button', { name: 'Mark as Reviewing' }).dblclick()
  await expect(stage).toHaveText('Reviewing')
  // The tools of the bar stay in one row on the smallest phone.
  await page.setViewportSize({ width: 320, height: 640 })
  const middleOf = (name: string) =>
    open.getByRole('button', { name }).evaluate((node) => {
      const { top, bottom } = node.getBoundingClientRect()
      return Math.round((top + bottom) / 2)
    })
  await expect(open.getByRole('button', { name: 'Next record' })).toBeVisible()
  expect(await middleOf('Previous record')).toBe(await middleOf('Next record'))
  await page.setViewportSize({ width: 1280, height: 900 })
  await open.getByRole('button', { name: 'Accept Application' }).click()
  await expect(open.getByRole('list', { name: 'Stage' })).toContainText('Interviewed, skipped')
  await open.getByRole('button', { name: 'Reject Application' }).click()
  await expect(stage).toHaveText('Rejected')
  await expect(open.getByText('Rejected, not told yet.')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await open.getByRole('button', { name: /^Write it: Kind refusal/ }).click()
  const composer = open.getByLabel(`Send Email to ${name}`)
  await expect(composer).toBeFocused()
  // The letter is read and the scores stay while somebody writes.
  await open.getByText('Cover letter').hover()
  await page.mouse.wheel(0, -2_000)
  for (const part of [open.getByText('Cover letter'), scores, composer])
    await expect(part).toBeInViewport()

  // A score that was begun is one person's: after a session that lapsed somebody else finds none.
  await open.getByRole('button', { name: 'Change my score' }).click()
  await open.getByLabel(/^Why/).fill('Too long.')
  const { user } = await signedIn(request, 'editor')
  await request.get('/api/auth/logout', { headers: { authorization: `Bearer ${token}` } })
  await orSignIn(open.getByLabel(`Send Email to ${name}`)).press('x')
  await page.getByLabel('Email', { exact: true }).fill(user.email)
  await page.getByLabel('Password').fill('three quiet herons wade')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(card.getByText(`0 of ${criteria.length}`)).toBeVisible()
  await expect(card.getByLabel(/^Why/)).toHaveValue('')
})

test('no message to an applicant who is hidden carries a decision', async ({ page, request }) => {
  asksBlind()
  const word = ownWord()
  await applyBlind(request, word)
  const { token, user } = await signedIn(request, 'editor')
  await enter(page, { token, user })
  await page.goto(`/admin/applications#q=${word}`)
  const open = page.getByRole('region', { name: 'Detail' })
  await expect(open.getByText('Score it first.')).toBeVisible()
  await page.keyboard.press('r')
  await open.getByLabel(/^Send Email to/).fill('Thank you.')
  await open.getByRole('button', { name: 'Other ways to send' }).click()
  const way = (status: string) =>
    open.getByRole('button', { name: `Send and mark ${status}`, exact: true })
  await expect(way('interviewed')).toBeVisible()
  for (const decision of ['accepted', 'rejected']) await expect(way(decision)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: /^Select Candidate/ }).check()
  await page.getByRole('button', { name: /^Send a template/ }).click()
  const statuses = page.getByRole('dialog').getByLabel('Status').getByRole('option')
  await expect(statuses).toHaveText(['Stays as it is', 'Reviewing', 'Interviewed'])
})

test('a score that lacks a criterion is completed before it shows those of others', async ({
  page,
  request,
}) => {
  asksBlind()
  const word = ownWord()
  const id = await applyBlind(request, word)
  const score = async (token: string, given: typeof criteria) => {
    const answer = await request.put(`/api/applications/${id}/score`, {
      data: { criteria: Object.fromEntries(given.map(({ key }) => [key, 3])) },
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.status()).toBe(200)
  }
  await score((await signedIn(request, 'editor')).token, criteria)
  const { token, user } = await signedIn(request, 'editor')
  // As the position was before it got its last criterion.
  await score(token, criteria.slice(0, -1))
  await enter(page, { token, user })
  await page.goto(`/admin/applications#q=${word}`)
  const open = page.getByRole('region', { name: 'Detail' })
  const card = open.getByRole('region', { name: 'Your score' })
  await expect(card.getByText(`${criteria.length - 1} of ${criteria.length}`)).toBeVisible()
  await expect(card.getByText('Somebody else has scored.')).toBeVisible()
  const last = criteria.at(-1)
  await card
    .getByRole('radio', { name: `4, ${last?.anchors[3]}` })
    .last()
    .check()
  await card.getByRole('button', { name: /^Save my score/ }).click()
  await expect(open.getByRole('region', { name: 'Scores' })).toContainText('you and 1 other')
  await expect(open.getByRole('heading', { name })).toBeVisible()
})

test('showing whose application it is stands once in its conversation, also where an answer is lost', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 409|ERR_FAILED/)
  asksBlind()
  const word = ownWord()
  const id = await applyBlind(request, word)
  const { user, token } = await signedIn(request, 'editor')
  await enter(page, { user, token })
  await page.goto(`/admin/applications#q=${word}`)
  const open = page.getByRole('region', { name: 'Detail' })
  const candidate = open.getByRole('heading', { name: /^Candidate/ })
  await expect(candidate).toBeVisible()
  // What a colleague did meanwhile tells no more.
  const colleague = await signedIn(request, 'editor')
  await request.put(`/api/applications/${id}`, {
    data: { status: 'interviewed' },
    headers: { authorization: `Bearer ${colleague.token}` },
  })
  await page.keyboard.press('e')
  const faster = page.getByRole('alertdialog', { name: 'Someone else was faster' })
  await faster.getByRole('button', { name: 'Keep what is saved' }).click()
  await expect(candidate).toBeVisible()

  await page.route('**/reveal*', lose, { times: 1 })
  await open.getByRole('button', { name: 'Show now' }).click()
  await expect(open.getByRole('alert')).toHaveText('The name could not be shown. Please try again.')
  await open.getByRole('button', { name: 'Show now' }).click()
  await expect(open.getByRole('heading', { name })).toBeVisible()
  await expect(open.getByText(`${user.username} had the name shown`)).toHaveCount(1)
  await page.reload()
  await expect(open.getByRole('heading', { name })).toBeVisible()
})

test('a decision about all that match leaves out those who are read blind', async ({
  page,
  request,
}) => {
  asksBlind()
  const word = ownWord()
  const hidden = await applyBlind(request, word)
  const [known = ''] = await submit(request, 'applications', ['Asha One'], word)
  const account = await signedIn(request, 'editor')
  await enter(page, account)
  await page.goto(`/admin/applications#q=${word}`)
  await page.getByRole('checkbox', { name: 'Select Asha One' }).check()
  await page.getByRole('button', { name: 'Select all 2' }).click()
  await page.getByLabel('Set status of the selected').selectOption({ label: 'Rejected' })
  await page.getByRole('button', { name: 'Change 2 applications' }).click()
  await expect(notice(page, '1 application changed. 1 left out: read blind')).toBeVisible()
  const headers = { authorization: `Bearer ${account.token}` }
  const statusOf = async (id: string) =>
    (await (await request.get(`/api/applications/${id}?blind=auto`, { headers })).json()).data
      .status
  expect([await statusOf(hidden), await statusOf(known)]).toEqual(['new', 'rejected'])
})

test('many are rejected with one message, and one undo takes it back', async ({
  page,
  request,
}) => {
  await listNew(page, request, 'applications', ['Asha One', 'Bo Two'], 'editor')
  const list = page.getByRole('region', { name: 'List' })
  await expect(list.getByRole('link', { name: 'Bo Two' })).toBeVisible()
  for (const name of ['Asha One', 'Bo Two'])
    await list.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByLabel('Set status of the selected').selectOption('Reject with a message …')
  const dialog = page.getByRole('dialog', { name: 'Write to 2 applications' })
  await expect(dialog.getByLabel('Status')).toHaveValue('rejected')
  await dialog.getByLabel('Text').fill('Dear {name}, not this time.')
  await dialog.getByRole('button', { name: 'Send to 2 applications' }).click()
  const rejected = list.getByRole('img', { name: 'Rejected' })
  await expect(rejected).toHaveCount(2)
  // The conversation grows above the button, which moves.
  await expect(page.getByText(/changed the status from New to Rejected/)).toBeVisible()
  const answer = page.getByRole('region', { name: 'Answer' })
  await answer.getByRole('button', { name: 'Undo' }).click()
  await expect(rejected).toHaveCount(0)

  // Their text is there for another try, also where all that match are not written to after all.
  await list.getByRole('checkbox', { name: 'Select Asha One' }).check()
  await page.getByRole('button', { name: 'Select all 2' }).click()
  await page.keyboard.press('t')
  await expect(dialog.getByLabel('Text')).toHaveValue('Dear {name}, not this time.')
  await dialog.getByLabel('Text').fill('Dear {name}, not yet.')
  await dialog.getByRole('button', { name: 'Send to 2 applications' }).click()
  await page.getByRole('dialog', { name: 'Write to all 2' }).getByText('Cancel').click()
  for (const name of ['Asha One', 'Bo Two'])
    await list.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.keyboard.press('t')
  await expect(dialog.getByLabel('Text')).toHaveValue('Dear {name}, not yet.')
})
