// From a request to a yes: the staff's side on a desktop, the sender's on a phone without a script.

import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { calendarDayText } from '#contract/times/moments.ts'
import { samples } from '#server/intake/samples.ts'
import { brand, entry } from '#site/content.ts'
import {
  axeEverywhere,
  detail,
  enter,
  enterAs,
  expect,
  goTo,
  interceptFromStart,
  mailedLink,
  ownWord,
  signedIn,
  submit,
  test,
  tryNow,
} from './fixtures.ts'

const price = (amount: number): string =>
  amount.toLocaleString('en', { style: 'currency', currency: brand().currency })

const hours = {
  timeZone: 'UTC',
  weekly: [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '08:00', to: '20:00' })),
  minutes: 60,
  buffer: 0,
  noticeHours: 1,
  horizonDays: 30,
  place: 'https://meet.example/room',
}

/** Opens _Offer times_ by its key, with the focus at the record's name. */
const openPicker = async (page: Page) => {
  await detail(page).getByRole('heading', { level: 2 }).click()
  await page.keyboard.press('o')
}

const talk = (page: Page) => detail(page).getByRole('region', { name: 'Talk', exact: true })

/** An editor at a new request. */
const opened = async (
  page: Page,
  request: APIRequestContext,
  changes: Partial<typeof hours> = {},
) => {
  const word = ownWord()
  const name = `Wanda ${word}`
  const [id = ''] = await submit(request, 'consultations', [name], word)
  const account = await signedIn(request, 'editor')
  const headers = { authorization: `Bearer ${account.token}` }
  await request.put('/api/me/hours', { headers, data: { ...hours, ...changes } })
  await enter(page, account)
  await page.goto(`/admin/consultations?id=${id}`)
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
  return { id, name, headers, email: `${word}@example.test` }
}

/** The sender's page in the browser of a phone, without scripts. */
const onPhone = async (browser: Browser, baseURL: string | undefined, email: string) => {
  const link = await mailedLink(email, /\/status\/[\w-]{22,}/)
  const phone = await browser.newContext({
    baseURL: baseURL ?? '',
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  })
  return { link, phone, sender: await phone.newPage() }
}

test('a name without a space fits a phone where times and a price are offered', async ({
  page,
  request,
}) => {
  const [id = ''] = await submit(request, 'consultations', ['W'.repeat(90)], ownWord())
  const account = await signedIn(request, 'editor')
  const headers = { authorization: `Bearer ${account.token}` }
  await request.put('/api/me/hours', { headers, data: hours })
  await page.setViewportSize({ width: 390, height: 844 })
  await enter(page, account)
  const overflow = () => page.evaluate('document.documentElement.scrollWidth - innerWidth')
  await page.goto(`/admin/consultations?id=${id}`)
  await detail(page).getByRole('button', { name: 'Offer times' }).click()
  await expect(page.getByRole('table', { name: 'Your times' })).toBeVisible()
  expect(await overflow()).toBe(0)
  await goTo(page, `/admin/offers?record=${id}`)
  await expect(page.getByRole('heading', { name: 'Offer a price' })).toBeFocused()
  expect(await overflow()).toBe(0)
})

test('on a tablet the week comes into view when times are offered', async ({ page, request }) => {
  await page.setViewportSize({ width: 768, height: 1600 })
  await opened(page, request)
  const button = detail(page).getByRole('button', { name: 'Offer times' })
  const top = (await button.boundingBox())?.y ?? 0
  await page.setViewportSize({ width: 768, height: Math.ceil(top) + 260 })
  await button.click()
  await expect(page.getByRole('table', { name: 'Your times' })).toBeInViewport({ ratio: 0.2 })
})

test('times are offered, one is booked and moved on a phone without a script, and staff cancel it', async ({
  page,
  request,
  browser,
  baseURL,
}) => {
  const { id, headers, email } = await opened(page, request)
  const { link, phone, sender } = await onPhone(browser, baseURL, email)
  await openPicker(page)
  const form = page.getByRole('form', { name: 'Offer times' })
  await expect(form.getByRole('button', { name: 'Times I pick' })).toBeFocused()
  await form.getByRole('button', { name: 'The week after' }).click()
  await form.getByRole('checkbox', { name: /Tuesday .*, 10:00$/ }).check()
  await form.getByRole('checkbox', { name: /Wednesday .*, 11:00$/ }).check()
  await expect(form.getByRole('list', { name: 'Picked times' }).getByRole('listitem')).toHaveCount(
    2,
  )
  await expect(form.getByRole('textbox', { name: /^Message to/ })).toHaveValue(
    /here are two times for our talk/,
  )
  await form.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('dialog', { name: 'The mail as it will arrive' })
  await expect(preview).toContainText(
    /Wednesday .*, 11:00 \(UTC\)\s+Choose a time: \{link\}\/times/,
  )
  await preview.getByRole('button', { name: 'Close' }).click()
  await form.getByRole('button', { name: 'Send 2 times' }).click()
  await expect(detail(page).getByText(/Sending in \d+ s/)).toBeVisible()

  await expect(
    detail(page).getByRole('list', { name: 'Offered times' }).getByRole('listitem'),
  ).toHaveText([/^Tuesday .*, 10:00 in UTC, open$/, /^Wednesday .*, 11:00 in UTC, open$/])

  await sender.goto(`${link}/times`)
  await expect(async () => {
    await sender.reload()
    await expect(sender.getByRole('radio')).toHaveCount(2, { timeout: 500 })
  }).toPass()
  // By keys, and where the system sets the colours: the chosen card has an outline, the other one none.
  await sender.emulateMedia({ forcedColors: 'active' })
  await sender.getByRole('radio').first().focus()
  await sender.keyboard.press('Space')
  const outlines = sender.locator('label', { has: sender.getByRole('radio') })
  expect(
    await outlines.evaluateAll((cards) => cards.map((card) => getComputedStyle(card).outlineStyle)),
  ).toEqual(['solid', 'none'])
  await sender.keyboard.press('Tab')
  await expect(sender.getByRole('button', { name: 'Go on' })).toBeFocused()
  await sender.keyboard.press('Enter')
  await expect(sender.getByRole('heading', { level: 1 })).toHaveText('Book this time?')
  // The form as it stands sends no time.
  await sender.getByRole('checkbox', { name: 'Yes, this time suits me' }).focus()
  await sender.keyboard.press('Space')
  await sender.keyboard.press('Tab')
  await expect(sender.getByRole('button', { name: 'Book this time' })).toBeFocused()
  await sender.keyboard.press('Enter')
  await expect(sender.getByRole('heading', { level: 1 })).toHaveText('Your talk is booked')
  await expect(sender.getByText('10:00 to 11:00')).toBeVisible()
  const file = await phone.request.get(
    (await sender.getByRole('link', { name: 'Add to calendar' }).getAttribute('href')) ?? '',
  )
  expect(await file.text()).toMatch(/BEGIN:VEVENT[\s\S]*LOCATION:https:\/\/meet\.example\/room/)

  await sender.getByRole('link', { name: 'Choose another time' }).click()
  await sender.getByRole('radio').first().check()
  await sender.getByRole('button', { name: 'Go on' }).click()
  await sender.getByRole('checkbox', { name: 'Yes, this time suits me' }).check()
  await sender.getByRole('button', { name: 'Move it' }).click()
  await expect(sender.getByText('11:00 to 12:00')).toBeVisible()

  await page.reload()
  await expect(detail(page).getByText('The sender moved the talk to')).toBeVisible()
  await expect(talk(page)).toContainText('https://meet.example/room')
  await talk(page).getByRole('button', { name: 'Cancel the talk…' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel the talk?' })
  await question.getByRole('textbox', { name: /^A word to/ }).fill('I am ill.')
  await question.getByRole('button', { name: 'Cancel the talk' }).click()
  await expect(talk(page)).toContainText('The talk was cancelled')
  const record = await (await request.get(`/api/consultations/${id}`, { headers })).json()
  expect(record.data.appointment.state).toBe('cancelled')
  await sender.reload()
  await expect(sender.getByRole('heading', { level: 1 })).toHaveText('Choose a time')
  await phone.close()
})

test('a talk whose host has lost the right to answer is moved with another host', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const [id = ''] = await submit(request, 'consultations', [`Wanda ${word}`], word)
  const editor = await signedIn(request, 'editor')
  const boss = await signedIn(request, 'superuser')
  const headersOf = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })
  for (const account of [editor, boss])
    await request.put('/api/me/hours', { headers: headersOf(account), data: hours })
  await request.post(`/api/consultations/${id}/times`, { headers: headersOf(editor), data: {} })
  const link = await mailedLink(`${word}@example.test`, /\/status\/[\w-]+\/times/)
  const start = (days: number) =>
    `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T10:00:00.000Z`
  const booked = await request.post(`/api${link}`, { data: { start: start(3) } })
  expect(booked.status()).toBe(201)
  await request.put(`/api/users/${editor.user.id}`, {
    headers: headersOf(boss),
    data: { role: 'user' },
  })
  await enter(page, boss)
  await page.goto(`/admin/consultations?id=${id}`)
  await talk(page).getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move the talk' })
  await dialog.getByLabel('New time').fill(start(4).slice(0, 16))
  await dialog.getByLabel('Host').selectOption(boss.user.username)
  await dialog.getByRole('button', { name: 'Move it' }).click()
  await expect(talk(page)).toContainText(boss.user.username)
})

test('the picker keeps its times when it is left, and brings them back with their text when they are undone', async ({
  page,
  request,
}) => {
  await opened(page, request)
  const address = page.url()
  await openPicker(page)
  const form = page.getByRole('form', { name: 'Offer times' })
  const picked = form.getByRole('list', { name: 'Picked times' }).getByRole('listitem')
  await form.getByRole('button', { name: 'The week after' }).click()
  await form.getByRole('checkbox', { name: /Tuesday .*, 10:00$/ }).check()
  await form.getByRole('checkbox', { name: /Tuesday .*, 11:00$/ }).check()
  await page.keyboard.press('Escape')
  await expect(form).toBeHidden()
  await expect(page.getByRole('region', { name: 'Answer' })).toBeFocused()
  await page.keyboard.press('o')
  await expect(picked).toHaveCount(2)
  const message = form.getByRole('textbox', { name: /^Message to/ })
  await message.fill('Which one suits you?')
  await message.press('Escape')
  await expect(message).not.toBeFocused()
  await expect(form).toBeVisible()
  // Escape works with the focus outside the picker, too.
  await page.keyboard.press('Escape')
  await expect(form).toBeHidden()
  await page.reload()
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
  expect(page.url()).toBe(address)
  await openPicker(page)
  await expect(picked).toHaveCount(2)
  await expect(message).toHaveValue('Which one suits you?')
  await form.getByRole('button', { name: 'Send 2 times' }).click()
  await expect(detail(page).getByText(/Sending in \d+ s/)).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => Object.keys(sessionStorage).join()))
    .not.toContain('form:')
  await detail(page).getByRole('button', { name: /^Undo/ }).click()
  await expect(detail(page).getByText('Recalled, never sent')).toBeVisible()
  await openPicker(page)
  await expect(picked).toHaveCount(2)
  await expect(message).toHaveValue('Which one suits you?')
})

test('times that are picked anew outlast the late answer to those that were not to be sent', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/)
  await interceptFromStart(page)
  await opened(page, request)
  await openPicker(page)
  const form = page.getByRole('form', { name: 'Offer times' })
  const message = form.getByRole('textbox', { name: /^Message to/ })
  const picked = form.getByRole('list', { name: 'Picked times' }).getByRole('listitem')
  await form.getByRole('button', { name: 'The week after' }).click()
  await form.getByRole('checkbox', { name: /Tuesday .*, 10:00$/ }).check()
  await form.getByRole('checkbox', { name: /Tuesday .*, 11:00$/ }).check()
  await message.fill('Which one suits you?')
  const calls = '**/api/consultations/*/times'
  await page.route(calls, (route) => route.abort())
  await form.getByRole('button', { name: 'Send 2 times' }).click()
  await expect(detail(page).getByText('This message leaves when you are back.')).toBeVisible()
  const sent = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<void>()
  await page.route(calls, async (route) => {
    sent.resolve()
    await stored.promise
    await route.continue()
  })
  await tryNow(page.getByRole('region', { name: 'Not saved yet' }))
  await sent.promise
  await detail(page).getByRole('button', { name: 'Do not send' }).click()
  await openPicker(page)
  await message.fill('Would this one suit you?')
  await picked
    .first()
    .getByRole('button', { name: /^Remove/ })
    .click()
  stored.resolve()
  await expect(detail(page).getByText('Recalled, never sent')).toBeVisible()
  await expect(picked).toHaveCount(1)
  await expect(message).toHaveValue('Would this one suit you?')
})

test('the picker begins at the week of the first free time', async ({ page, request }) => {
  // This week has no time with a week's notice.
  await opened(page, request, { noticeHours: 168 })
  await detail(page).getByRole('button', { name: 'Offer times' }).click()
  const form = page.getByRole('form', { name: 'Offer times' })
  await expect(form.getByRole('checkbox').first()).toBeVisible()
  await form.getByRole('button', { name: 'The week before' }).click()
  await expect(form.getByText('too soon').last()).toBeVisible()
  await expect(form.getByRole('checkbox')).toHaveCount(0)
})

test('the week and the number of free times follow the length of the talk', async ({
  page,
  request,
}) => {
  await opened(page, request)
  await openPicker(page)
  const form = page.getByRole('form', { name: 'Offer times' })
  const length = form.getByRole('combobox', { name: 'Length' })
  const between = form.getByRole('checkbox', { name: /:30$/ })
  await length.selectOption('60 min')
  await form.getByRole('button', { name: 'The week after' }).click()
  await expect(form.getByRole('checkbox', { name: /:00$/ }).first()).toBeVisible()
  await expect(between).toHaveCount(0)
  await length.selectOption('30 min')
  await expect(between.first()).toBeVisible()
  await form.getByText('Any of my free hours').click()
  const count = form.getByText(/\d+ free times in the next/)
  const halves = (await count.textContent()) ?? ''
  await length.selectOption('60 min')
  await expect(count).not.toHaveText(halves)
})

/** Counts what a person does; typing into fields is part of the act that follows. */
const counting = () => {
  const acts = { staff: 0, sender: 0 }
  const by = (who: keyof typeof acts) => (act: Promise<void>) => {
    acts[who] += 1
    return act
  }
  return { acts, staff: by('staff'), sender: by('sender') }
}

test('an offer is drafted, sent and accepted on a phone without a script, in few acts', async ({
  page,
  request,
  browser,
  baseURL,
}) => {
  const { name, email } = await opened(page, request)
  const { link, phone, sender } = await onPhone(browser, baseURL, email)
  const { acts, ...act } = counting()
  await act.staff(detail(page).getByRole('link', { name: 'Offer a price' }).click())
  const form = page.getByRole('form', { name: 'Offer' })
  const offered = entry('consultation-services', String(samples.consultations.service))?.data
  await expect(form.getByRole('textbox', { name: 'Title' })).toHaveValue(offered?.title ?? '')
  await expect(form.getByRole('textbox', { name: 'Line 1: amount' })).toHaveValue(
    String(offered?.monthly ?? ''),
  )
  await form.getByRole('combobox', { name: 'Line 1: how often' }).selectOption('once')
  await form.getByRole('textbox', { name: 'Line 1: amount' }).fill('')
  await form.getByRole('textbox', { name: 'Title' }).fill('A website with table booking')
  await form.getByRole('textbox', { name: 'Text', exact: true }).fill('We build five pages.')
  await form.getByRole('textbox', { name: 'Line 1: what' }).fill('Design and building')
  await form.getByRole('button', { name: /^Send to/ }).click()
  await form.getByRole('link', { name: 'Line 1: How much is it? Write 0 if it is free.' }).click()
  await expect(form.getByRole('textbox', { name: 'Line 1: amount' })).toBeFocused()
  await form.getByRole('textbox', { name: 'Line 1: amount' }).fill('abc')
  await form.getByRole('button', { name: /^Send to/ }).click()
  await expect(form.getByRole('link', { name: /^Line 1: “abc” is not an amount/ })).toBeVisible()
  await form.getByRole('textbox', { name: 'Line 1: amount' }).fill('1,450.00')
  await act.staff(form.getByRole('button', { name: 'Add a line' }).click())
  await form.getByRole('textbox', { name: 'Line 2: what' }).fill('Care')
  await form.getByRole('textbox', { name: 'Line 2: amount' }).fill('79')
  await form.getByRole('combobox', { name: 'Line 2: how often' }).selectOption('a month')
  const preview = page.getByRole('article', { name: 'The offer as the sender reads it' })
  await expect(preview).toContainText(price(1_450))
  const lastDay = await form.getByLabel('Valid until').inputValue()
  await expect(preview).toContainText(`Valid until: ${calendarDayText(lastDay)}`)
  await expect(preview).toContainText(`${price(79)} a month`)
  await form.getByRole('button', { name: 'Save the draft' }).click()
  await expect(form.getByRole('status')).toHaveText(/^Draft, saved/)
  await form.getByRole('textbox', { name: 'Message that goes with it' }).fill('Dear Wanda.')
  await act.staff(form.getByRole('button', { name: /^Send to/ }).click())
  await expect(detail(page).getByText(/Sending in \d+ s/)).toBeVisible()
  await expect(detail(page).getByText(/Waiting for an answer/)).toBeVisible()
  // The tab forgets times that were sent.
  expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual(['entered'])

  await sender.goto(link)
  const offer = sender.getByRole('link', { name: 'Read it and answer' })
  await expect(async () => {
    await sender.reload()
    await expect(offer).toBeVisible({ timeout: 500 })
  }).toPass()
  await act.sender(offer.click())
  await sender.emulateMedia({ forcedColors: 'active' })
  await expect(sender.getByRole('article', { name: 'The offer' })).toContainText(price(1_450))
  await sender.getByRole('link', { name: 'Decline' }).click()
  await expect(sender.getByRole('button', { name: 'Decline' })).toBeInViewport()
  const accept = sender.getByRole('form', { name: 'Accept' })
  const button = accept.getByRole('button', { name: 'Accept the offer' })
  expect(await button.evaluate((it) => getComputedStyle(it).borderTopStyle)).toBe('solid')
  await accept.getByRole('textbox', { name: 'Your name' }).fill(name)
  await sender.keyboard.press('Tab')
  await expect(
    accept.getByRole('checkbox', {
      name: `I accept this offer: ${price(1_450)} once and ${price(79)} a month`,
    }),
  ).toBeFocused()
  await act.sender(sender.keyboard.press('Space'))
  await sender.keyboard.press('Tab')
  await expect(button).toBeFocused()
  await act.sender(sender.keyboard.press('Enter'))
  expect(acts.staff).toBeLessThanOrEqual(4)
  expect(acts.sender).toBeLessThanOrEqual(3)
  await expect(sender.getByRole('heading', { level: 1 })).toHaveText('You accepted our offer')
  await expect(sender.getByText(`Accepted by ${name}`)).toBeVisible()
  const width = await sender.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)

  await page.reload()
  await expect(detail(page).getByText('The sender accepted the offer')).toBeVisible()
  await expect(detail(page).getByText(`Accepted by ${name}`)).toBeVisible()
  await phone.close()
})

/** An editor who opens "Offer a price" at a new request. */
const offering = async (page: Page, request: APIRequestContext) => {
  const word = ownWord()
  const [id = ''] = await submit(request, 'consultations', [`Wanda ${word}`], word)
  const account = await signedIn(request, 'editor')
  await enter(page, account)
  await page.goto(`/admin/consultations?id=${id}`)
  await detail(page).getByRole('link', { name: 'Offer a price' }).click()
  const form = page.getByRole('form', { name: 'Offer' })
  await expect(page.getByRole('heading', { name: 'Offer a price' })).toBeFocused()
  const headers = { authorization: `Bearer ${account.token}` }
  const states = async () => {
    const { data } = await (await request.get(`/api/consultations/${id}`, { headers })).json()
    return data.offers.map(({ state }: { state: string }) => state)
  }
  return { form, states }
}

test('the message of an offer that is undone goes with the offer that replaces it', async ({
  page,
  request,
}) => {
  const { form, states } = await offering(page, request)
  const field = (name: string) => form.getByRole('textbox', { name, exact: true })
  await field('Title').fill('A shop')
  await field('Text').fill('We build five pages.')
  await field('Line 1: what').fill('Building')
  await field('Line 1: amount').fill('1450')
  await field('Message that goes with it').fill('Dear Wanda, as we said.')
  await form.getByRole('button', { name: /^Send to/ }).click()
  await expect(detail(page).getByText(/Sending in \d+ s/)).toBeVisible()
  await detail(page).getByRole('button', { name: /^Undo/ }).click()
  await expect(detail(page).getByText('Recalled, never sent').first()).toBeVisible()
  await detail(page).getByRole('link', { name: 'A shop' }).click()
  await page.getByRole('button', { name: 'Replace with a new offer' }).click()
  await expect(field('Message that goes with it')).toHaveValue('Dear Wanda, as we said.')
  expect(await states()).toEqual(['recalled', 'draft'])
  // One text is kept, with the draft.
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Not saved yet: 1 text.')
})

test('what is typed into an offer is there again after leaving, Back and a reload, and Enter saves it as a draft', async ({
  page,
  request,
}) => {
  const { form, states } = await offering(page, request)
  const field = (name: string) => form.getByRole('textbox', { name, exact: true })
  const isThere = async (name: string, text: string) => {
    await expect(field(name)).toHaveValue(text)
    await expect(field('Line 2: what')).toHaveValue('Care')
    await expect(field('Message that goes with it')).toHaveValue('Dear Wanda, as we said.')
  }
  await field('Title').fill('A shop')
  await field('Text').fill('We build five pages.')
  await field('Line 1: what').fill('Building')
  await field('Line 1: amount').fill('1,450')
  await form.getByRole('button', { name: 'Add a line' }).click()
  await expect(field('Line 2: what')).toBeFocused()
  await field('Line 2: what').fill('Care')
  await field('Line 2: amount').fill('79')
  await field('Message that goes with it').fill('Dear Wanda, as we said.')
  await expect(form.getByRole('status')).toHaveText(/kept in this tab/)
  await page.getByRole('link', { name: /^Back to/ }).click()
  await detail(page).getByRole('link', { name: 'Offer a price' }).click()
  await isThere('Title', 'A shop')
  await page.goBack()
  await expect(detail(page)).toBeVisible()
  await page.goForward()
  await isThere('Title', 'A shop')
  await page.reload()
  await isThere('Title', 'A shop')

  // Enter sends nothing, also after a try to send.
  await field('Line 2: amount').fill('')
  await form.getByRole('button', { name: /^Send to/ }).click()
  await expect(form.getByRole('alert')).toBeVisible()
  await field('Line 2: amount').fill('79')
  // A stored draft has its own address; the message and what is typed since stay in the tab.
  await field('Title').press('Enter')
  await expect(form.getByRole('status')).toHaveText(/^Draft, saved/)
  await expect(page).toHaveURL(/[?&]offer=/)
  await expect(field('Title')).toBeFocused()
  await page.reload()
  await isThere('Title', 'A shop')
  await field('Title').fill('A larger shop')
  await page.reload()
  await isThere('Title', 'A larger shop')
  await expect(field('Line 1: amount')).toHaveValue('1450.00')
  expect(await states()).toEqual(['draft'])

  // The next offer begins anew, and a sign-out asks before the tab forgets.
  await page.getByRole('link', { name: /^Back to/ }).click()
  await detail(page).getByRole('link', { name: 'Offer a price' }).click()
  await expect(field('Text')).toHaveValue('')
  await page.getByRole('button', { name: 'Logout' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Not saved yet: 1 text.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.goBack()
  await detail(page).getByRole('link', { name: 'A shop' }).click()
  await isThere('Title', 'A larger shop')
  await form.getByRole('button', { name: 'Discard changes' }).click()
  await detail(page).getByRole('link', { name: 'A shop' }).click()
  await expect(field('Title')).toHaveValue('A shop')
  await expect(field('Message that goes with it')).toHaveValue(/^Hello Wanda/)
})

test('hours are set, refused by field, and their screens pass axe', async ({ page, request }) => {
  const account = await signedIn(request, 'editor')
  await enter(page, account)
  await page.goto('/admin/hours')
  const form = page.getByRole('form', { name: 'My hours' })
  const gap = await page
    .getByRole('form', { name: 'Calendar address' })
    .evaluate(
      (box) =>
        box.getBoundingClientRect().top -
        (box.previousElementSibling?.getBoundingClientRect().bottom ?? 0),
    )
  expect(gap).toBeGreaterThan(8)
  await form.getByRole('button', { name: 'Save my hours' }).click()
  await expect(form.getByRole('alert')).toContainText('Where you talk is missing.')
  await form.getByRole('textbox', { name: 'Where you talk' }).fill('https://meet.example/eli')
  const monday = form.getByRole('textbox', { name: 'Monday, range 1, from' })
  await monday.fill('9')
  await monday.press('Tab')
  await expect(monday).toHaveValue('09:00')
  const friday = form.getByRole('textbox', { name: 'Friday, range 1, to' })
  await friday.fill('25')
  await form.getByRole('button', { name: 'Save my hours' }).click()
  await expect(form.getByRole('alert')).toContainText('Friday: 25:00 is not a time.')
  await expect(form.locator('[aria-invalid]')).toHaveCount(1)
  await friday.fill('17')
  await form.getByRole('button', { name: 'Add hours on Saturday' }).click()
  const answer = Promise.withResolvers<void>()
  let saves = 0
  await page.route('/api/me/hours', async (route) => {
    if (route.request().method() === 'PUT') saves += 1
    await answer.promise
    await route.continue()
  })
  await form.getByRole('button', { name: 'Save my hours' }).press('Enter')
  const saving = form.getByRole('button', { name: 'Saving...' })
  await expect(saving).toBeDisabled()
  await expect(saving).toBeFocused()
  await saving.press('Enter')
  answer.resolve()
  await expect(page.getByText('Your hours are saved.')).toBeVisible()
  await expect(form.getByRole('button', { name: 'Save my hours' })).toBeFocused()
  expect(saves).toBe(1)
  await page.unroute('/api/me/hours')
  await expect(page.getByRole('heading', { name: 'What this gives' })).toBeVisible()
  const end = page.getByRole('button', { name: 'End the address' })
  await expect(end).toBeHidden()
  await page.getByRole('button', { name: 'Make the address' }).click()
  await expect(page.getByText(/\/calendar\/[\w-]{32}\.ics/)).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])
  await page.reload()
  await end.click()
  await expect(page.getByRole('heading', { name: 'Your talks in your own calendar' })).toBeFocused()
  await expect(end).toBeHidden()
  await goTo(page, '/admin/appointments')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Appointments')
  expect(await axeEverywhere(page)).toEqual([])
  await goTo(page, '/admin/offers')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Offers')
  expect(await axeEverywhere(page)).toEqual([])
})

test.describe('where the browser calls Kolkata by its former name', () => {
  test.use({ timezoneId: 'Asia/Kolkata' })

  test('one name of a zone stands beside times everywhere', async ({ page, request }) => {
    const timeZone = 'Asia/Calcutta'
    const { id } = await opened(page, request, { timeZone })
    await detail(page).getByRole('button', { name: 'Offer times' }).click()
    const form = page.getByRole('form', { name: 'Offer times' })
    await form.getByRole('button', { name: 'The week after' }).click()
    await form.getByRole('checkbox', { name: /Tuesday .*, 10:00$/ }).check()
    await expect(form.getByText(/^Your times, in Kolkata\./)).toBeVisible()
    await expect(form.getByRole('textbox', { name: 'Another time, in Kolkata' })).toBeVisible()
    await expect(form.getByRole('list', { name: 'Picked times' })).toContainText('10:00 in Kolkata')
    await expect(form).not.toContainText('Calcutta')
    await form.getByRole('button', { name: 'Send 1 time' }).click()
    await expect(detail(page).getByRole('list', { name: 'Offered times' })).toHaveText(
      /^Tuesday .*, 10:00 in Kolkata, open$/,
    )
    await goTo(page, '/admin/hours')
    await expect(page.getByText(/the first on .* in Kolkata\.$/)).toBeVisible()
    await page.route(
      ({ pathname }) => pathname === '/api/appointments',
      (route) =>
        route.fulfill({
          json: {
            data: [
              {
                _id: id,
                record: { kind: 'consultations', _id: id },
                name: 'Wanda',
                start: '2026-11-25T04:30:00.000Z',
                end: '2026-11-25T05:30:00.000Z',
                host: 'eli',
                state: 'booked',
                zone: timeZone,
              },
            ],
          },
        }),
    )
    await goTo(page, '/admin/appointments')
    const table = page.getByRole('table')
    await expect(table.getByRole('columnheader', { name: 'When, in Kolkata' })).toBeVisible()
    await expect(table.getByRole('cell', { name: '10:00 in Kolkata', exact: true })).toBeVisible()
  })
})

test('changed hours are kept until they are saved or discarded', async ({ page, request }) => {
  const account = await signedIn(request, 'editor')
  const headers = { authorization: `Bearer ${account.token}` }
  await request.put('/api/me/hours', { headers, data: hours })
  await enter(page, account)
  await page.goto('/admin/hours')
  const form = page.getByRole('form', { name: 'My hours' })
  const place = form.getByRole('textbox', { name: 'Where you talk' })
  const unsaved = form.getByText('Your changes are not saved yet.')
  await expect(place).toHaveValue(hours.place)
  await expect(unsaved).toBeHidden()
  await place.fill('https://meet.example/other')
  await form.getByRole('button', { name: 'Remove Sunday, range 1' }).click()
  await form.getByRole('button', { name: 'Add hours on Monday' }).click()
  const second = form.getByRole('textbox', { name: 'Monday, range 2, to' })
  await second.fill('23:30')
  await page.getByRole('link', { name: 'See the appointments' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Appointments')
  await page.goBack()
  await expect(place).toHaveValue('https://meet.example/other')
  await page.reload()
  await expect(unsaved).toBeVisible()
  await expect(second).toHaveValue('23:30')
  await expect(form.getByText('Not available')).toHaveCount(1)
  await form.getByRole('button', { name: 'Discard them' }).click()
  await expect(place).toHaveValue(hours.place)
  await expect(form.getByRole('button', { name: 'Save my hours' })).toBeFocused()
  await place.fill('https://meet.example/third')
  await form.getByRole('button', { name: 'Save my hours' }).click()
  await expect(page.getByText('Your hours are saved.')).toBeVisible()
  await expect(unsaved).toBeHidden()
  await expect(place).toHaveValue('https://meet.example/third')
})

test('replacing the address of a calendar can be cancelled', async ({ page, request }) => {
  const account = await signedIn(request, 'editor')
  const headers = { authorization: `Bearer ${account.token}` }
  const busyUrl = 'https://calendar.example/secret.ics'
  await request.put('/api/me/hours', { headers, data: { ...hours, busyUrl } })
  await enter(page, account)
  await page.goto('/admin/hours')
  const form = page.getByRole('form', { name: 'Calendar address' })
  const replace = form.getByRole('button', { name: 'Replace' })
  await replace.click()
  await form.getByRole('textbox', { name: 'Calendar address' }).fill('https://')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(form.getByText('https://calendar.example/…')).toBeVisible()
  await expect(replace).toBeVisible()
})

test('offers that cannot be read have no number in the filter, and an empty list says what its reader can do', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 500/)
  const failure = { status: 500, json: { success: false, code: 'internal', message: 'no' } }
  const empty = { json: { data: [], meta: { total: 0, counts: {}, nextCursor: null } } }
  let answer: typeof failure | typeof empty = failure
  await page.route(
    ({ pathname }) => pathname === '/api/offers',
    (route) => route.fulfill(answer),
  )
  await enterAs(page, request, 'reviewer')
  await page.goto('/admin/offers')
  await expect(page.getByText('Failed to load the offers. Please try again.')).toBeVisible()
  const state = page.getByRole('combobox', { name: 'State' })
  const sent = state.getByRole('option', { name: /^Sent/ })
  await expect(sent).toHaveText('Sent')
  answer = empty
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(sent).toHaveText('Sent (0)')
  await expect(page.getByText('No offers yet')).toBeVisible()
  await expect(page.getByText('Editors write them in a consultation.')).toBeVisible()
  await state.selectOption('sent')
  await expect(page.getByText('No offer is sent')).toBeVisible()
  await expect(page.getByText('in a consultation')).toBeHidden()
})

const acceptedOffer = {
  _id: crypto.randomUUID() as string,
  version: 1,
  title: 'A shop',
  text: 'We build five pages.',
  lines: [{ label: 'Building', amount: 145_000, per: 'once' }],
  totals: { once: 145_000, month: 0 },
  currency: 'EUR',
  startsOn: null,
  validUntil: '2026-12-01',
  terms: '',
  state: 'accepted',
  hash: 'a'.repeat(64),
  sentAt: '2026-11-01T09:00:00.000Z',
  answeredAt: '2026-11-02T09:00:00.000Z',
  by: 'eli',
  answer: { name: 'Wanda', text: null },
}

test('Background lets an admin keep a request, but not what was accepted', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const [id = ''] = await submit(request, 'consultations', [`Wanda ${word}`], word)
  await enterAs(page, request, 'admin')
  const read = new RegExp(`/api/consultations/${id}(\\?|$)`)
  await page.goto(`/admin/consultations?id=${id}`)
  await page.getByText('Background').click()
  const keep = detail(page).getByRole('button', { name: 'Keep it' })
  await expect(keep).toBeVisible()
  await page.route(read, async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    const offers = [{ ...acceptedOffer, record: { kind: 'consultations', _id: id } }]
    await route.fulfill({ response, json: { ...rest, data: { ...data, offers } } })
  })
  await page.reload()
  await page.getByText('Background').click()
  await expect(detail(page).getByText(acceptedOffer.title)).toBeVisible()
  await expect(detail(page).getByText('Kept until')).toBeVisible()
  await expect(keep).toBeHidden()
})

test('what was kept of an erased request is read from the list of offers, and a superuser deletes it', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 404/)
  await enterAs(page, request, 'superuser')
  const record = crypto.randomUUID()
  const { _id: id } = acceptedOffer
  const kept = { ...acceptedOffer, record: { kind: 'consultations', _id: record }, name: 'Wanda' }
  let isThere = true
  await page.route('**/api/offers*', (route) => {
    const data = isThere ? [kept] : []
    const meta = { total: data.length, matching: data.length, counts: {}, nextCursor: null }
    return route.fulfill({ json: { success: true, data, meta } })
  })
  let answer = 200
  await page.route(`**/api/offers/${id}`, (route) => {
    if (route.request().method() === 'GET')
      return route.fulfill({ json: { success: true, data: kept } })
    isThere = false
    return route.fulfill({ status: answer, json: { success: answer === 200, data: {} } })
  })
  const remove = async () => {
    await page.goto('/admin/offers')
    await page.getByRole('link', { name: 'A shop' }).click()
    await expect(page.getByText('The sender has erased the request.')).toBeVisible()
    await expect(page.getByText('We build five pages.')).toBeVisible()
    await page.getByRole('button', { name: 'Delete the offer' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText('The offer is deleted.')).toBeVisible()
    await expect(page.getByText('No offers yet')).toBeVisible()
  }
  await remove()
  // A colleague has deleted it meanwhile.
  answer = 404
  isThere = true
  await remove()
  await page.goto(`/admin/offers?record=${record}&offer=${id}`)
  await expect(page.getByText('The sender has erased the request.')).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])
})
