import { expect } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { withStatements } from '#server/db/testing.ts'
import { idsOf, type Json, staff, submit, test } from '#server/inbox/testing.ts'
import { samples } from '#server/intake/samples.ts'
import { claimDue } from '#server/mail-out/store/queue.ts'
import { withLink } from '#server/mail-out/with-link.ts'
import { eraseAgain } from '#server/privacy/erase-again.ts'
import { testApi, testOnAll, testOnPostgres, withPositions } from '#server/testing.ts'
import { content, serviceIds, serviceLabel } from '#site/content.ts'
import {
  delayIsOver,
  leaveNow,
  mailedCode,
  sendDue,
  senderBy,
  submitAndOpen,
  tokensIn,
} from './testing.ts'

testOnAll(
  'a sender reads where it stands, replies, corrects, withdraws and replies again',
  async ({ api }) => {
    const editor = await staff(api, 'editor')
    const sender = await submitAndOpen(api, 'consultations')
    const path = `/api/consultations/${sender.id}`
    const first = (await sender.get()).body.data
    expect(first).toMatchObject({
      kind: 'consultations',
      reference: sender.id.slice(-8).toUpperCase(),
      fields: { company: 'Two Cafés', service: samples.consultations.service },
      status: 'pending',
      seenAt: null,
      withdrawnAt: null,
      messages: [],
    })
    expect(Date.parse(first.dueAt) - Date.parse(first.createdAt)).toBe(24 * 3_600_000)

    await editor.post(`${path}/seen`)
    const { meta } = (
      await editor.post(`${path}/messages`, {
        text: 'Hello {name}: {link}',
        status: 'contacted',
      })
    ).body
    // It is seen from the moment at which it leaves.
    expect((await sender.get()).body.data.messages).toEqual([])
    // Once it is due, undo recalls it until a worker has taken it.
    await delayIsOver(api)
    expect((await sender.get()).body.data).toMatchObject({ status: 'pending', messages: [] })
    await sendDue(api)
    const reply = await sender.post('/messages', {
      text: 'Thank you for {link}!\r\n<b>=1+1</b> \u202Egnp',
    })
    expect(reply.status).toBe(201)
    const answered = (await sender.get()).body.data
    expect(answered.seenAt).toEqual(expect.any(String))
    expect(answered.messages.map(({ from, text }: Json) => [from, text])).toEqual([
      ['us', `Hello Bakery owner: https://fledge.test/status/${sender.token}`],
      ['you', 'Thank you for {link}!\n<b>=1+1</b> \u202Egnp'],
    ])
    expect(Date.parse(answered.dueAt)).toBeGreaterThan(Date.parse(first.dueAt))

    const corrected = await sender.post('/correct', {
      phone: '+91 98 76 54 32 10',
      company: '',
      email: 'x@y.z',
    })
    expect(corrected.body.data.fields).toMatchObject({
      phone: '+91 98 76 54 32 10',
      company: null,
      email: first.fields.email,
    })
    expect((await sender.post('/correct', corrected.body.data.fields)).status).toBe(200)
    const refused = await sender.post('/correct', { phone: 'none', message: '' })
    expect(Object.keys(refused.body.fields).sort()).toEqual(['message', 'phone'])
    expect((await editor.get('/api/consultations?q=two%20caf')).body.meta.matching).toBe(0)

    await editor.post(`${path}/messages`, { text: 'Too late' })
    expect((await sender.post('/withdraw')).status).toBe(200)
    expect((await sender.post('/withdraw')).status).toBe(200)
    const withdrawn = (await editor.get(path)).body.data
    expect(withdrawn).toMatchObject({ dueAt: null, status: 'contacted' })
    expect(withdrawn.withdrawnAt).toBe((await sender.get()).body.data.withdrawnAt)
    const log = withdrawn.activity.map(
      ({ kind, fields, delivery }: Json) => fields ?? delivery ?? kind,
    )
    expect(log).toEqual([
      'created',
      'sent',
      'status',
      'reply',
      ['phone', 'company'],
      'recalled',
      'withdrawn',
    ])
    const late = await editor.post('/api/undo', { event: meta.event })
    expect(late.body.data.conflicts).toEqual([sender.id])

    await sender.post('/messages', { text: 'Please go on.' })
    expect((await sender.get()).body.data).toMatchObject({
      withdrawnAt: null,
      dueAt: expect.any(String),
    })
  },
)

test('an answer that a withdrawal recalls counts as none', async ({ db }) => {
  const api = testApi(db)
  const editor = await staff(api, 'editor')
  const [recalled, answered] = [
    await submitAndOpen(api, 'contacts'),
    await submitAndOpen(api, 'contacts'),
  ]
  await editor.post(`/api/contacts/${answered.id}/messages`, { text: 'In time' })
  await leaveNow(api)
  await editor.post(`/api/contacts/${recalled.id}/messages`, { text: 'Too late' })
  for (const sender of [recalled, answered]) await sender.post('/withdraw')
  const waitingFor = async ({ id }: { id: string }) =>
    (await editor.get(`/api/contacts/${id}`)).body.data.waitingFor
  expect([await waitingFor(recalled), await waitingFor(answered)]).toEqual(['us', 'them'])
  await rows(
    db,
    sql`update contacts set due_at = now() - interval '1 hour', answered_at = answered_at - interval '2 hours'`,
  )
  expect((await editor.get('/api/stats')).body.data.answers).toMatchObject({
    due: 1,
    inTime: 1,
    open: 0,
  })
})

test('a sender sees nothing of staff, spam or the trash, and a decision once it was written', async ({
  api,
}) => {
  const admin = await staff(api, 'admin')
  const sender = await submitAndOpen(api, 'applications')
  const path = `/api/applications/${sender.id}`
  await admin.post(`${path}/notes`, { text: 'A secret note' })
  await admin.put(path, { status: 'rejected', assignee: 'admin' })
  const page = await sender.get()
  expect(page.body.data.status).toBe('reviewing')
  expect(JSON.stringify(page.body)).not.toMatch(/secret|admin/)
  await admin.post(`${path}/messages`, { text: 'We decided.' })
  await leaveNow(api)
  expect((await sender.get()).body.data.status).toBe('rejected')

  await admin.put(path, { box: 'spam' })
  expect((await sender.get()).body.data).toMatchObject({ status: 'new', fields: {}, messages: [] })
  expect((await sender.post('/messages', { text: 'Hello?' })).status).toBe(201)
  for (const call of ['/correct', '/withdraw', '/code', '/export', '/erase'])
    expect((await sender.post(call, {})).status, call).toBe(404)
  await admin.put(path, { box: 'inbox' })
  expect((await sender.get()).body.data.messages).toHaveLength(2)
  await admin.delete(path)
  expect((await sender.get()).status).toBe(404)
  expect((await sender.post('/messages', { text: '' })).status).toBe(404)
  expect((await sender.get('?before=x')).status).toBe(404)
})

test('a token that is forged, ended or of an erased record opens nothing', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const [mine, other] = [await submitAndOpen(api, 'contacts'), await submitAndOpen(api, 'contacts')]
  const forged = [
    `${mine.token.slice(0, -1)}${mine.token.endsWith('A') ? 'B' : 'A'}`,
    mine.id,
    '%00',
    "' or 1=1 --",
    'a'.repeat(2_000),
  ]
  for (const token of forged)
    expect((await api.request(`/api/status/${encodeURIComponent(token)}`)).status).toBe(404)
  await editor.delete(`/api/contacts/${mine.id}/link`)
  expect((await mine.get()).status).toBe(404)
  expect((await mine.post('/messages', { text: 'x' })).status).toBe(404)

  // Another record's code is none.
  expect((await other.post('/code')).status).toBe(200)
  const code = await mailedCode(api)
  const third = await submitAndOpen(api, 'contacts')
  await third.post('/code')
  const refused = await third.post('/erase', { code })
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid'])
  expect(refused.body.fields.code).toHaveLength(1)
  expect((await other.post('/erase', { code })).status).toBe(200)
  expect((await other.get()).status).toBe(404)
})

testOnAll('a mailed code exports or erases once, for five tries', async ({ api, db }) => {
  const superuser = await staff(api, 'superuser')
  const sender = await submitAndOpen(api, 'consultations')
  await superuser.post(`/api/consultations/${sender.id}/notes`, { text: 'A secret note' })
  await sender.post('/messages', { text: 'What I wrote later' })
  expect((await sender.post('/export', { code: '12345678' })).status).toBe(400)
  await sender.post('/code')
  const first = await mailedCode(api)
  await sender.post('/code')
  const code = await mailedCode(api)
  expect(code).toMatch(/^\d{8}$/)
  const old = await sender.post('/export', { code: first })
  expect([old.status, first === code]).toEqual([400, false])
  const exported = await sender.post('/export', { code })
  expect(exported.body.data).toMatchObject({ _id: sender.id, fields: { company: 'Two Cafés' } })
  expect(JSON.stringify(exported.body)).toContain('What I wrote later')
  expect(JSON.stringify(exported.body)).not.toMatch(/secret note|superuser/)
  expect((await sender.post('/export', { code })).status).toBe(400)

  await sender.post('/code')
  const right = await mailedCode(api)
  const wrong = right === '00000000' ? '11111111' : '00000000'
  for (let tries = 0; tries < 5; tries += 1)
    expect((await sender.post('/erase', { code: wrong })).status).toBe(400)
  expect((await sender.post('/erase', { code: right })).status).toBe(400)
  expect((await sender.post('/code')).status).toBe(429)

  await rows(db, sql`delete from rate_limits`)
  const { email } = exported.body.data.fields
  await api.request('/api/status', { body: { email } })
  await api.settled()
  expect(await sendDue(api)).toHaveLength(1)
  await sender.post('/code')
  const last = await mailedCode(api)
  const erase = () => sender.post('/erase', { code: last }, { 'Idempotency-Key': 'erase-1' })
  const erased = await Promise.all([erase(), erase()])
  expect(erased.some(({ status }) => status === 200)).toBe(true)
  expect((await sender.get()).status).toBe(404)
  const left = JSON.stringify([
    await rows(db, sql`select * from events`),
    await rows(db, sql`select * from mail`),
    await rows(db, sql`select * from keyed_calls`),
    await rows(db, sql`select * from record_codes`),
  ])
  expect(left).not.toMatch(/What I wrote later|Two Caf/)
  expect(left).not.toContain(email)
  const [remembered] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from erasures where what = 'record'`,
  )
  expect(remembered?.n).toBe(1)
})

test('a link that staff ended does not come back with a backup, any other one does', async ({
  api,
  db,
}) => {
  const editor = await staff(api, 'editor')
  const [ended, living] = [
    await submitAndOpen(api, 'contacts'),
    await submitAndOpen(api, 'contacts'),
  ]
  await editor.delete(`/api/contacts/${ended.id}/link`)
  // A restored backup no longer knows that the link has ended.
  await rows(db, sql`update record_links set ended_at = null`)
  expect((await ended.get()).status).toBe(200)
  expect(await eraseAgain(api.deps)).toMatchObject({ links: 1, unmatched: 0 })
  expect([(await ended.get()).status, (await living.get()).status]).toEqual([404, 200])
})

test('a code that was mailed to an address confirms nothing after the address is corrected', async ({
  api,
}) => {
  const editor = await staff(api, 'editor')
  const sender = await submitAndOpen(api, 'contacts')
  await sender.post('/code')
  const code = await mailedCode(api)
  await editor.put(`/api/contacts/${sender.id}`, { email: 'right@people.test' })
  // The link has ended with the address; the code ends on its own.
  expect((await sender.post('/erase', { code })).status).toBe(404)
  await rows(api.deps.db, sql`update record_links set ended_at = null`)
  expect((await sender.post('/erase', { code })).status).toBe(400)
})

test('a mail with links that waits names no record whose address has been corrected since', async ({
  api,
}) => {
  const editor = await staff(api, 'editor')
  const email = 'wrong@people.test'
  const id = await submit(api, 'contacts', { email })
  await submit(api, 'contacts', { email })
  await sendDue(api)
  await api.request('/api/status', { body: { email } })
  await api.settled()
  await editor.put(`/api/contacts/${id}`, { email: 'right@people.test' })
  const [sent] = await sendDue(api)
  expect(sent?.to).toBe(email)
  expect(tokensIn(sent?.text ?? '')).toHaveLength(1)
})

test('a message that a worker holds while its address is corrected leaves with no link to the old one', async ({
  api,
  db,
}) => {
  const editor = await staff(api, 'editor')
  const sender = await submitAndOpen(api, 'contacts')
  await editor.post(`/api/contacts/${sender.id}/messages`, { text: 'Hello!' })
  await delayIsOver(api)
  const [held] = await claimDue(db, 'urgent', 10)
  if (!held) throw new Error('Nothing is due')
  await editor.put(`/api/contacts/${sender.id}`, { email: 'right@people.test' })
  const taken: string[] = []
  const send = withLink(api.deps, async ({ to }) => {
    taken.push(to)
    return { outcome: 'sent', providerId: null }
  })
  expect(await send(held)).toMatchObject({ outcome: 'temporary' })
  expect(taken).toEqual([])
  expect(await rows(db, sql`select from record_links where ended_at is null`)).toEqual([])
  await send({ ...held, to: 'Right@People.test' })
  expect(taken).toEqual(['Right@People.test'])
})

test('links are not mailed to an address that is erased while they are looked up', async ({
  api,
  db,
}) => {
  const boss = await staff(api, 'superuser')
  const email = 'gone@people.test'
  await submit(api, 'contacts', { email })
  const meanwhile = testApi(
    withStatements(db, async (execute) => {
      const found = await execute()
      const isLookUp = JSON.stringify(found).includes(email)
      if (isLookUp) await boss.post('/api/privacy/erase', { email })
      return found
    }),
  )
  await meanwhile.request('/api/status', { body: { email } })
  await meanwhile.settled()
  expect(await rows(db, sql`select from mail where recipient = ${email}`)).toEqual([])
})

testOnPostgres('of 100 replies at once, 20 are stored, each once and in order', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const sender = await submitAndOpen(api, 'contacts')
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => sender.post('/messages', { text: `Reply ${n}` })),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(20)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(80)
  expect(refused[0]?.body.message).toMatch(/ Please try again in 2[34] hours\.$/)
  const { version, activity } = (await editor.get(`/api/contacts/${sender.id}`)).body.data
  expect(version).toBe(21)
  const stored = activity.filter(({ kind }: Json) => kind === 'reply').map(({ text }: Json) => text)
  const accepted = answers.filter(({ status }) => status === 201).map(({ body }) => body.data.text)
  expect(stored.toSorted()).toEqual(accepted.toSorted())
  expect((await sender.get()).body.data.messages).toHaveLength(20)
})

test('a sender corrects one record fifty times a day at most', async ({ api }) => {
  const sender = await submitAndOpen(api, 'contacts')
  expect((await sender.post('/correct', { message: 'First' })).status).toBe(200)
  await rows(
    api.deps.db,
    sql`update rate_limits set hits = array_fill(now(), array[50]) where key like 'sender-correction:%'`,
  )
  const refused = await api.request(`${sender.path}/correct`, { body: { message: 'Second' } })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(86_000)
  // What is so already is no correction.
  expect((await sender.post('/correct', { message: 'First' })).status).toBe(200)
  expect((await sender.get()).body.data.fields.message).toBe('First')
})

test('a corrected choice is checked like one of the form, and its label follows', async ({
  api,
}) => {
  const editor = await staff(api, 'editor')
  const sender = await submitAndOpen(api, 'consultations')
  const stored = async () => (await editor.get(`/api/consultations/${sender.id}`)).body.data
  const unknown = await sender.post('/correct', { service: 'no-such-service' })
  expect(unknown.body.data.fields.service).toBe('custom')
  expect(await stored()).toMatchObject({ service: 'custom', serviceLabel: serviceLabel('custom') })
  const service = serviceIds().at(-1) ?? ''
  await sender.post('/correct', { service })
  expect(await stored()).toMatchObject({ service, serviceLabel: serviceLabel(service) })
})

testOnAll(
  'an application for a corrected position is due by the day of that position',
  async ({ db }) => {
    const answeredBy = (answerBy: string) => ({ opening: { open: true, answerBy } })
    const api = testApi(db, {
      content: withPositions({
        first: answeredBy('2999-01-31'),
        second: answeredBy('2999-02-28'),
        undated: {},
      }),
    })
    const editor = await staff(api, 'editor')
    const sender = await submitAndOpen(api, 'applications', { position: 'first' })
    const path = `/api/applications/${sender.id}`
    const move = async (position: string) => {
      const { body } = await sender.post('/correct', { position })
      const { answerBy, dueAt, group } = (await editor.get(path)).body.data
      expect([body.data.dueAt, (await sender.get()).body.data.dueAt]).toEqual([dueAt, dueAt])
      return [answerBy, dueAt, group]
    }
    expect(await move('second')).toEqual(['2999-02-28', '2999-02-28T23:59:59.999Z', 'due'])
    expect(await move('undated')).toEqual([null, null, 'open'])
    expect(await move('first')).toEqual(['2999-01-31', '2999-01-31T23:59:59.999Z', 'due'])

    // The 24 hours after a reply stay.
    await sender.post('/messages', { text: 'And?' })
    const { dueAt } = (await editor.get(path)).body.data
    expect(await move('undated')).toEqual([null, dueAt, 'due'])
  },
)

testOnPostgres('corrections at the same time are all found by a search', async ({ api, db }) => {
  const editor = await staff(api, 'editor')
  const sender = await submitAndOpen(api, 'consultations', { message: 'First line\nBread' })
  const path = `/api/consultations/${sender.id}`
  const [named, moved, changed] = await Promise.all([
    sender.post('/correct', { name: 'Ottilie' }),
    sender.post('/correct', { company: 'Mühle' }),
    editor.put(path, { email: 'right@people.test' }),
  ])
  expect(changed.status).toBe(200)
  // A correction that comes after the change of address finds no link.
  for (const { status } of [named, moved]) expect([200, 404]).toContain(status)
  const { name, company } = (await editor.get(path)).body.data
  const start = `${name}\nright@people.test\n${company}`.toLowerCase()
  const searched = async () => (await rows(db, sql`select search from consultations`))[0]?.search
  expect(await searched()).toBe(`${start}\nfirst line\nbread`)
  await rows(db, sql`update record_links set ended_at = null`)
  await sender.post('/correct', { message: 'Rolls\nBuns' })
  expect(await searched()).toBe(`${start}\nrolls\nbuns`)
  expect(idsOf(await editor.post('/api/consultations/search', { q: 'buns' }))).toEqual([sender.id])
})

test('a reply under one key is stored once', async ({ api }) => {
  const sender = await submitAndOpen(api, 'contacts')
  const send = (text: string) => sender.post('/messages', { text }, { 'Idempotency-Key': 'k' })
  const [a, b] = await Promise.all([send('Once'), send('Once')])
  expect([a.status, b.status, a.body]).toEqual([201, 201, b.body])
  expect((await send('Other')).status).toBe(409)
  expect((await sender.get()).body.data.messages).toHaveLength(1)
})

test('links are mailed to the address that they belong to, with the same answer for every address', async ({
  api,
}) => {
  const email = 'ada@people.test'
  const ask = (to: string, ip = '192.0.2.9') =>
    api.request('/api/status', { body: { email: to }, ip })
  const ids: string[] = []
  for (let n = 0; n < 6; n += 1)
    ids.push(await submit(api, n % 2 ? 'contacts' : 'applications', { email }))
  await sendDue(api)
  const bodies: string[] = []
  for (const to of [email, 'nobody@people.test', 'ADA@people.test', email, email]) {
    const response = await ask(to)
    expect(response.status).toBe(200)
    bodies.push(await response.text())
    await api.settled()
  }
  expect(new Set(bodies).size).toBe(1)
  const headers = { 'Idempotency-Key': 'links' }
  const keyed = () => api.request('/api/status', { body: { email: 'else@people.test' }, headers })
  expect([(await keyed()).status, await (await keyed()).json()]).toEqual([
    200,
    { success: true, data: {} },
  ])
  const sent = await sendDue(api)
  expect(sent.map(({ to }) => to)).toEqual([email, email, email])
  const tokens = tokensIn(sent[0]?.text ?? '')
  expect(tokens).toHaveLength(5)
  for (const [n, token] of tokens.entries()) {
    const { body } = await senderBy(api, '', token).get()
    expect(body.data.reference).toBe(ids[5 - n]?.slice(-8).toUpperCase())
  }
  expect((await api.request('/api/status', { body: { email: 'none' } })).status).toBe(400)
  for (let n = 0; n < 20; n += 1) await ask('nobody@people.test', '192.0.2.77')
  expect((await ask('nobody@people.test', '192.0.2.77')).status).toBe(429)
})

test('the preferred day is a file for calendars, a whole day without a zone', async ({ api }) => {
  const sender = await submitAndOpen(api, 'consultations')
  const response = await api.request(`${sender.path}/preferred-date.ics`)
  expect(response.headers.get('Content-Type')).toBe('text/calendar; charset=utf-8')
  const file = await response.text()
  const day = String(samples.consultations.preferredDate).replaceAll('-', '')
  expect(file).toContain(`DTSTART;VALUE=DATE:${day}\r\n`)
  expect(file.split('\r\n').every((line) => line.length <= 75)).toBe(true)
  const contact = await submitAndOpen(api, 'contacts')
  expect((await api.request(`${contact.path}/preferred-date.ics`)).status).toBe(404)
})

test('no log line holds a token, and the confirmation names the hour in the sender’s zone', async ({
  api,
}) => {
  const timeZone = 'Asia/Kolkata'
  const id = await submit(api, 'consultations', { source: { timeZone } })
  const sent = await sendDue(api)
  const text = sent.find(({ kind }) => kind === 'acknowledgement')?.text ?? ''
  expect(text).toMatch(/That is by \w+day \d+ \w+ \d{4}, \d\d:\d\d \(Kolkata, UTC\+5:30\)\./)
  const [token = ''] = tokensIn(text)
  await senderBy(api, id, token).get()
  expect(JSON.stringify(api.logged)).not.toContain(token)
  expect(api.logged.at(-1)).toMatchObject({ route: '/api/status/-' })
})

test('a sender reads who wrote, where the writer wants to be known', async ({ api, editor }) => {
  const sender = await submitAndOpen(api, 'contacts')
  const path = `/api/contacts/${sender.id}/messages`
  await editor.post(path, { text: 'First' })
  await editor.put('/api/me/settings', { displayName: 'Ada' })
  await editor.post(path, { text: 'Second' })
  await leaveNow(api)
  expect((await sender.get()).body.data.messages).toMatchObject([
    { text: 'First', name: null },
    { text: 'Second', name: 'Ada' },
  ])
})

test('pages of a sender show the mark that is published', async ({ api, db }) => {
  const sender = await submitAndOpen(api, 'contacts')
  await sender.post('/withdraw')
  const brand = { ...content().brand, mark: 'M1 2 3 4' }
  const published = testApi(db, { content: { ...content(), brand } })
  for (const path of [`/status/${sender.token}`, '/status/erased'])
    expect(await (await published.request(path)).text(), path).toContain('d="M1 2 3 4"')
})
