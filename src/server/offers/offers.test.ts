import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { dayIn, fullDay, longMoment, zoneText } from '#contract/times/moments.ts'
import { signInAs } from '#server/auth/testing.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type Json, type Staff, staff, test } from '#server/inbox/testing.ts'
import { eraseAgain } from '#server/privacy/erase-again.ts'
import { erasureKey, remember } from '#server/privacy/store/erasures.ts'
import {
  leaveNow,
  mailedCode,
  type SenderOf,
  sendDue,
  submitAndOpen,
} from '#server/status-page/testing.ts'
import { type TestApi, testOnAll, testOnPostgres } from '#server/testing.ts'
import { newOffer } from './testing.ts'

const draft = async (by: Staff, id: string, changes: object = {}): Promise<Json> => {
  const made = await by.post(`/api/consultations/${id}/offers`, { ...newOffer, ...changes })
  expect(made.status).toBe(201)
  return made.body.data
}

/** An offer that has left, as its sender reads it. */
const sent = async (api: TestApi, by: Staff, sender: SenderOf, changes: object = {}) => {
  const { _id: id } = await draft(by, sender.id, changes)
  expect((await by.post(`/api/offers/${id}/send`, {})).status).toBe(200)
  await leaveNow(api)
  const path = `/offers/${id}`
  return { id: id as string, path, offer: (await sender.get(path)).body.data as Json }
}

testOnAll('an offer is drafted, sent, read and accepted', async ({ api }) => {
  const editor = await staff(api, 'editor', 'ada')
  await staff(api, 'superuser')
  const sender = await submitAndOpen(api)
  const path = `/api/consultations/${sender.id}`
  const first = await draft(editor, sender.id)
  expect(first).toMatchObject({
    state: 'draft',
    totals: { once: 175_050, month: 4_000 },
    hash: null,
    by: 'ada',
  })
  const changed = await editor.put(`/api/offers/${first._id}`, { title: 'A shop', version: 1 })
  expect(changed.body.data).toMatchObject({ title: 'A shop', version: 2, text: newOffer.text })
  for (const version of [1, 2 ** 31])
    expect((await editor.put(`/api/offers/${first._id}`, { title: 'B', version })).status).toBe(409)
  // The sender sees nothing of a draft, and of an offer only once it has left.
  expect((await sender.get(`/offers/${first._id}`)).status).toBe(404)
  const answer = await editor.post(`/api/offers/${first._id}/send`, { text: 'Dear {name}.' })
  expect(answer).toMatchObject({ status: 200, body: { data: { state: 'sent' } } })
  expect((await sender.get(`/offers/${first._id}`)).status).toBe(404)
  expect((await editor.put(`/api/offers/${first._id}`, { title: 'C' })).status).toBe(409)
  const [mailed] = await leaveNow(api)
  expect(mailed?.text).toContain(`/status/${sender.token}/offers/${first._id}`)
  expect(mailed?.text).toContain('$1,750.50 once and $40.00 a month')

  const { data: read } = (await sender.get(`/offers/${first._id}`)).body
  expect(read).toMatchObject({ state: 'sent', totals: { once: 175_050, month: 4_000 } })
  // The canonical form as the guide describes it.
  const canonical = JSON.stringify({
    title: 'A shop',
    text: newOffer.text,
    lines: newOffer.lines,
    currency: 'USD',
    startsOn: null,
    validUntil: newOffer.validUntil,
    terms: newOffer.terms,
  })
  expect(read.hash).toBe(createHash('sha256').update(canonical).digest('hex'))

  const say = (body: object) => sender.post(`/offers/${first._id}`, body)
  expect((await say({ answer: 'accept', hash: read.hash })).body.fields).toEqual({
    name: ['Name is missing.'],
    agree: ['Tick the box to accept the offer.'],
  })
  const yes = { answer: 'accept', hash: read.hash, name: 'Wanda Baker', agree: true }
  expect(await say({ ...yes, hash: 'another' })).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })
  const answers = await Promise.all([
    say(yes),
    say(yes),
    say({ answer: 'decline', hash: read.hash }),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.code === 'closed')).toHaveLength(2)
  await api.settled()
  const record = (await editor.get(path)).body.data
  expect(record.offers).toMatchObject([{ _id: first._id, title: 'A shop', hash: read.hash }])
  expect(record.offers[0].answeredAt).not.toBeNull()
})

testOnAll('a draft that is stored as it is raises no version and logs nothing', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const { id } = await submitAndOpen(api)
  const { _id, validUntil } = await draft(editor, id)
  const path = `/api/offers/${_id}`
  for (const body of [{}, newOffer, { validUntil, version: 1 }]) {
    const same = await editor.put(path, body)
    expect(same).toMatchObject({ status: 200, body: { data: { _id, version: 1 } } })
  }
  expect((await editor.put(path, { version: 2 })).status).toBe(409)
  const startsOn = validUntil
  expect((await editor.put(path, { ...newOffer, startsOn })).body.data.version).toBe(2)
  expect((await editor.put(path, { ...newOffer, startsOn: null })).body.data.version).toBe(3)
  const superuser = await staff(api, 'superuser')
  expect((await superuser.get('/api/audit?kind=offer.update')).body.data).toHaveLength(2)
})

test('a draft is deleted in the version that its reader knows, or in any', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const { id } = await submitAndOpen(api)
  for (const [stale, known] of [
    [{ version: 2 }, { version: 1 }],
    [{ version: 2 ** 31 }, undefined],
  ] as const) {
    const { _id } = await draft(editor, id)
    const path = `/api/offers/${_id}`
    const refused = await editor.delete(path, stale)
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', data: { _id } } })
    expect((await editor.delete(path, { version: 'one' })).status).toBe(400)
    expect((await editor.delete(path, known)).status).toBe(200)
    expect((await editor.delete(path, { version: 'one' })).status).toBe(404)
  }
})

test('an acceptance completes the record and is mailed to both as text', async ({ api }) => {
  const editor = await staff(api, 'editor', 'ada')
  const sender = await submitAndOpen(api)
  const path = `/api/consultations/${sender.id}`
  await editor.put(path, { assignee: 'ada' })
  const { offer, path: offerPath } = await sent(api, editor, sender)
  const yes = { answer: 'accept', hash: offer.hash, name: 'Wanda Baker', agree: true }
  expect((await sender.post(offerPath, yes)).body.data.state).toBe('accepted')
  const mails = await sendDue(api)
  expect(mails.map(({ kind, to }) => [kind, to.replace(/.*@people/, '@people')]).sort()).toEqual([
    ['message', '@people.test'],
    ['staff', 'ada@staff.test'],
  ])
  for (const { text } of mails) {
    expect(text).toContain('Accepted by Wanda Baker')
    expect(text).toContain(newOffer.terms)
    expect(text).toContain(offer.hash)
  }
  const page = await (await api.request(`/status/${sender.token}`)).text()
  expect(page).toContain('You accepted our offer.')
  expect(page).not.toContain('We have talked')
  const record = (await editor.get(path)).body.data
  expect(record).toMatchObject({ status: 'completed', waitingFor: null, dueAt: null })
  expect(record.activity.at(-1).kind).toBe('offer_accepted')
  const stats = (await editor.get('/api/stats')).body.data.offers
  expect(stats).toEqual({
    sent: 1,
    accepted: 1,
    declined: 0,
    expired: 0,
    value: [{ currency: 'USD', once: 175_050, month: 4_000 }],
  })
  const [{ ip }] = (await rows(api.deps.db, sql`select answer_ip as ip from offers`)) as [Json]
  expect(ip).not.toContain('192.0.2')
  expect((await sender.post(offerPath, yes)).body.code).toBe('closed')

  // The list of what the figures count.
  const { meta } = (await editor.get('/api/offers?days=30&state=declined')).body
  expect(meta).toMatchObject({ total: 1, matching: 0 })
  await rows(api.deps.db, sql`update offers set sent_at = sent_at - interval '40 days'`)
  expect((await editor.get('/api/offers?days=30')).body.meta.matching).toBe(0)
  expect((await editor.get('/api/stats?days=30')).body.data.offers.sent).toBe(0)
  expect((await editor.get('/api/stats?days=90')).body.data.offers.sent).toBe(1)

  // Records in spam and trash count neither in the list nor in the figures.
  await editor.put(path, { box: 'spam' })
  const [stored] = (await editor.get(path)).body.data.offers
  for (const refused of [
    await editor.post(`${path}/offers`, newOffer),
    await editor.post(`/api/offers/${stored._id}/replace`),
  ])
    expect(refused.body).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('spam'),
    })
  expect((await editor.get('/api/offers')).body.meta.matching).toBe(0)
  expect((await editor.get('/api/stats?days=90')).body.data.offers).toMatchObject({
    sent: 0,
    value: [],
  })
})

test('an offer with monthly prices alone has no column for others', async ({ api }) => {
  const sender = await submitAndOpen(api)
  const lines = [{ label: 'Care', amount: 4_000, per: 'month' }]
  const { path } = await sent(api, await staff(api, 'editor', 'ada'), sender, { lines })
  const page = await (await api.request(`/status/${sender.token}${path}`)).text()
  expect(page.match(/<th scope="col">.*?</g)).toEqual([
    '<th scope="col">What<',
    '<th scope="col">A month<',
  ])
})

test('the page of an offer counts days in its sender’s zone and names the end', async ({ api }) => {
  // Choose a zone whose day differs from UTC's at this hour.
  const timeZone = new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati'
  const sender = await submitAndOpen(api, 'consultations', { source: { timeZone } })
  const validUntil = dayIn(new Date(Date.now() + 86_400_000), timeZone)
  const { path, offer } = await sent(api, await staff(api, 'editor'), sender, { validUntil })
  const page = await (await api.request(`/status/${sender.token}${path}`)).text()
  expect(page).toContain(`<br>${fullDay(new Date(offer.sentAt), timeZone)}`)
  const last = new Date(`${validUntil}T23:59Z`)
  const end = `${longMoment(last, timeZone)} (${zoneText(timeZone, last)})`
  expect(page).toContain(`, tomorrow. It can be answered until ${end}.`)
})

test('an offer is taken back, replaced, declined and runs out', async ({ api }) => {
  const editor = await staff(api, 'editor', 'ada')
  await staff(api, 'superuser')
  const sender = await submitAndOpen(api)
  const { _id: id } = await draft(editor, sender.id)
  const { body } = await editor.post(`/api/offers/${id}/send`, {})
  const undone = await editor.post('/api/undo', { event: body.meta.event })
  expect(undone.body.data.reverted).toEqual([sender.id])
  const states = async () =>
    (await editor.get(`/api/consultations/${sender.id}`)).body.data.offers.map(
      (one: Json) => one.state,
    )
  expect(await states()).toEqual(['recalled'])
  const [listed] = (await editor.get('/api/offers')).body.data
  expect(listed).toMatchObject({ _id: id, state: 'recalled', sentAt: null })
  expect((await editor.post(`/api/offers/${id}/send`, {})).status).toBe(409)

  const old = await sent(api, editor, sender)
  const newer = (await editor.post(`/api/offers/${old.id}/replace`)).body.data
  expect(newer).toMatchObject({ state: 'draft', title: newOffer.title })
  const replaced = await editor.post(`/api/offers/${newer._id}/send`, {})
  expect(await states()).toEqual(['recalled', 'replaced', 'sent'])
  // Taken back, the older one counts again.
  await editor.post('/api/undo', { event: replaced.body.meta.event })
  expect(await states()).toEqual(['recalled', 'sent', 'recalled'])
  const last = (await editor.post(`/api/offers/${old.id}/replace`)).body.data
  await editor.post(`/api/offers/${last._id}/send`, {})
  await leaveNow(api)
  const closed = await sender.post(old.path, { answer: 'decline', hash: old.offer.hash })
  expect(closed).toMatchObject({
    status: 409,
    body: { code: 'closed', data: { state: 'replaced' } },
  })
  const { hash } = (await sender.get(`/offers/${last._id}`)).body.data
  const no = await sender.post(`/offers/${last._id}`, {
    answer: 'decline',
    hash,
    text: 'Too much.',
  })
  expect(no.body.data).toMatchObject({ state: 'declined' })
  expect((await editor.get(`/api/consultations/${sender.id}`)).body.data.waitingFor).toBe('us')

  const late = await sent(api, editor, sender)
  await rows(
    api.deps.db,
    sql`update offers set valid_until = '2020-01-01' where id = ${late.id}::uuid`,
  )
  const after = await sender.post(late.path, {
    answer: 'accept',
    hash: late.offer.hash,
    name: 'W',
    agree: true,
  })
  expect(after.body).toMatchObject({ code: 'closed', data: { state: 'expired' } })
  const list = await editor.get('/api/offers?state=expired')
  expect(list.body).toMatchObject({ data: [{ _id: late.id }], meta: { matching: 1 } })
  const paged = await editor.get('/api/offers?limit=2')
  expect(paged.body.data).toHaveLength(2)
  const rest = await editor.get(`/api/offers?limit=2&cursor=${paged.body.meta.nextCursor}`)
  expect(rest.body.data).toHaveLength(2)
  const ids = ({ body }: Json) => body.data.map(({ _id }: Json) => _id)
  const oldest = await editor.get('/api/offers?limit=3&sort=createdAt')
  const { nextCursor } = oldest.body.meta
  const newest = await editor.get(`/api/offers?limit=3&sort=createdAt&cursor=${nextCursor}`)
  const all = await editor.get('/api/offers')
  expect([...ids(oldest), ...ids(newest)]).toEqual(ids(all).reverse())
  expect((await editor.get('/api/offers?sort=name')).body.fields).toHaveProperty('sort')
  expect((await editor.get('/api/offers?q=nothing')).body.meta).toMatchObject({
    total: all.body.data.length,
    matching: 0,
  })
})

test('a declined offer owes an answer, also after the undo of a change before', async ({ api }) => {
  const editor = await staff(api, 'editor', 'ada')
  const sender = await submitAndOpen(api)
  const path = `/api/consultations/${sender.id}`
  const { path: offerPath, offer } = await sent(api, editor, sender)
  const change = await editor.put(path, { status: 'contacted' })
  const no = { answer: 'decline', hash: offer.hash, text: 'Too much. Could you do half?' }
  expect((await sender.post(offerPath, no)).status).toBe(200)
  const { dueAt, lastMessageAt } = (await editor.get(path)).body.data
  expect(dueAt).not.toBeNull()
  const undone = await editor.post('/api/undo', { event: change.body.meta.event })
  expect(undone.body.data.reverted).toEqual([sender.id])
  expect((await editor.get(path)).body.data).toMatchObject({
    status: 'pending',
    waitingFor: 'us',
    dueAt,
    lastMessageAt,
  })
})

testOnAll(
  'an offer that was replaced counts again only once no replacement is left',
  async ({ api }) => {
    const editor = await staff(api, 'editor', 'ada')
    await staff(api, 'superuser')
    const replaceable = async () => {
      const sender = await submitAndOpen(api)
      const first = await sent(api, editor, sender)
      const replacement = async (): Promise<string> =>
        (await editor.post(`/api/offers/${first.id}/replace`)).body.data._id
      const drafts = [await replacement(), await replacement()] as const
      const send = async (id: string): Promise<string> =>
        (await editor.post(`/api/offers/${id}/send`, {})).body.meta.event
      const states = async () =>
        (await editor.get(`/api/consultations/${sender.id}`)).body.data.offers.map(
          (one: Json) => one.state,
        )
      return { sender, first, drafts, send, states }
    }
    const undo = (event: string) => editor.post('/api/undo', { event })

    const left = await replaceable()
    await left.send(left.drafts[0])
    await leaveNow(api)
    await undo(await left.send(left.drafts[1]))
    expect(await left.states()).toEqual(['replaced', 'sent', 'recalled'])
    const { path, offer } = left.first
    const yes = { answer: 'accept', hash: offer.hash, name: 'W', agree: true }
    expect((await left.sender.post(path, yes)).status).toBe(409)

    const undone = await replaceable()
    const events = [await undone.send(undone.drafts[0]), await undone.send(undone.drafts[1])]
    await undo(events[1] ?? '')
    expect(await undone.states()).toEqual(['replaced', 'sent', 'recalled'])
    await undo(events[0] ?? '')
    expect(await undone.states()).toEqual(['sent', 'recalled', 'recalled'])

    const withdrawn = await replaceable()
    for (const id of withdrawn.drafts) await withdrawn.send(id)
    await withdrawn.sender.post('/withdraw', {})
    expect(await withdrawn.states()).toEqual(['sent', 'recalled', 'recalled'])
  },
)

test('of the replacements of one offer one is open', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const sender = await submitAndOpen(api)
  const { id } = await sent(api, editor, sender)
  const replacement = async (of: string): Promise<string> =>
    (await editor.post(`/api/offers/${of}/replace`)).body.data._id
  const send = async (id: string): Promise<string> =>
    (await editor.post(`/api/offers/${id}/send`, {})).body.meta.event
  const states = async () =>
    (await editor.get(`/api/consultations/${sender.id}`)).body.data.offers.map(
      (one: Json) => one.state,
    )
  const [first, second, third] = [
    await replacement(id),
    await replacement(id),
    await replacement(id),
  ]
  await send(first)
  await leaveNow(api)
  const event = await send(second)
  expect(await states()).toEqual(['replaced', 'replaced', 'sent', 'draft'])
  await editor.post('/api/undo', { event })
  expect(await states()).toEqual(['replaced', 'sent', 'recalled', 'draft'])
  // A replacement of what was taken back ends the offer that is open instead.
  const fourth = await replacement(second)
  await send(fourth)
  expect(await states()).toEqual(['replaced', 'replaced', 'recalled', 'draft', 'sent'])
  await send(third)
  expect(await states()).toEqual(['replaced', 'replaced', 'recalled', 'sent', 'replaced'])
})

test('the page of a replaced offer leads to the one that was sent last', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const sender = await submitAndOpen(api)
  const { id, path } = await sent(api, editor, sender)
  const drafts: string[] = []
  for (const _ of [1, 2])
    drafts.push((await editor.post(`/api/offers/${id}/replace`)).body.data._id)
  for (const one of drafts.toReversed()) {
    await editor.post(`/api/offers/${one}/send`, {})
    await leaveNow(api)
  }
  const pages = [path, `/offers/${drafts[1]}`].map((one) => `/status/${sender.token}${one}`)
  for (const page of pages)
    expect(await (await api.request(page)).text()).toContain(
      `<a href="/status/${sender.token}/offers/${drafts[0]}">Read it</a>`,
    )
})

testOnPostgres('of replacements that are sent at once, one is open', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const sender = await submitAndOpen(api)
  const { id } = await sent(api, editor, sender)
  const drafts: string[] = []
  for (let n = 0; n < 5; n += 1)
    drafts.push((await editor.post(`/api/offers/${id}/replace`)).body.data._id)
  const answers = await Promise.all(drafts.map((one) => editor.post(`/api/offers/${one}/send`, {})))
  expect(answers.map(({ status }) => status)).toEqual(drafts.map(() => 200))
  expect((await editor.get('/api/offers?state=sent')).body.data).toHaveLength(1)
})

test('an offer counts again once the row of replacements that wait is taken back', async ({
  api,
}) => {
  const editor = await staff(api, 'editor', 'ada')
  await staff(api, 'superuser')
  const chain = async () => {
    const sender = await submitAndOpen(api)
    const { id } = await sent(api, editor, sender)
    const events: string[] = []
    let last = id
    for (const _ of [1, 2]) {
      last = (await editor.post(`/api/offers/${last}/replace`)).body.data._id
      events.push((await editor.post(`/api/offers/${last}/send`, {})).body.meta.event)
    }
    const states = async () =>
      (await editor.get(`/api/consultations/${sender.id}`)).body.data.offers.map(
        (one: Json) => one.state,
      )
    expect(await states()).toEqual(['replaced', 'replaced', 'sent'])
    return { sender, events, states }
  }

  const undone = await chain()
  const undo = (event?: string) => editor.post('/api/undo', { event })
  await undo(undone.events[0])
  expect(await undone.states()).toEqual(['replaced', 'replaced', 'sent'])
  await undo(undone.events[1])
  expect(await undone.states()).toEqual(['replaced', 'sent', 'recalled'])
  await undo(undone.events[0])
  expect(await undone.states()).toEqual(['sent', 'recalled', 'recalled'])

  const withdrawn = await chain()
  await withdrawn.sender.post('/withdraw', {})
  expect(await withdrawn.states()).toEqual(['sent', 'recalled', 'recalled'])
})

test('offers are filtered by words and days, as lists are', async ({ api, editor }) => {
  const sender = await submitAndOpen(api)
  const { offer } = await sent(api, editor, sender)
  const matching = async (query: string) => {
    const { body } = await editor.get(`/api/offers?${new URLSearchParams(query)}`)
    return [body.meta.matching, body.data.length]
  }
  const day = offer.sentAt.slice(0, 10)
  for (const query of [
    `q=${offer.title.toUpperCase()}`,
    `from=${day}`,
    `to=${day}`,
    'from=2020-01-01',
  ])
    expect([query, await matching(query)]).toEqual([query, [1, 1]])
  for (const query of ['q=100% of nothing', 'to=2020-01-01', 'from=9999-01-01'])
    expect([query, await matching(query)]).toEqual([query, [0, 0]])
  expect((await editor.get('/api/offers?from=soon')).body.fields).toHaveProperty('from')
  const { nextCursor } = (await editor.get('/api/offers?limit=1')).body.meta
  expect(nextCursor).toBeNull()
})

test('an offer that breaks a rule is refused by its field', async ({ api, editor }) => {
  const sender = await submitAndOpen(api)
  const [line] = newOffer.lines
  for (const [field, changes] of [
    ['title', { title: '' }],
    ['lines', { lines: [] }],
    ['lines', { lines: [{ ...line, amount: 1.5 }] }],
    ['lines', { lines: [{ ...line, amount: -1 }] }],
    ['currency', { currency: 'XXZ' }],
    ['validUntil', { validUntil: '2020-01-01' }],
    ['validUntil', { validUntil: '2026-02-30' }],
    ['startsOn', { startsOn: 'soon' }],
  ] as const) {
    const answer = await editor.post(`/api/consultations/${sender.id}/offers`, {
      ...newOffer,
      ...changes,
    })
    expect([answer.status, Object.keys(answer.body.fields)[0]?.split('.')[0]]).toEqual([400, field])
  }
  const id = (await draft(editor, sender.id))._id
  const blank = await editor.post(`/api/offers/${id}/send`, { text: 'Dear {nobody}' })
  expect(blank.body.fields).toHaveProperty('text')
  const long = await draft(editor, sender.id, {
    text: 'é'.repeat(20_000),
    terms: 'ü'.repeat(20_000),
  })
  expect(long.text).toHaveLength(20_000)
})

test('calls about offers that came with a key are forgotten with the record', async ({
  api,
  superuser,
}) => {
  const { token } = await signInAs(api.deps, 'editor')
  const sender = await submitAndOpen(api)
  const { _id: id } = await draft(superuser, sender.id)
  const keyed = async (method: string, path: string, body: object) => {
    const headers = { 'Idempotency-Key': path }
    expect((await api.request(path, { method, body, token, headers })).ok).toBe(true)
  }
  await keyed('PUT', `/api/offers/${id}`, { title: 'For Grace' })
  await keyed('POST', `/api/offers/${id}/send`, {})
  await keyed('POST', `/api/offers/${id}/replace`, {})
  const { email } = (await superuser.get(`/api/consultations/${sender.id}`)).body.data
  expect((await superuser.post('/api/privacy/erase', { email })).status).toBe(200)
  expect(await rows(api.deps.db, sql`select answer from keyed_calls`)).toEqual([])
})

test('a kept record keeps what was accepted when its sender erases it', async ({ api }) => {
  const superuser = await staff(api, 'superuser')
  for (const keep of [true, false]) {
    const sender = await submitAndOpen(api)
    const { offer, path } = await sent(api, superuser, sender)
    const yes = { answer: 'accept', hash: offer.hash, name: 'W', agree: true }
    await sender.post(path, { ...yes, text: 'See you soon' })
    if (keep) {
      const kept = await superuser.put(`/api/consultations/${sender.id}`, { keep: true })
      expect(kept.body.data).toMatchObject({ keep: true, expiresAt: null })
    }
    await sender.post('/code', {})
    const exported = await sender.post('/export', { code: await mailedCode(api) })
    const held = [
      { state: 'accepted', hash: offer.hash, ipHash: expect.stringMatching(/^[\w-]{43}$/) },
    ]
    expect(exported.body.data.offers).toMatchObject(held)
    const { email } = (await superuser.get(`/api/consultations/${sender.id}`)).body.data
    const { body } = await superuser.post('/api/privacy/export', { email })
    expect(body.data.consultations).toMatchObject([{ offers: held }])
    await sender.post('/code', {})
    expect((await sender.post('/erase', { code: await mailedCode(api) })).status).toBe(200)
    const left = await rows(
      api.deps.db,
      sql`select answer_name, answer_text from offers where record_id = ${sender.id}::uuid`,
    )
    // The page says that the offer stays, not the word that came with the acceptance.
    expect(left).toEqual(keep ? [{ answer_name: 'W', answer_text: null }] : [])
  }
})

test('the page after an erasure names the accepted offer that stays', async ({
  api,
  superuser,
}) => {
  for (const keep of [true, false]) {
    const sender = await submitAndOpen(api)
    const { offer, path } = await sent(api, superuser, sender)
    await sender.post(path, { answer: 'accept', hash: offer.hash, name: 'W', agree: true })
    await superuser.put(`/api/consultations/${sender.id}`, { keep })
    await sender.post('/code', {})
    const erased = await sender.postForm('/erase', { code: await mailedCode(api) })
    const page = await (await api.request(erased.headers.get('Location') ?? '')).text()
    expect(page).toContain('one line')
    expect(page.includes('the offer that you accepted')).toBe(keep)
  }
})

test('a superuser alone decides whether what was accepted outlives its sender’s erasure', async ({
  api,
  superuser,
  admin,
}) => {
  const sender = await submitAndOpen(api)
  const record = `/api/consultations/${sender.id}`
  const keepBy = async (by: Staff, keep: boolean) => {
    const { status, body } = await by.put(`${record}/keep`, { keep })
    expect((await admin.get(record)).body.data.keep).toBe(status === 200 ? keep : !keep)
    return { status, event: body.meta?.event }
  }
  const { offer, path } = await sent(api, superuser, sender)
  for (const keep of [true, false]) expect((await keepBy(admin, keep)).status).toBe(200)
  await sender.post(path, { answer: 'accept', hash: offer.hash, name: 'W', agree: true })
  expect((await keepBy(admin, true)).status).toBe(403)
  const { event } = await keepBy(superuser, true)
  expect((await keepBy(admin, false)).status).toBe(403)
  // The superuser who kept it has lost that role.
  await rows(api.deps.db, sql`update users set role = 'admin' where id = ${superuser.id}::uuid`)
  expect((await superuser.post('/api/undo', { event })).status).toBe(403)
  expect((await admin.get(record)).body.data.keep).toBe(true)
})

test('a record that was kept before its offer was accepted keeps nothing of it', async ({
  api,
  superuser,
  admin,
}) => {
  const sender = await submitAndOpen(api)
  const { offer, path } = await sent(api, superuser, sender)
  await admin.put(`/api/consultations/${sender.id}/keep`, { keep: true })
  await sender.post(path, { answer: 'accept', hash: offer.hash, name: 'W', agree: true })
  await sender.post('/code', {})
  const erased = await sender.postForm('/erase', { code: await mailedCode(api) })
  expect(erased.headers.get('Location')).toBe('/status/erased')
  expect((await superuser.get('/api/offers')).body.data).toEqual([])
})

test('what was kept of an erased request can be read, and a superuser deletes it', async ({
  api,
}) => {
  const superuser = await staff(api, 'superuser')
  const editor = await staff(api, 'editor')
  const sender = await submitAndOpen(api)
  const { id, offer, path } = await sent(api, superuser, sender)
  await sender.post(path, { answer: 'accept', hash: offer.hash, name: 'Wanda', agree: true })
  const address = `/api/offers/${id}`
  expect((await superuser.delete(address)).status).toBe(409)
  await superuser.put(`/api/consultations/${sender.id}`, { keep: true })
  await sender.post('/code', {})
  await sender.post('/erase', { code: await mailedCode(api) })
  expect((await editor.get(address)).body.data).toMatchObject({
    name: 'Wanda',
    state: 'accepted',
    text: offer.text,
  })
  expect((await editor.delete(address)).status).toBe(409)
  expect((await superuser.delete(address)).status).toBe(200)
  expect((await superuser.get(address)).status).toBe(404)
  const [entry] = (await superuser.get('/api/audit')).body.data
  expect(entry).toMatchObject({ kind: 'offer.delete' })
})

test('what a kept record keeps outlives a restore, unless the address was erased', async ({
  api,
}) => {
  const { db } = api.deps
  const superuser = await staff(api, 'superuser')
  const key = await erasureKey(db)
  for (const what of ['record', 'address'] as const) {
    const email = `${what}@people.test`
    const sender = await submitAndOpen(api, 'consultations', { email })
    const { offer, path } = await sent(api, superuser, sender)
    await sender.post(path, { answer: 'accept', hash: offer.hash, name: 'W', agree: true })
    await superuser.put(`/api/consultations/${sender.id}`, { keep: true })
    await rows(db, remember(key, what, what === 'record' ? sender.id : email))
    await rows(db, sql`update erasures set erased_at = now() + interval '1 minute'`)
    expect(await eraseAgain(api.deps)).toMatchObject({ records: 1 })
    const left = await rows(db, sql`select 1 from offers where record_id = ${sender.id}::uuid`)
    expect(left).toHaveLength(what === 'record' ? 1 : 0)
  }
})
