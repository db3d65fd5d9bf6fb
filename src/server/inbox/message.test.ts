import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { signInAs, tokenOf } from '#server/auth/testing.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { contacts } from '#server/kinds/contacts.ts'
import type { Message, Sender } from '#server/mail-out/message.ts'
import { drain } from '#server/mail-out/outbox.ts'
import { withLink } from '#server/mail-out/with-link.ts'
import { type TestApi, testApi, testConfig, testOnAll, testOnPostgres } from '#server/testing.ts'
import { sayWriting } from './store/drafts.ts'
import { backdate, type Json, staff, submit, test } from './testing.ts'

/** Sends what is due, as the worker does, and answers what went out. */
const sendAll = async ({ deps }: TestApi, send?: Sender): Promise<Message[]> => {
  const sent: Message[] = []
  const provider: Sender = async (message) => {
    sent.push(message)
    return send ? send(message) : { outcome: 'sent', providerId: `provider-${message.id}` }
  }
  await drain(
    { db: deps.db, log: () => {}, mailPerHour: 300, send: withLink(deps, provider) },
    { batchMs: 10 },
  )
  return sent
}

const delayIsOver = (db: Database) =>
  rows(db, sql`update mail set next_attempt_at = now() - interval '1 second'`)

const toSenders = (sent: Message[]) => sent.filter(({ kind }) => kind === 'message')

const last = ({ body }: { body: Json }) => body.data.activity.at(-1)

testOnAll('a message answers what is owed and sets the status in one change', async ({ db }) => {
  const api = testApi(db)
  const editor = await staff(api, 'editor')
  const path = `/api/consultations/${await submit(api, 'consultations')}`
  const owed = (await editor.get(path)).body.data
  const written = await editor.post(`${path}/messages`, { text: 'Hello!', status: 'contacted' })
  expect(written.status).toBe(201)
  expect(written.body.data).toMatchObject({
    kind: 'message',
    by: 'editor',
    text: 'Hello!',
    delivery: 'waiting',
  })
  const { data } = (await editor.get(path)).body
  expect(data).toMatchObject({
    status: 'contacted',
    completedBy: 'editor',
    waitingFor: 'them',
    dueAt: null,
    lastMessageAt: written.body.data.at,
    version: 2,
  })
  expect(data.activity).toContainEqual(written.body.data)

  // Nothing leaves before the delay is over, and undo recalls it until then.
  expect(toSenders(await sendAll(api))).toEqual([])
  const undone = await editor.post('/api/undo', { event: written.body.meta.event })
  expect(undone.body.data.conflicts).toEqual([])
  const back = await editor.get(path)
  const { status, waitingFor, dueAt, lastMessageAt } = owed
  expect(back.body.data).toMatchObject({ status, waitingFor, dueAt, lastMessageAt })
  expect(back.body.data.activity).toContainEqual({ ...written.body.data, delivery: 'recalled' })
  await delayIsOver(db)
  expect(toSenders(await sendAll(api))).toEqual([])

  const again = await editor.post('/api/undo', { event: undone.body.meta.event })
  expect(again.body.data.reverted).toEqual([])
  expect(again.body.data.conflicts).toHaveLength(1)
})

test('what has left is not recalled, and its state follows the provider’s reports', async ({
  db,
}) => {
  const secret = `whsec_${Buffer.from('a secret that only the provider knows').toString('base64')}`
  const api = testApi(db, {
    config: { ...testConfig, mail: { ...testConfig.mail, resendWebhookSecret: secret } },
  })
  const editor = await staff(api, 'editor')
  const path = `/api/contacts/${await submit(api)}`
  const { meta } = (await editor.post(`${path}/messages`, { text: 'Hello!' })).body
  await delayIsOver(db)
  const [sent] = toSenders(await sendAll(api))
  expect(last(await editor.get(path)).delivery).toBe('sent')
  expect((await editor.post('/api/undo', { event: meta.event })).body.data.reverted).toEqual([])
  for (const [type, delivery] of [
    ['email.delivered', 'delivered'],
    ['email.bounced', 'bounced'],
  ]) {
    const body = JSON.stringify({ type, data: { email_id: `provider-${sent?.id}` } })
    const at = new Date()
    const answer = await api.request('/api/webhooks/resend', {
      body,
      headers: {
        'Content-Type': 'application/json',
        'svix-id': 'msg_1',
        'svix-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'svix-signature': new Webhook(secret).sign('msg_1', at, body),
      },
    })
    expect(answer.status).toBe(200)
    expect(last(await editor.get(path)).delivery).toBe(delivery)
  }
})

testOnPostgres(
  'a raced undo recalls a message or finds it gone, never both',
  async ({ api, db }) => {
    const editor = await staff(api, 'editor')
    const ids = await Promise.all(Array.from({ length: 6 }, () => submit(api)))
    const { meta } = (
      await editor.post('/api/contacts/bulk', { ids, action: 'message', value: { text: 'Hello!' } })
    ).body
    await delayIsOver(db)
    const [sent, undone] = await Promise.all([
      sendAll(api),
      editor.post('/api/undo', { event: meta.event }),
    ])
    const gone = toSenders(sent).map(({ record }) => record?.id ?? '')
    expect(undone.body.data.conflicts.toSorted()).toEqual(gone.toSorted())
    expect([...undone.body.data.reverted, ...gone].toSorted()).toEqual(ids.toSorted())
  },
)

test('a worker that died in between keeps its message from being recalled', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const path = `/api/contacts/${await submit(api)}`
  const { meta } = (await editor.post(`${path}/messages`, { text: 'Hello!' })).body
  await rows(api.deps.db, sql`update mail set leased_until = now() - interval '1 second'`)
  const undone = await editor.post('/api/undo', { event: meta.event })
  expect(undone.body.data.reverted).toEqual([])
})

test('a message carries reference, reply address and the link it asks for, the same at each attempt', async ({
  db,
}) => {
  const api = testApi(db, {
    config: { ...testConfig, mail: { ...testConfig.mail, replyDomain: 'in.fledge.test' } },
  })
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'consultations', { name: '{link} <b>Ada</b>' })
  const text = 'Hello {name}, about {service}: {link} {position}.'
  await editor.post(`/api/consultations/${id}/messages`, { text })
  const entry = last(await editor.get(`/api/consultations/${id}`))
  expect(entry.text).toMatch(/^Hello \{link\} <b>Ada<\/b>, about .+: \{link\} \.$/)

  const attempts: Message[] = []
  for (const outcome of ['temporary', 'sent'] as const) {
    await delayIsOver(db)
    const sent = await sendAll(api, async () =>
      outcome === 'sent' ? { outcome, providerId: null } : { outcome, error: '503 busy' },
    )
    attempts.push(...toSenders(sent))
  }
  const links = attempts.map(
    ({ text }) => /https:\/\/fledge\.test\/status\/[\w-]{22,}/.exec(text)?.[0],
  )
  expect(new Set(links).size).toBe(1)
  expect(links[0]).toBeDefined()
  const [message] = toSenders(attempts)
  const reference = `Your reference is ${id.slice(-8).toUpperCase()}.`
  expect(message?.text).toContain(`Hello {link} <b>Ada</b>, about`)
  expect(message?.text.split(links[0] ?? '')).toHaveLength(3)
  expect(message?.html).toContain('{link} &lt;b&gt;Ada&lt;/b&gt;')
  for (const { text, html, replyTo } of attempts) {
    expect(text).toContain(reference)
    expect(html).toContain(`<a href="${links[0]}">`)
    expect(replyTo).toMatch(/^reply\+[a-z2-7]{32}@in\.fledge\.test$/)
  }
  // Neither the token nor its like is stored in clear.
  const token = links[0]?.split('/').at(-1) ?? ''
  const stored = JSON.stringify([
    await rows(db, sql`select * from record_links`),
    await rows(db, sql`select * from mail`),
  ])
  expect(stored).not.toContain(token)

  const reviewer = await staff(api, 'reviewer')
  expect((await reviewer.delete(`/api/consultations/${id}/link`)).status).toBe(403)
  expect((await editor.delete(`/api/consultations/${id}/link`)).status).toBe(200)
  await editor.post(`/api/consultations/${id}/messages`, { text: 'Again: {link}' })
  await delayIsOver(db)
  const [next] = toSenders(await sendAll(api))
  expect(next?.text).toContain('https://fledge.test/status/')
  expect(next?.text).not.toContain(token)
})

test('markup, formulas and direction controls in a message stay text', async ({ api, editor }) => {
  const path = `/api/contacts/${await submit(api)}`
  const text = '=1+1 <script>alert(1)</script> \u202Egnp.exe\n{name} & {un known}'
  const name = (await editor.get(path)).body.data.name
  const filled = text.replace('{name}', name)
  expect((await editor.post(`${path}/messages`, { text })).body.data.text).toBe(filled)
  await delayIsOver(api.deps.db)
  const [sent] = toSenders(await sendAll(api))
  expect(sent?.text).toContain(filled)
  expect(sent?.html).not.toContain('<script>')
})

test('a message that bounced goes again, to the corrected address', async ({ db, api, editor }) => {
  const path = `/api/contacts/${await submit(api, 'contacts', { email: 'ada@typo.example' })}`
  await editor.put('/api/me/settings', { displayName: 'Eli' })
  await editor.post(`${path}/messages`, { text: 'Hello!' })
  await delayIsOver(db)
  const [first] = toSenders(await sendAll(api))
  await rows(db, sql`update mail set delivery = 'bounced' where kind = 'message'`)
  const corrected = await editor.put(path, { email: 'ada@right.example' })
  expect(corrected.body.data.email).toBe('ada@right.example')
  expect(last(corrected)).toMatchObject({ kind: 'corrected', by: 'editor' })
  const found = async (q: string) => (await editor.get(`/api/contacts?q=${q}`)).body.meta.matching
  expect([await found('ada@right'), await found('ada@typo')]).toEqual([1, 0])

  const again = await Promise.all([1, 2].map(() => editor.post(`/api/mail/${first?.id}/retry`)))
  expect(again.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const second = toSenders(await sendAll(api))
  expect(second).toMatchObject([{ to: 'ada@right.example', fromName: 'Eli' }])
  expect(second[0]?.id).not.toBe(first?.id)
  const { activity, mail } = (await editor.get(path)).body.data
  const [entry, ...others] = activity.filter(({ kind }: Json) => kind === 'message')
  expect([entry, others]).toMatchObject([{ text: 'Hello!', delivery: 'sent' }, []])
  const sent = mail.filter(({ kind }: Json) => kind === 'message')
  expect(sent.map(({ entry }: Json) => entry)).toEqual([entry._id, entry._id])
  await editor.post('/api/undo', { event: corrected.body.meta.event })
  expect([await found('ada@right'), await found('ada@typo')]).toEqual([0, 1])
  expect((await editor.put(path, { email: 'nobody' })).status).toBe(400)
})

testOnAll(
  'a confirmation that bounced goes again once, to the corrected address',
  async ({ db }) => {
    const api = testApi(db)
    const editor = await staff(api, 'editor')
    const path = `/api/contacts/${await submit(api, 'contacts', { email: 'ada@typo.example' })}`
    const confirmed = async () =>
      (await sendAll(api)).filter(({ kind }) => kind === 'acknowledgement')
    const [first] = await confirmed()
    const retry = () => editor.post(`/api/mail/${first?.id}/retry`)
    expect((await retry()).status).toBe(409)
    await rows(db, sql`update mail set delivery = 'bounced' where kind = 'acknowledgement'`)
    await editor.put(path, { email: 'ada@right.example' })

    const again = await Promise.all([retry(), retry()])
    expect(again.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const second = await confirmed()
    expect(second).toMatchObject([{ to: 'ada@right.example', subject: first?.subject }])
    expect(second[0]?.id).not.toBe(first?.id)
    expect((await retry()).status).toBe(409)
    const { mail } = (await editor.get(path)).body.data
    expect(
      mail
        .filter(({ kind }: Json) => kind === 'acknowledgement')
        .map(({ delivery }: Json) => delivery),
    ).toEqual(['bounced', null])
  },
)

test('a confirmation that goes out after the promised hour does not name it', async ({
  db,
  api,
}) => {
  const editor = await staff(api, 'editor')
  const confirmed = async () =>
    (await sendAll(api)).filter(({ kind }) => kind === 'acknowledgement')
  const hour = 'That is by'
  for (const kind of ['consultations', 'contacts'] as const)
    for (const isLate of [false, true]) {
      const name = isLate ? 'late' : 'early'
      const id = await submit(api, kind, { email: `${name}@${kind}.example`, website: 'x' })
      const path = `/api/${kind}/${id}`
      if (isLate) await backdate(db, kind, id, sql`now() - interval '2 days'`)
      await editor.put(path, { box: 'inbox' })
      const [first] = await confirmed()
      const bodies = [first?.text, first?.html]
      for (const body of bodies)
        isLate ? expect(body).not.toContain(hour) : expect(body).toContain(hour)
      if (isLate) {
        expect(first?.text).toMatch(/hours[^\n]*\n\nYour own page: /)
        expect(first?.html).toMatch(/hours[^\n]*<\/p>\n<p>Your own page: /)
        continue
      }
      // One that bounced goes again a day later.
      await backdate(db, kind, id, sql`now() - interval '2 days'`)
      await rows(db, sql`update mail set delivery = 'bounced' where id = ${first?.id}::uuid`)
      await editor.post(`/api/mail/${first?.id}/retry`)
      const [again] = await confirmed()
      for (const body of [again?.text, again?.html]) {
        expect(body).toContain('Your own page: ')
        expect(body).not.toContain(hour)
      }
    }
})

test('a corrected address gets what had failed, also where the same change moves the record', async ({
  db,
  api,
  editor,
}) => {
  for (const [box, start] of [
    ['inbox', 'spam'],
    ['spam', 'inbox'],
  ] as const) {
    const id = await submit(api, 'contacts', { email: `ada@${box}.example` })
    const path = `/api/contacts/${id}`
    await rows(db, sql`update mail set status = 'failed' where record_id = ${id}::uuid`)
    if (start === 'spam') await editor.put(path, { box: start })
    const moved = await editor.put(path, { box, email: `ada@right-${box}.example` })
    expect(moved.status).toBe(200)
    if (box === 'spam') await editor.put(path, { box: 'inbox' })
    const { data } = (await editor.get('/api/mail?status=failed')).body
    for (const { _id } of data) await editor.post(`/api/mail/${_id}/retry`)
    const sent = await sendAll(api)
    const confirmed = sent.filter(({ kind }) => kind === 'acknowledgement')
    expect(confirmed.map(({ to }) => to)).toEqual([`ada@right-${box}.example`])
  }
})

test('a corrected address gets what a release in the same change lets go', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'contacts', { email: 'ada@typo.example', website: 'x' })
  await editor.put(`/api/contacts/${id}`, { box: 'inbox', email: 'ada@right.example' })
  const sent = await sendAll(api)
  const confirmed = sent.filter(({ kind }) => kind === 'acknowledgement')
  expect(confirmed.map(({ to }) => to)).toEqual(['ada@right.example'])
})

test('a release counts towards the limit of the address that it corrects', async ({ api }) => {
  const editor = await staff(api, 'editor')
  for (const n of [1, 2, 3, 4]) {
    const id = await submit(api, 'contacts', { email: `ada${n}@typo.example`, website: 'x' })
    await editor.put(`/api/contacts/${id}`, { box: 'inbox', email: 'ada@right.example' })
  }
  const sent = await sendAll(api)
  expect(sent.filter(({ kind }) => kind === 'acknowledgement')).toHaveLength(3)
})

test('nobody writes to records in spam or the trash; bulk names them as missing', async ({
  api,
}) => {
  const admin = await staff(api, 'admin')
  const [here, spam, trash] = [await submit(api), await submit(api), await submit(api)]
  await admin.put(`/api/contacts/${spam}`, { box: 'spam' })
  await admin.delete(`/api/contacts/${trash}`)
  const writeTo = async (id: string, body: unknown = { text: 'Hello' }) =>
    (await admin.post(`/api/contacts/${id}/messages`, body)).status
  expect(await writeTo(spam)).toBe(409)
  expect(await writeTo(trash)).toBe(404)
  expect(await writeTo(here, { text: ' ' })).toBe(400)
  expect(await writeTo(here, { text: 'x'.repeat(10_001) })).toBe(400)
  expect(await writeTo(here, { text: 'x', status: 'rejected' })).toBe(400)
  const many = await admin.post('/api/contacts/bulk', {
    ids: [here, spam, trash, 'nothing'],
    action: 'message',
    value: { text: 'Hello {name}', status: 'handled' },
  })
  expect(many.body.data).toEqual({ changed: [here], missing: [spam, trash, 'nothing'] })
  await rows(api.deps.db, sql`update mail set status = 'failed' where record_id = ${spam}::uuid`)
  const [failed] = (await admin.get('/api/mail?status=failed')).body.data
  expect((await admin.post(`/api/mail/${failed._id}/retry`)).status).toBe(409)
  expect((await admin.get('/api/mail?status=waiting')).body.data).not.toContainEqual(
    expect.objectContaining({ _id: failed._id }),
  )
  for (const value of [null, 'Hello', { text: '' }, { text: 'x', status: 'rejected' }]) {
    const body = { ids: [here], action: 'message', value }
    expect((await admin.post('/api/contacts/bulk', body)).status).toBe(400)
  }
})

test('an erased record takes its messages, links and writers along', async ({ db, api }) => {
  const superuser = await staff(api)
  const id = await submit(api)
  const path = `/api/contacts/${id}`
  await superuser.post(`${path}/messages`, { text: 'A secret answer' })
  await superuser.put(`${path}/writing`)
  const { token } = await signInAs(api.deps, 'editor')
  const bulk = await api.request('/api/contacts/bulk', {
    body: { ids: [id], action: 'message', value: { text: 'A secret answer to many' } },
    token,
    headers: { 'Idempotency-Key': 'a-key' },
  })
  expect(bulk.status).toBe(200)
  await sendAll(api)
  const { email } = (await superuser.get(path)).body.data
  const exported = await superuser.post('/api/privacy/export', { email })
  expect(JSON.stringify(exported.body)).toContain('A secret answer')
  const erased = await superuser.post('/api/privacy/erase', { email })
  expect(erased.body.data).toMatchObject({ contacts: 1, messages: 2 })
  const left = JSON.stringify([
    await rows(db, sql`select * from events`),
    await rows(db, sql`select * from mail`),
    await rows(db, sql`select * from keyed_calls`),
  ])
  expect(left).not.toContain('A secret answer')
  const [count] = await rows<{ n: number }>(
    db,
    sql`select (select count(*) from record_links) + (select count(*) from record_writers) as n`,
  )
  expect(count?.n).toBe(0)
})

testOnAll('an account writes 200 messages an hour, recalled ones too', async ({ api, db }) => {
  const editor = await staff(api, 'editor')
  const colleague = await staff(api, 'editor', 'colleague')
  const ids = [await submit(api), await submit(api), await submit(api)]
  const bulk = (some: string[], who = editor) =>
    who.post('/api/contacts/bulk', { action: 'message', ids: some, value: { text: 'Hello.' } })
  const waiting = async () => {
    const [found] = await rows<{ n: number }>(
      db,
      sql`select count(*) as n from mail where kind = 'message' and status = 'waiting'`,
    )
    return found?.n
  }
  expect((await bulk(ids)).body.data.changed).toHaveLength(3)
  await rows(
    db,
    sql`update rate_limits set hits = hits || array_fill(now()::timestamptz(3), array[195])
      where key like 'messages:%'`,
  )
  const over = await api.request('/api/contacts/bulk', {
    body: { action: 'message', ids, value: { text: 'Hello.' } },
    token: await tokenOf(api.deps, editor),
  })
  expect([over.status, Number(over.headers.get('Retry-After')) > 3_000]).toEqual([429, true])
  expect(await waiting()).toBe(3)
  const last = await bulk(ids.slice(0, 2))
  expect(last.status).toBe(200)
  expect((await editor.post('/api/undo', { event: last.body.meta.event })).status).toBe(200)
  expect(await waiting()).toBe(3)
  const one = `/api/contacts/${ids[0]}/messages`
  const refused = await editor.post(one, { text: 'Hello.' })
  expect([refused.status, refused.body.message]).toEqual([
    429,
    expect.stringMatching(
      /^An account sends 200 messages an hour at most\. Please try again in \d+ min/,
    ),
  ])
  // Messages that are not sent do not count, and each account has a limit of its own.
  expect((await bulk(['018f0000-0000-7000-8000-000000000000'])).status).toBe(200)
  expect((await colleague.post(one, { text: 'Hello.' })).status).toBe(201)
  await rows(
    db,
    sql`update rate_limits set hits = array(select h - interval '1 hour' from unnest(hits) as h)`,
  )
  expect((await bulk(ids)).status).toBe(200)
})

test('a message to more than twenty records asks who is there', async ({ db, api, editor }) => {
  const ids = await Promise.all(Array.from({ length: 21 }, () => submit(api)))
  const bulk = (some: string[], action = 'message') =>
    editor.post('/api/contacts/bulk', {
      action,
      ids: some,
      value: action === 'message' ? { text: 'Hello.' } : null,
    })
  await rows(db, sql`update sessions set step_up_until = now() - interval '1 second'`)
  expect((await bulk(ids)).body).toMatchObject({ code: 'step_up_required' })
  expect((await bulk([...ids.slice(0, 20), ids[0] ?? ''])).body.data.changed).toHaveLength(20)
  expect((await bulk(ids, 'assign')).status).toBe(200)
  await rows(db, sql`update sessions set step_up_until = now() + interval '1 minute'`)
  expect((await bulk(ids)).body.data.changed).toHaveLength(21)
})

test('the detail names who is writing an answer, for thirty seconds', async ({ db, api }) => {
  const editor = await staff(api, 'editor')
  const path = `/api/contacts/${await submit(api)}`
  expect((await editor.put(`${path}/writing`)).status).toBe(200)
  expect((await editor.get(path)).body.data.writing).toEqual(['editor'])
  await rows(db, sql`update record_writers set at = now() - interval '31 seconds'`)
  expect((await editor.get(path)).body.data.writing).toEqual([])
})

test('an account that was just deleted is writing nothing', async ({ db, api }) => {
  const superuser = await staff(api, 'superuser')
  const editor = await staff(api, 'editor')
  const id = await submit(api)
  await superuser.delete(`/api/users/${editor.id}`)
  expect(await sayWriting(db, contacts, id, editor)).toBe(false)
})

test('templates are kept, changed and deleted by those who answer', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const reviewer = await staff(api, 'reviewer')
  const body = { name: 'Thanks', text: 'Hello {name},', kind: 'contacts' }
  const added = await editor.post('/api/templates', body)
  expect(added).toMatchObject({ status: 201, body: { data: { ...body, version: 1 } } })
  const path = `/api/templates/${added.body.data._id}`
  const changed = await editor.put(path, { name: 'Merci', kind: null })
  expect(changed.body.data).toEqual({ ...added.body.data, name: 'Merci', kind: null, version: 2 })
  await editor.post('/api/templates', { name: 'a first one', text: 'x' })
  const { data } = (await editor.get('/api/templates')).body
  expect(data.map(({ name }: Json) => name)).toEqual(['a first one', 'Merci'])
  expect((await reviewer.get('/api/templates')).status).toBe(403)
  expect((await editor.post('/api/templates', { ...body, kind: 'users' })).status).toBe(400)
  expect((await editor.delete(path)).status).toBe(200)
  expect((await editor.delete(path)).status).toBe(404)
})

testOnAll('a template that has changed meanwhile is not overwritten', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const added = await editor.post('/api/templates', { name: 'Thanks', text: 'Hello', kind: null })
  const path = `/api/templates/${added.body.data._id}`
  const mine = await editor.put(path, { text: 'Mine', version: 1 })
  expect(mine.body.data).toMatchObject({ text: 'Mine', version: 2 })
  const stale = await editor.put(path, { text: 'Theirs', version: 1 })
  expect((await editor.put(path, { text: 'Theirs', version: 2 ** 31 })).status).toBe(409)
  expect(stale.status).toBe(409)
  expect(stale.body).toMatchObject({ code: 'conflict', data: mine.body.data })
  expect((await editor.put(path, { text: 'Theirs' })).body.data.version).toBe(3)
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((text) => editor.put(path, { text, version: 3 })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const unknown = '/api/templates/018f0000-0000-7000-8000-000000000000'
  expect((await editor.put(unknown, { text: 'x', version: 1 })).status).toBe(404)
  expect((await editor.put(unknown, { text: 4 })).status).toBe(404)
  expect((await editor.put(path, { text: 'x', version: 'one' })).status).toBe(400)
})

test('a template that is stored as it is raises no version and logs nothing', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const body = { name: 'Thanks', text: 'Hello', kind: null }
  const added = await editor.post('/api/templates', body)
  const path = `/api/templates/${added.body.data._id}`
  for (const same of [{}, body, { text: 'Hello', version: 1 }])
    expect(await editor.put(path, same)).toMatchObject({
      status: 200,
      body: { data: { version: 1 } },
    })
  expect((await editor.put(path, { ...body, version: 2 })).status).toBe(409)
  expect((await editor.put(path, { kind: 'contacts' })).body.data.version).toBe(2)
  const superuser = await staff(api, 'superuser')
  expect((await superuser.get('/api/audit?kind=template.update')).body.data).toHaveLength(1)
})

test('a text of 10,000 characters is stored however it is escaped', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'editor')
  const path = `/api/contacts/${await submit(api, 'contacts')}/messages`
  const { status } = await api.request(path, {
    token,
    headers: { 'Content-Type': 'application/json' },
    body: `{"text":"${'\\ud83d\\ude00'.repeat(10_000)}"}`,
  })
  expect(status).toBe(201)
})
