// The sender's pages as they are built, filled by the API for records in every state.

import { brotliCompressSync, constants } from 'node:zlib'
import { type HTMLElement, parse } from 'node-html-parser'
import { expect } from 'vitest'
import { kindPaths } from '#contract/inbox.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { backdate, staff } from '#server/inbox/testing.ts'
import { samples } from '#server/intake/samples.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { newOffer } from '#server/offers/testing.ts'
import { serverPagesIn } from '#server/pages/built-pages.ts'
import { leaveNow, type SenderOf, sendDue, submitAndOpen } from '#server/status-page/testing.ts'
import { test as base, type TestApi, testApi, withPositions } from '#server/testing.ts'
import { host, inDays } from '#server/times/testing.ts'
import { criticalBytes } from '#site/build/check.ts'
import { serviceLabel } from '#site/content.ts'
import { isOff } from '#site/features.ts'
import { type Ask, scan } from '#tests/sender-robot.ts'

const test = base.extend('api', async ({ db }) => testApi(db, { page: serverPagesIn('.').page }))

const open = async (api: TestApi, path: string) => {
  const response = await api.request(path)
  const html = await response.text()
  return { status: response.status, headers: response.headers, html, page: parse(html) }
}

const textOf = (page: HTMLElement, selector: string): string =>
  page.querySelector(selector)?.text.replace(/\s+/g, ' ').trim() ?? ''

/** The links of the summary that takes the focus, each to a control of the page. */
const focusedLinks = (page: HTMLElement) => {
  expect(page.querySelectorAll('[autofocus]')).toHaveLength(1)
  const links = page.querySelectorAll('[role=alert][autofocus] a')
  return links.map((link) => {
    const href = link.getAttribute('href') ?? ''
    expect(page.querySelector(`main form ${href}`), href).not.toBeNull()
    return href
  })
}

test('a page says where a submission stands, in words and as a drawing', async ({ api, db }) => {
  const editor = await staff(api, 'editor')
  const sender = await submitAndOpen(api, 'consultations', {
    source: { timeZone: 'Asia/Calcutta' },
  })
  const staffPath = `/api/consultations/${sender.id}`
  const see = async () => (await open(api, `/status/${sender.token}`)).page

  const waiting = await see()
  expect(textOf(waiting, 'h1')).toBe('We have your request')
  expect(textOf(waiting, '#by-lead')).toBe('We answer by')
  expect(textOf(waiting, '#zone-text')).toBe('Kolkata, UTC+5:30')
  expect(waiting.querySelector('#dial')?.getAttribute('aria-label')).toBe(
    '24 hours left of 24 hours',
  )
  expect(textOf(waiting, '[aria-current=step] .label')).toBe('Received')
  expect(waiting.querySelectorAll('.track li')).toHaveLength(4)
  expect(textOf(waiting, '.sent')).toContain(serviceLabel(String(samples.consultations.service)))

  await editor.post(`${staffPath}/messages`, {
    text: 'Hello <b>you</b>: {link}',
    status: 'contacted',
  })
  expect(textOf(await see(), 'h1')).toBe('We have your request')
  await leaveNow(api)
  const answered = await see()
  expect(textOf(answered, 'h1')).toBe('We have answered')
  expect(textOf(answered, '.message-row .typed')).toBe(
    `Hello <b>you</b>: https://fledge.test/status/${sender.token}`,
  )
  expect(answered.querySelector('.typed b')).toBeNull()
  expect(answered.querySelector('#dial.good')).not.toBeNull()

  await sender.post('/messages', { text: 'And?' })
  await rows(db, sql`update consultations set due_at = now() - interval '135 minutes'`)
  const late = await see()
  expect(textOf(late, 'h1')).toBe('We are late')
  expect(textOf(late, '#dial-span')).toBe('+2 h 15')
  expect(textOf(late, '[aria-current=step]')).toContain('Answer is late Now')

  await sender.post('/withdraw')
  const withdrawn = await see()
  expect(textOf(withdrawn, 'h1')).toBe('Withdrawn')
  expect(withdrawn.querySelector('#dial')).toBeNull()
  expect(withdrawn.querySelector('#to-withdraw')).toBeNull()

  const { page } = await open(api, `/status/${sender.token}?zone=America/New_York`)
  expect(textOf(page, '#zone-text')).toMatch(/^New York, UTC-[45]$/)
  expect(page.querySelector('option[selected]')?.getAttribute('value')).toBe('America/New_York')
  // The city is listed once, whatever name the zone has.
  const india = (await open(api, `/status/${sender.token}?zone=Asia/Calcutta`)).page
  expect(
    india.querySelectorAll('option').filter(({ text }) => /Kolkata|Calcutta/.test(text)),
  ).toHaveLength(1)
  expect(textOf(india, 'option[selected]')).toBe('Kolkata, UTC+5:30')
  await editor.put(staffPath, { box: 'spam' })
  const spam = await see()
  expect(textOf(spam, 'h1')).toBe('Received')
  expect(spam.querySelectorAll('main :is(form, .typed, dl)')).toHaveLength(0)
})

test('no date on a page tells of a decision before its message', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const { id, token } = await submitAndOpen(api, 'applications')
  const kept = async () =>
    textOf((await open(api, `/status/${token}`)).page, '#kept').replace(/,.*/, '')
  const before = await kept()
  await editor.put(`/api/applications/${id}`, { status: 'rejected' })
  expect(await kept()).toBe(before)
  await editor.post(`/api/applications/${id}/messages`, { text: 'We have decided.' })
  expect(await kept()).toBe(before)
  await leaveNow(api)
  expect(await kept()).not.toBe(before)
})

test('every page keeps its address to itself, is light, and runs no file of script', async ({
  api,
}) => {
  const applicant = await submitAndOpen(api, 'applications')
  const contact = await submitAndOpen(api, 'contacts')
  const client = await submitAndOpen(api, 'consultations')
  const own = [client, applicant, contact].map(({ token }) => `/status/${token}`)
  const second = ['correct', 'withdraw', 'export', 'erase', 'erase?sent'].map(
    (screen) => `/status/${client.token}/${screen}`,
  )
  const paths = [...own, ...second, '/status', '/status/sent', '/status/erased', '/status/unknown']
  for (const path of paths) {
    const { html, headers, status, page } = await open(api, path)
    expect([path, status]).toEqual([path, path.endsWith('unknown') ? 404 : 200])
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('X-Robots-Tag')).toBe('noindex')
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('Strict-Transport-Security')).toContain('max-age=63072000')
    expect(page.querySelectorAll('script[src]')).toHaveLength(0)
    expect(page.querySelectorAll('link[rel=stylesheet]')).toHaveLength(0)
    expect(page.querySelectorAll('h1')).toHaveLength(1)
    if (/(withdraw|export|erase|sent)$/.test(path) && path.startsWith(`/status/${client.token}`))
      expect(page.querySelectorAll('main input[required]:not([value])').length, path).toBe(1)
    const bytes = brotliCompressSync(html, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: html.length,
      },
    }).byteLength
    expect(bytes, path).toBeLessThanOrEqual(criticalBytes)
    expect(
      page.querySelectorAll('a[href="/status"], form[action="/api/status"]').length,
      path,
    ).toBe(
      path.endsWith('sent') && !path.includes('?')
        ? 1
        : path === '/status' || status === 404
          ? 1
          : 0,
    )
  }
  const slash = await api.request(`/status/${client.token}/`)
  expect([slash.status, slash.headers.get('Location')]).toEqual([301, `/status/${client.token}`])
  const unknown = [`/status/${'x'.repeat(32)}`, '/status/a/b/c', `/status/${client.token}/else`]
  for (const path of unknown) expect((await open(api, path)).status).toBe(404)
})

test('a reply to what staff hold for spam is refused with its text, and received', async ({
  api,
}) => {
  const admin = await staff(api, 'admin')
  const sender = await submitAndOpen(api, 'consultations')
  await admin.put(`/api/consultations/${sender.id}`, { box: 'spam' })
  const long = await sender.postForm('/messages', { text: 'x'.repeat(5_001) })
  const refused = parse(await long.text())
  expect(long.status).toBe(400)
  expect(textOf(refused, 'h1')).toBe('Received')
  expect(textOf(refused, '#text')).toHaveLength(5_001)
  expect(focusedLinks(refused)).toEqual(['#text'])
  expect((await sender.postForm('/messages', { text: 'Shorter' })).status).toBe(303)
  const { html } = await open(api, `/status/${sender.token}`)
  expect(html).not.toContain('<form')
  expect((await sender.postForm('/correct', { name: '' })).status).toBe(404)
})

base.skipIf(isOff('/apply'))(
  'a form without a script for a closed position can be sent without it',
  async ({ db }) => {
    const content = withPositions({ closed: { opening: { open: false } }, open: {} })
    const api = testApi(db, { content, page: serverPagesIn('.').page })
    const positionAfter = async (given: Record<string, string>) => {
      const fields = { ...samples.applications, ...given } as Record<string, string>
      const refused = await api.request('/api/applications', { body: new URLSearchParams(fields) })
      expect(refused.status).toBe(400)
      return parse(await refused.text())
        .querySelector('[name=position]')
        ?.getAttribute('value')
    }
    expect(await positionAfter({ position: 'closed', agree: 'on' })).toBe('other')
    expect(await positionAfter({ position: 'open', agree: '' })).toBe('open')
  },
)

test('an address with a slash at its end leads to the page with its query', async ({ api }) => {
  const { headers } = await api.request('/status/x/?zone=Asia%2FTokyo')
  expect(headers.get('Location')).toBe('/status/x?zone=Asia%2FTokyo')
})

test('a form without a script leads back to the page, or shows what is wrong and keeps the text', async ({
  api,
}) => {
  const sender = await submitAndOpen(api, 'consultations')
  const { page } = await open(api, `/status/${sender.token}`)
  const key = page.querySelector('[name=idempotencyKey]')?.getAttribute('value') ?? ''
  const send = () => sender.postForm('/messages', { text: '=1+1 <i>\u202Ex', idempotencyKey: key })
  const answers = await Promise.all([send(), send()])
  for (const { status, headers } of answers) {
    expect(status).toBe(303)
    expect(headers.get('Location')).toBe(`/status/${sender.token}#messages`)
  }
  expect((await sender.get()).body.data.messages).toHaveLength(1)

  const long = await sender.postForm('/messages', { text: 'x'.repeat(5_001) })
  const refused = parse(await long.text())
  expect(long.status).toBe(400)
  expect(textOf(page, 'title')).toMatch(/^Your request \|/)
  expect(textOf(refused, 'title')).toMatch(/^Not sent yet: Your request \|/)
  expect(textOf(refused, '#text-error')).toBe('Message may have at most 5,000 characters.')
  expect(textOf(refused, '#text')).toHaveLength(5_001)
  expect(focusedLinks(refused)).toEqual(['#text'])

  const correct = (fields: Record<string, string>) => sender.postForm('/correct', fields)
  const wrong = await correct({ phone: 'none', name: '"><script>' })
  const form = parse(await wrong.text())
  expect(wrong.status).toBe(400)
  expect(textOf(form, 'title')).toMatch(/^Not sent yet: Correct what you sent \|/)
  expect(form.querySelector('#consultations-phone')?.getAttribute('value')).toBe('none')
  expect(textOf(form, '#consultations-phone-error')).toBe('Phone needs at least 5 characters.')
  expect(focusedLinks(form)).toEqual(['#consultations-phone'])
  expect(form.querySelector('#consultations-name')?.getAttribute('value')).toBe('"><script>')
  const described = form
    .querySelectorAll('[aria-describedby]')
    .flatMap((field) => field.getAttribute('aria-describedby')?.split(' ') ?? [])
  expect(described).toContain('consultations-phone-error')
  expect(described.filter((id) => !form.querySelector(`#${id}`))).toEqual([])
  expect((await correct({ phone: '+91 98 76 54' })).headers.get('Location')).toBe(
    `/status/${sender.token}`,
  )

  const unticked = await sender.postForm('/withdraw', {})
  const asked = parse(await unticked.text())
  expect([unticked.status, textOf(asked, '#confirm-error')]).toEqual([
    400,
    'Tick the box to withdraw it.',
  ])
  expect(focusedLinks(asked)).toEqual(['#confirm'])
  const mailed = await sender.postForm('/code', { for: 'erase' })
  expect(mailed.headers.get('Location')).toBe(`/status/${sender.token}/erase?sent`)
  const code = /\b\d{8}\b/.exec((await sendDue(api)).at(-1)?.text ?? '')?.[0] ?? ''
  const tried = await sender.postForm('/erase', {
    code: code === '00000000' ? '1'.repeat(8) : '0'.repeat(8),
  })
  expect(textOf(parse(await tried.text()), '#code-error')).toBe(
    'This code is wrong. You can try 4 more times, or have a new one sent.',
  )
  const file = await sender.postForm('/export', { code })
  expect(file.headers.get('Content-Disposition')).toMatch(
    /^attachment; filename="[0-9A-F]{8}\.json"$/,
  )
  await sender.postForm('/code', { for: 'erase' })
  const last = /\b\d{8}\b/.exec((await sendDue(api)).at(-1)?.text ?? '')?.[0] ?? ''
  expect((await sender.postForm('/erase', { code: last })).headers.get('Location')).toBe(
    '/status/erased',
  )
  expect((await open(api, `/status/${sender.token}`)).status).toBe(404)

  const link = (email: string) =>
    api.request('/api/status', { body: new URLSearchParams({ email }) })
  expect((await link('ada@people.test')).headers.get('Location')).toBe('/status/sent')
  const none = await link('none')
  const askedAgain = parse(await none.text())
  expect([none.status, textOf(askedAgain, '#email-error')]).toEqual([
    400,
    'Email must look like name@example.com.',
  ])
  expect(askedAgain.querySelector('#email')?.hasAttribute('autofocus')).toBe(true)
})

const everything = async (db: Database): Promise<unknown> => ({
  records: await Promise.all(
    kinds.map(({ table }) => rows(db, sql`select * from ${table} order by id`)),
  ),
  events: await rows(db, sql`select * from events order by id`),
  appointments: await rows(db, sql`select * from appointments order by id`),
  offers: await rows(db, sql`select * from offers order by id`),
})

test('a program that opens every link and submits every form as it stands changes no record', async ({
  api,
  db,
}) => {
  const editor = await staff(api, 'editor')
  const senders: SenderOf[] = []
  for (const kind of kindPaths) senders.push(await submitAndOpen(api, kind))
  const [client, , contact] = senders as [SenderOf, SenderOf, SenderOf]
  await editor.post(`/api/consultations/${client.id}/messages`, { text: 'Hello' })
  await leaveNow(api)
  await contact.post('/withdraw')
  await backdate(db, 'consultations', client.id, sql`now() - interval '3 days'`)
  // Times to choose from, one with an appointment too, and an offer.
  const eli = await host(api)
  const booked = await submitAndOpen(api, 'consultations')
  senders.push(booked)
  for (const { id } of [client, booked]) {
    await eli.post(`/api/consultations/${id}/times`, { slots: [inDays(3), inDays(4)] })
    const { body } = await eli.post(`/api/consultations/${id}/offers`, newOffer)
    await eli.post(`/api/offers/${body.data._id}/send`, {})
  }
  await leaveNow(api)
  expect((await booked.post('/times', { start: inDays(4) })).status).toBe(201)
  const before = await everything(db)
  for (const sender of senders) {
    const ask: Ask = (path, form) =>
      api.request(path, form ? { body: form, method: 'POST' } : undefined)
    const { pages, forms } = await scan(ask, sender.token)
    expect(pages).toBeGreaterThan(6)
    expect(forms).toBeGreaterThan(6)
  }
  expect(await everything(db)).toEqual(before)
})

test('a time is booked, moved and cancelled, and an offer accepted, by forms alone', async ({
  api,
}) => {
  const eli = await host(api)
  const sender = await submitAndOpen(api, 'consultations')
  await eli.post(`/api/consultations/${sender.id}/times`, { slots: [inDays(3), inDays(4)] })
  await leaveNow(api)
  const path = `/status/${sender.token}/times`
  const choose = await open(api, path)
  expect(textOf(choose.page, 'h1')).toBe('Choose a time')
  expect(choose.page.querySelectorAll('.slot [name=start]')).toHaveLength(2)
  expect(textOf(choose.page, '.slot')).toContain('UTC')
  const confirm = await open(api, `${path}?start=${inDays(3)}`)
  expect(textOf(confirm.page, 'h1')).toBe('Book this time?')
  const empty = await sender.postForm('/times', {})
  expect(empty.status).toBe(400)
  const taken = await sender.postForm('/times', { start: inDays(3) })
  expect([taken.status, taken.headers.get('Location')]).toEqual([303, path])
  expect(textOf((await open(api, path)).page, 'h1')).toBe('Your talk is booked')
  const gone = await sender.postForm('/times', { start: inDays(9) })
  expect([gone.status, textOf(parse(await gone.text()), '#problem')]).toEqual([
    409,
    'This time is not free any more. Your talk stays as it is.',
  ])
  const move = await open(api, `${path}?move=1`)
  expect(textOf(move.page, 'h1')).toBe('Choose another time')
  expect(textOf(move.page, 'main')).not.toContain('Nothing is booked')
  await eli.post(`/api/consultations/${sender.id}/times`, { slots: [inDays(4)] })
  await leaveNow(api)
  expect((await sender.post('/times', { start: inDays(4) })).status).toBe(201)
  const none = await open(api, `${path}?move=1`)
  expect(textOf(none.page, 'h1')).toBe('Your talk is booked')
  expect((await sender.postForm('/times/cancel', {})).status).toBe(400)
  const long = await sender.postForm('/times/cancel', { confirm: 'on', text: 'x'.repeat(5_001) })
  const tooLong = parse(await long.text())
  expect(focusedLinks(tooLong)).toEqual(['#text'])
  expect(textOf(tooLong, '#text-error')).toBe('Message may have at most 5,000 characters.')
  const cancelled = await sender.postForm('/times/cancel', { confirm: 'on', text: 'Sorry.' })
  expect(cancelled.status).toBe(303)
  expect(textOf((await open(api, path)).page, 'main')).toContain('(UTC) was cancelled.')
  const again = await sender.postForm('/times/cancel', { confirm: 'on' })
  expect(again.status).toBe(404)
  expect(textOf(parse(await again.text()), 'main')).toContain('(UTC) was cancelled.')
  expect(textOf((await open(api, `/status/${sender.token}`)).page, '#talk')).toContain('Cancelled:')

  const made = await eli.post(`/api/consultations/${sender.id}/offers`, newOffer)
  await eli.post(`/api/offers/${made.body.data._id}/send`, {})
  await leaveNow(api)
  const offerPath = `/offers/${made.body.data._id}`
  const read = await open(api, `/status/${sender.token}${offerPath}`)
  expect(textOf(read.page, '.doc')).toContain(newOffer.terms)
  expect(textOf(read.page, '.doc tfoot')).toContain('$1,750.50 once $40.00 a month')
  const hash = read.page.querySelector('#accept [name=hash]')?.getAttribute('value') ?? ''
  const odd = await sender.postForm(offerPath, { answer: 'decline', hash, text: 'No\u0007' })
  expect(textOf(parse(await odd.text()), '#text-error')).toContain('cannot be used here')
  const unticked = await sender.postForm(offerPath, { answer: 'accept', hash, name: 'Wanda' })
  expect(textOf(parse(await unticked.text()), '#agree-error')).toBe(
    'Tick the box to accept the offer.',
  )
  const yes = { answer: 'accept', hash, name: 'Wanda', agree: 'on' }
  const [first, second] = await Promise.all([
    sender.postForm(offerPath, yes),
    sender.postForm(offerPath, yes),
  ])
  expect([first.status, second.status]).toEqual([303, 303])
  for (const other of [
    { ...yes, name: 'Eve' },
    { answer: 'decline', hash },
  ])
    expect((await sender.postForm(offerPath, other)).status).toBe(409)
  const done = await open(api, `/status/${sender.token}${offerPath}`)
  expect(textOf(done.page, 'h1')).toBe('You accepted our offer')
})

test('the zone that a sender chose stays while a time is booked, moved and cancelled', async ({
  api,
}) => {
  const eli = await host(api)
  const sender = await submitAndOpen(api, 'consultations', { source: { timeZone: 'UTC' } })
  await eli.post(`/api/consultations/${sender.id}/times`, { slots: [inDays(3), inDays(4)] })
  await leaveNow(api)
  const zone = 'Asia/Kolkata'
  const query = `?${new URLSearchParams({ zone })}`
  const path = `/status/${sender.token}/times`
  const see = async (address: string) => (await open(api, address)).page
  const hrefs = (page: HTMLElement) =>
    page.querySelectorAll(`main a[href^="${path}"]`).map((link) => link.getAttribute('href'))
  const kept = (page: HTMLElement) =>
    page.querySelector('form[method=post] [name=zone]')?.getAttribute('value')

  expect(hrefs(await see(`/status/${sender.token}${query}`))).toEqual([path + query])
  expect(hrefs(await see(`/status/${sender.token}`))).toEqual([path])
  const confirm = await see(`${path}${query}&start=${inDays(3)}`)
  expect(kept(confirm)).toBe(zone)
  expect(hrefs(confirm)).toEqual([path + query])
  const taken = await sender.postForm('/times', { start: inDays(3), zone })
  expect([taken.status, taken.headers.get('Location')]).toEqual([303, path + query])

  const booked = await see(path + query)
  expect(textOf(booked, 'h1')).toBe('Your talk is booked')
  expect(textOf(booked, '.booked')).toContain('Kolkata, UTC+5:30')
  expect(hrefs(booked)).toEqual([
    `${path}?move=1&${query.slice(1)}`,
    `${path}?cancel=1&${query.slice(1)}`,
  ])
  const moving = await see(`${path}?move=1&${query.slice(1)}`)
  expect(textOf(moving, 'h1')).toBe('Choose another time')
  expect(moving.querySelectorAll('form[method=get] [name=move]')).toHaveLength(2)
  const gone = await sender.postForm('/times', { start: inDays(9), zone })
  expect(textOf(parse(await gone.text()), 'option[selected]')).toBe('Kolkata, UTC+5:30')

  const cancelling = await see(`${path}?cancel=1&${query.slice(1)}`)
  expect(kept(cancelling)).toBe(zone)
  expect(textOf(cancelling, '.intro')).toContain('(Kolkata, UTC+5:30)')
  const cancelled = await sender.postForm('/times/cancel', { confirm: 'on', zone })
  expect(cancelled.headers.get('Location')).toBe(path + query)
})

test('a time that is taken before it is confirmed is named, the own one is not', async ({
  api,
}) => {
  const eli = await host(api)
  const [first, second] = [
    await submitAndOpen(api, 'consultations'),
    await submitAndOpen(api, 'consultations'),
  ] as const
  for (const { id } of [first, second])
    await eli.post(`/api/consultations/${id}/times`, { slots: [inDays(3), inDays(4)] })
  await leaveNow(api)
  await first.postForm('/times', { start: inDays(3) })
  const see = async ({ token }: SenderOf) =>
    (await open(api, `/status/${token}/times?start=${inDays(3)}`)).page
  const late = await see(second)
  expect(textOf(late, 'h1')).toBe('Choose a time')
  expect(textOf(late, '#problem')).toBe('This time is not free any more. Nothing is booked.')
  expect(late.querySelectorAll('.slot.lost')).toHaveLength(1)
  expect(textOf(await see(first), 'h1')).toBe('Your talk is booked')
})

test('an address that names no time says so, and one in another spelling is read', async ({
  api,
}) => {
  const eli = await host(api)
  const { id, token } = await submitAndOpen(api, 'consultations')
  await eli.post(`/api/consultations/${id}/times`, { slots: [inDays(3)] })
  await leaveNow(api)
  const path = `/status/${token}/times?start=`
  const wrong = await open(api, `${path}tomorrow`)
  expect(wrong.status).toBe(400)
  expect(textOf(wrong.page, '#problem')).toBe('The address of this page names no time.')
  expect(wrong.page.querySelectorAll('.slot [name=start]')).toHaveLength(1)
  const spelt = await open(api, path + inDays(3).replace('.000Z', 'Z'))
  expect(textOf(spelt.page, 'h1')).toBe('Book this time?')
  expect((await open(api, path)).status).toBe(200)
})

test('the zone that a sender chose stays at older messages and after a reply', async ({
  api,
  db,
}) => {
  const sender = await submitAndOpen(api, 'contacts', { source: { timeZone: 'UTC' } })
  await rows(
    db,
    sql`insert into events (change_id, kind, target_kind, target_id, text, after, version, at)
      select uuid_v7(), 'reply', 'contacts', ${sender.id}::uuid, 'More', '{}', n, now() + make_interval(secs => n)
      from generate_series(1, 60) as n`,
  )
  const zone = 'Asia/Kolkata'
  const query = new URLSearchParams({ zone }).toString()
  const path = `/status/${sender.token}`
  const attribute = (page: HTMLElement, selector: string) =>
    page.querySelector(selector)?.getAttribute('value')

  const newest = (await open(api, `${path}?${query}`)).page
  expect(attribute(newest, '.reply [name=zone]')).toBe(zone)
  const link = newest.querySelector('#messages a')?.getAttribute('href') ?? ''
  const older = (await open(api, link.replace(/#.*/, ''))).page
  expect(textOf(older, '#zone-text')).toBe('Kolkata, UTC+5:30')
  expect(older.querySelectorAll('.message-row')).toHaveLength(10)
  expect(link).toContain(`before=${attribute(older, '.zone [name=before]')}`)

  const sent = await sender.postForm('/messages', { text: 'And?', zone })
  expect(sent.headers.get('Location')).toBe(`${path}?${query}#messages`)
  const refused = await sender.postForm('/messages', { text: '', zone })
  expect(textOf(parse(await refused.text()), '#zone-text')).toBe('Kolkata, UTC+5:30')
})

test('a withdrawn request offers no time and no answer, and a talk that is over no change', async ({
  api,
  db,
}) => {
  const eli = await host(api)
  const sender = await submitAndOpen(api, 'consultations')
  await eli.post(`/api/consultations/${sender.id}/times`, { slots: [inDays(3), inDays(4)] })
  const made = await eli.post(`/api/consultations/${sender.id}/offers`, newOffer)
  await eli.post(`/api/offers/${made.body.data._id}/send`, {})
  await leaveNow(api)
  const path = `/status/${sender.token}`
  const see = async (screen = '') => textOf((await open(api, path + screen)).page, 'main')
  expect((await sender.post('/times', { start: inDays(3) })).status).toBe(201)
  expect(await see()).toContain('See, move or cancel it')
  await rows(
    db,
    sql`update appointments set start_at = now() - interval '48 hours', end_at = now() - interval '47 hours', held_until = now() - interval '47 hours'`,
  )
  const over = await see()
  expect(over).toContain('It was on')
  expect(over).not.toContain('See, move or cancel it')

  await sender.post('/withdraw')
  const withdrawn = await see()
  expect(withdrawn).not.toContain('Choose a time')
  expect(withdrawn).not.toContain('Read it and answer')
  for (const screen of ['/times', `/offers/${made.body.data._id}`])
    expect(await see(screen)).toContain('Write to us to take it up again')
})
