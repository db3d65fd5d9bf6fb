import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { type Database, sql } from '#server/db/drizzle.ts'
import { limitKey } from '#server/db/rate-limit.ts'
import { DatabaseUnavailable, rows } from '#server/db/rows.ts'
import { testOnPostgres, withStatements } from '#server/db/testing.ts'
import { timeLeft, withTimeLimit } from '#server/db/time-limit.ts'
import type { Deps } from '#server/deps.ts'
import { type Json, staff } from '#server/inbox/testing.ts'
import { leaveNow, submitAndOpen } from '#server/status-page/testing.ts'
import { type TestApi, testApi, testConfig, test as usual } from '#server/testing.ts'
import { host, inDays } from '#server/times/testing.ts'
import { plain } from '#tests/mails/compose.ts'
import { mailOf, replyHeaders, strangerHeaders } from '#tests/mails/corpus/corpus.ts'
import { prepare } from '#tests/mails/send-corpus.ts'
import { send, siteOf } from './testing.ts'

const inboundSecret = 'known to the mail server alone'

const apiWith = (db: Database, mail: Partial<Deps['config']['mail']> = {}): TestApi =>
  testApi(db, {
    config: {
      ...testConfig,
      mail: { ...testConfig.mail, inboundSecret, replyDomain: 'reply.fledge.test', ...mail },
    },
  })

const test = usual
  .extend('api', ({ db }) => apiWith(db))
  .extend('superuser', ({ api }) => staff(api))

const accepted = async (response: Response): Promise<Json> => {
  const body = (await response.json()) as Json
  expect(body).toMatchObject({ success: true })
  return body.data
}

const stranger = (email: string, text: string): Buffer =>
  mailOf(strangerHeaders(email, 'fledge.test'), plain(text))

const recipientsOf = async (db: Database, kind: string, recordId: string): Promise<string[]> => {
  const found = await rows<{ recipient: string }>(
    db,
    sql`select recipient from mail where kind = ${kind} and record_id = ${recordId}::uuid`,
  )
  return found.map(({ recipient }) => recipient)
}

test('mail is taken with the secret, as a mail, up to its own limit', async ({ api, db }) => {
  const raw = stranger('max@strangers.test', 'A question')
  const post = (
    body: Uint8Array | string,
    { token = inboundSecret, type = 'message/rfc822' } = {},
  ) => api.request('/api/mail/inbound', { body, token, headers: { 'Content-Type': type } })
  const large = Buffer.alloc(5 * 1_048_576 + 1, 'x')

  expect((await api.request('/api/mail/inbound')).status).toBe(405)
  for (const token of ['', 'wrong', `${inboundSecret}x`])
    expect((await post(large, { token })).status).toBe(401)
  expect((await post(large)).status).toBe(413)
  expect((await post(raw, { type: 'application/json' })).status).toBe(415)
  for (const none of [
    '',
    '{"a": 1}',
    'Only a text.\n\nAnd another.',
    '\u0000\u0001',
    '<html></html>',
  ])
    expect((await post(none)).status, none).toBe(400)
  for (const from of [
    '',
    'From: nobody\n',
    'From: <>\n',
    'From: Max <max@localhost>\n',
    'From: @\n',
  ])
    expect((await post(`${from}To: hello@fledge.test\n\nText`)).status, from).toBe(400)
  expect((await post(raw, { type: 'Message/RFC822; charset=x' })).status).toBe(200)
  expect((await rows(db, sql`select from contacts`)).length).toBe(1)

  const { config } = testApi(db).deps
  const without = testApi(db, { config })
  expect((await send(without, raw)).status).toBe(404)
  expect((await send(without, large)).status).toBe(404)
})

testOnPostgres('a mail that is delivered many times at once is kept once', async ({ db }) => {
  const api = apiWith(db)
  const superuser = await staff(api)
  const { place, ids } = await prepare(siteOf(api, superuser))
  const question = stranger('max@strangers.test', 'A question')
  const reply = mailOf(replyHeaders(place.consultation), plain('A reply'))
  for (const raw of [question, reply]) {
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => accepted(await send(api, raw))),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  }
  expect(await rows(db, sql`select from contacts where email = 'max@strangers.test'`)).toHaveLength(
    1,
  )
  const { body } = await superuser.get(`/api/consultations/${ids.consultation}`)
  expect(body.data.activity.filter(({ kind }: Json) => kind === 'reply')).toHaveLength(1)
  // And one announcement each, beside those of the forms.
  expect(await rows(db, sql`select from mail where kind = 'staff'`)).toHaveLength(6)

  const replies = Array.from({ length: 15 }, (_, n) =>
    mailOf(replyHeaders(place.consultation), plain(`Reply number ${n}`)),
  )
  await Promise.all(replies.map(async (raw) => accepted(await send(api, raw))))
  const after = await superuser.get(`/api/consultations/${ids.consultation}`)
  expect(after.body.data.activity.filter(({ kind }: Json) => kind === 'reply')).toHaveLength(16)
  expect(after.body.data.version).toBe(body.data.version + 15)
})

/** A database that is gone before or after one of its statements. */
const failingAt = (db: Database, nth: number, when: 'before' | 'after'): Database =>
  withStatements(db, async (execute, count) => {
    if (count !== nth) return execute()
    if (when === 'after') await execute()
    throw new DatabaseUnavailable('gone')
  })

test('a mail that is delivered again after a crash at any step is kept once', async ({ db }) => {
  const api = apiWith(db)
  const superuser = await staff(api)
  const { place, ids } = await prepare(siteOf(api, superuser))
  const bounce = (n: number) =>
    Buffer.from(
      `From: daemon@people.test\nReturn-Path: <>\nMessage-ID: <b${n}@people.test>\nTo: ${place.contact.replyAddress}\nContent-Type: multipart/report; boundary=b\n\n--b\n\nReport ${n}\n--b\nContent-Type: message/delivery-status\n\nAction: failed\n--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: ${place.contact.messageId}\n--b--\n`,
    )
  let sent = 0
  let crashes = 0
  for (const nth of [1, 2, 3, 4, 5])
    for (const when of ['before', 'after'] as const) {
      sent += 1
      const raws = [
        stranger(`max${sent}@strangers.test`, `Question ${sent}`),
        mailOf(replyHeaders(place.contact), plain(`Reply ${sent}`)),
        bounce(sent),
      ]
      for (const raw of raws) {
        const crashing = testApi(failingAt(db, nth, when), { config: api.deps.config })
        const first = await send(crashing, raw)
        if (first.status === 503) crashes += 1
        await accepted(await send(api, raw))
      }
    }
  expect(crashes).toBeGreaterThan(10)
  expect(await rows(db, sql`select from contacts where email like 'max%'`)).toHaveLength(sent)
  const { body } = await superuser.get(`/api/contacts/${ids.contact}`)
  const texts = body.data.activity.flatMap(({ kind, text }: Json) =>
    kind === 'reply' || kind === 'auto' ? [text] : [],
  )
  expect(texts.toSorted()).toEqual(
    Array.from({ length: sent }, (_, n) => [`Reply ${n + 1}`, `Report ${n + 1}`])
      .flat()
      .toSorted(),
  )
  expect(
    await rows(db, sql`select from mail where kind = 'staff' and subject like '%: reply, %'`),
  ).toHaveLength(sent)
})

test('a mail that names others by ids with control characters is kept', async ({ api }) => {
  const superuser = await staff(api)
  const { place, ids } = await prepare(siteOf(api, superuser))
  const ours = place.consultation.messageId
  const raw = Buffer.from(
    `From: max@strangers.test\nMessage-ID: <n@strangers.test>\nIn-Reply-To: <a\u0000b@strangers.test>\nReferences: ${ours} <c\u0001@strangers.test>\n\nHello`,
  )
  expect(await accepted(await send(api, raw))).toMatchObject({ _id: ids.consultation, as: 'reply' })
})

// An expression whose time grows with the square of the spaces would take minutes.
test('a mail with a long run of spaces is taken at once', { timeout: 30_000 }, async ({ db }) => {
  const spaces = ' '.repeat(400_000)
  const text = Buffer.from('From: max@strangers.test\nMessage-ID: <s@strangers.test>\n\nHello')
  const raw = Buffer.concat([Buffer.from(`Return-Path: <${spaces}x>\n`), text])
  expect(await accepted(await send(apiWith(db), raw))).toMatchObject({ as: 'contact' })
})

test('a report of failure marks the mail that it names, any other report does not', async ({
  api,
}) => {
  const superuser = await staff(api)
  const { place, ids } = await prepare(siteOf(api, superuser))
  const report = (action: string, messageId: string) =>
    Buffer.from(
      `From: MAILER-DAEMON\nTo: no-reply@fledge.test\nContent-Type: multipart/report; boundary=b\n\n--b\n\n${action}\n--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; x@people.test\nAction: ${action}\n--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: ${messageId}\n--b--\n`,
    )
  const delivery = async () => {
    const { body } = await superuser.get(`/api/contacts/${ids.contact}`)
    return body.data.mail.find(({ kind }: Json) => kind === 'acknowledgement').delivery
  }
  const { messageId } = place.contact
  // A name alone is no sender, and only a report of failure is kept without one.
  expect((await send(api, report('delayed', messageId))).status).toBe(400)
  expect(await delivery()).toBeNull()
  expect(await accepted(await send(api, report('failed', messageId)))).toEqual({
    kind: 'contacts',
    _id: ids.contact,
    as: 'auto',
  })
  expect(await delivery()).toBe('bounced')
})

test('mail stays on a record in the trash or in spam, and starts a clock on others', async ({
  db,
}) => {
  const api = apiWith(db)
  const superuser = await staff(api)
  const { place, ids } = await prepare(siteOf(api, superuser))
  await superuser.put(`/api/consultations/${ids.consultation}`, { status: 'contacted' })
  await superuser.delete(`/api/applications/${ids.application}`)
  await superuser.put(`/api/contacts/${ids.contact}`, { box: 'spam' })
  for (const name of ['consultation', 'application', 'contact'] as const) {
    const raw = mailOf(replyHeaders(place[name]), plain('Still there?'))
    const placed = await accepted(await send(api, raw))
    expect(placed).toMatchObject({ _id: ids[name], as: 'reply' })
  }
  const boxes = await rows(
    db,
    sql`select recipient, record_kind, status from mail where subject like '%: reply, %' order by id`,
  )
  expect(boxes).toMatchObject([
    { record_kind: 'consultations', status: 'waiting' },
    { record_kind: 'applications', status: 'waiting' },
    { record_kind: 'contacts', status: 'held' },
  ])
  const { body } = await superuser.get(`/api/consultations/${ids.consultation}`)
  expect(body.data).toMatchObject({
    waitingFor: 'us',
    dueAt: expect.any(String),
    status: 'contacted',
  })
})

test('automatic mail without a record starts no clock, also once it is released', async ({
  db,
}) => {
  const api = apiWith(db)
  const superuser = await staff(api)
  const raw = mailOf(
    [...strangerHeaders('shop@strangers.test', 'fledge.test'), ['Precedence', 'bulk']],
    plain('News of the week'),
  )
  const { _id } = await accepted(await send(api, raw))
  const path = `/api/contacts/${_id}`
  expect((await superuser.get(path)).body.data).toMatchObject({ spam: ['auto'], dueAt: null })
  await superuser.put(path, { box: 'inbox' })
  expect((await superuser.get(path)).body.data).toMatchObject({ waitingFor: 'us', dueAt: null })
  expect((await superuser.get('/api/contacts?group=open')).body.data).toMatchObject([{ _id }])
})

test('mails of a subject alone are no repetitions of each other', async ({ db }) => {
  const api = apiWith(db)
  const superuser = await staff(api)
  for (const n of [1, 2, 3]) await accepted(await send(api, stranger(`n${n}@strangers.test`, '')))
  const { data } = (await superuser.get('/api/contacts')).body
  expect(data.map(({ message }: Json) => message)).toEqual(Array(3).fill('(no text)'))
})

test('a mail without words is a repetition where its sender has sent the same twice', async ({
  db,
}) => {
  const api = apiWith(db)
  const superuser = await staff(api)
  const spam = async (...sent: [email: string, text: string][]) => {
    for (const [email, text] of sent) await accepted(await send(api, stranger(email, text)))
    const found = (await superuser.get('/api/contacts?box=spam')).body.data
    return found.map((one: Json) => [one.message, one.spam])
  }
  const scanner: [string, string] = ['scanner@strangers.test', '']
  expect(await spam(scanner, scanner)).toEqual([])
  expect(await spam(scanner)).toEqual([['(no text)', ['repeat']]])
  // Words that look like it are words.
  const typed = '(no text) Buy now'
  expect(await spam(['a@strangers.test', typed], ['b@strangers.test', typed])).toHaveLength(1)
  expect(await spam(['c@strangers.test', typed])).toContainEqual([typed, ['repeat']])
})

test('a stranger’s mail is acknowledged within limits, and never one of our own', async ({
  db,
}) => {
  const api = apiWith(db, { from: 'Agency <no-reply@fledge.test>' })
  await staff(api)
  const acknowledged = async (email: string, text: string) => {
    const { _id } = await accepted(await send(api, stranger(email, text)))
    expect(await recipientsOf(db, 'staff', _id)).toEqual(['superuser@staff.test'])
    return recipientsOf(db, 'acknowledgement', _id)
  }
  for (const n of [1, 2, 3])
    expect(await acknowledged('max@strangers.test', `Question ${n}`)).toEqual([
      'max@strangers.test',
    ])
  expect(await acknowledged('max@strangers.test', 'Question 4')).toEqual([])
  expect(await acknowledged('No-Reply@fledge.test', 'From ourselves')).toEqual([])
  expect(await acknowledged('reply+x@reply.fledge.test', 'To ourselves')).toEqual([])
})

test('what came by mail goes with its record', async ({ api, db, superuser }) => {
  const { place } = await prepare(siteOf(api, superuser))
  await send(api, mailOf(replyHeaders(place.contact), plain('canary in a reply')))
  await send(api, stranger('bob@people.test', 'canary in a contact'))
  const exported = await superuser.post('/api/privacy/export', { email: 'bob@people.test' })
  expect(JSON.stringify(exported.body).split('canary in a')).toHaveLength(5)
  await superuser.post('/api/privacy/erase', { email: 'bob@people.test' })
  for (const table of ['events', 'mail', 'contacts', 'inbound_mail'])
    expect(
      await rows(db, sql`select from ${sql.identifier(table)} t where t::text like '%canary%'`),
      table,
    ).toEqual([])
  expect(await rows(db, sql`select from inbound_mail`)).toEqual([])
})

test('a mail on the record of another person goes with its sender', async ({ api, db }) => {
  const superuser = await staff(api)
  const { place, ids } = await prepare(siteOf(api, superuser))
  const reply = (from: string, text: string) =>
    send(
      api,
      mailOf(
        [
          ['From', from],
          ['To', place.contact.replyAddress],
        ],
        plain(text),
      ),
    )
  await reply('Max@Strangers.test', 'canary of Max')
  await reply('else@strangers.test', 'of somebody else')
  const { body } = await superuser.post('/api/privacy/export', { email: 'max@strangers.test' })
  expect(body.data.mailOnOtherRecords).toMatchObject([
    { text: 'canary of Max', record: { kind: 'contacts', _id: ids.contact } },
  ])
  const erased = await superuser.post('/api/privacy/erase', { email: 'max@strangers.test' })
  expect(erased.body.data).toMatchObject({ contacts: 0, replies: 1, mail: 1 })
  for (const table of ['events', 'mail'])
    expect(
      await rows(db, sql`select from ${sql.identifier(table)} t where t::text ~* 'canary|max@'`),
      table,
    ).toEqual([])
  const { data } = (await superuser.get(`/api/contacts/${ids.contact}`)).body
  expect(data.activity).toMatchObject([
    { kind: 'created' },
    { kind: 'reply', text: 'of somebody else' },
  ])
})

test('the twenty-first wrong secret within an hour from one IP is refused unread', async ({
  db,
}) => {
  const api = apiWith(db)
  const raw = stranger('max@strangers.test', 'A question')
  const post = (token: string, ip?: string) =>
    api.request('/api/mail/inbound', {
      body: raw,
      token,
      headers: { 'Content-Type': 'message/rfc822' },
      ...(ip === undefined ? {} : { ip }),
    })
  for (let n = 0; n < 20; n += 1) expect((await post(`wrong ${n}`)).status).toBe(401)
  const refused = await post('wrong again')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(3_000)
  expect((await post('wrong elsewhere', '203.0.113.9')).status).toBe(401)
  expect((await post(inboundSecret)).status).toBe(200)
  await rows(
    db,
    sql`update rate_limits set hits = array(select h - interval '1 hour' from unnest(hits) as h)`,
  )
  expect((await post('wrong later')).status).toBe(401)
})

const secret = `whsec_${Buffer.from('a secret that only the provider knows').toString('base64')}`

const event = (type: string, data: object) => {
  const body = JSON.stringify({ type, data })
  const at = new Date()
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'svix-id': 'msg_1',
      'svix-timestamp': String(Math.floor(at.getTime() / 1000)),
      'svix-signature': new Webhook(secret).sign('msg_1', at, body),
    },
  }
}

const withProvider = test.extend('provider', async ({}, { onCleanup }) => {
  const provider = {
    emails: new Map<string, object>(),
    /** By path. */
    files: new Map<string, string>(),
    url: '',
    hangs: false,
    paths: [] as string[],
  }
  const server: Server = createServer((request, response) => {
    provider.paths.push(request.url ?? '')
    if (provider.hangs) return
    const file = provider.files.get(request.url ?? '')
    if (file !== undefined) return void response.end(file)
    const id = /^\/emails\/receiving\/([\w-]+)/.exec(request.url ?? '')?.[1] ?? ''
    const email = provider.emails.get(id)
    response.writeHead(email ? 200 : 500, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(email ?? { statusCode: 500, name: 'x', message: 'y' }))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onCleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  return provider
})

withProvider('mail that Resend tells of is fetched and kept once', async ({ db, provider }) => {
  const api = apiWith(db, {
    resendWebhookSecret: secret,
    resendApiKey: 're_test',
    resendBaseUrl: provider.url,
  })
  const superuser = await staff(api)
  const { place, ids } = await prepare(siteOf(api, superuser))
  const tell = (id: string) =>
    api.request('/api/webhooks/resend', event('email.received', { email_id: id }))
  expect((await tell('later')).status).toBe(503)
  const { sender, replyAddress, messageId } = place.application
  const common = {
    object: 'email',
    created_at: '2026-11-20T10:12:00Z',
    cc: null,
    bcc: [],
    reply_to: [],
  }
  provider.emails.set('later', {
    ...common,
    from: `Ann <${sender}>`,
    to: [replyAddress],
    received_for: [replyAddress],
    subject: 'Re: Grüße',
    message_id: '<resend-1@people.test>',
    html: '<p>In HTML <b>alone</b></p>',
    text: null,
    headers: { 'content-type': 'multipart/mixed; boundary=x', 'in-reply-to': messageId },
    attachments: [{ id: '1', filename: 'cv.pdf', size: 12_345, content_type: 'application/pdf' }],
  })
  provider.emails.set('auto', {
    ...common,
    from: 'list@strangers.test',
    to: ['hello@fledge.test'],
    subject: 'News',
    message_id: '<resend-2@strangers.test>',
    html: null,
    text: 'News of the week',
    headers: { 'List-Id': '<news.strangers.test>' },
  })
  for (const id of ['later', 'later', 'auto']) expect((await tell(id)).status).toBe(200)
  const { body } = await superuser.get(`/api/applications/${ids.application}`)
  expect(body.data.activity.filter(({ kind }: Json) => kind === 'reply')).toMatchObject([
    {
      text: 'In HTML alone\n\n[Attachment, not kept: cv.pdf, 12 kB]',
      subject: 'Re: Grüße',
      from: null,
    },
  ])
  const spam = await superuser.get('/api/contacts?box=spam')
  expect(spam.body.data).toMatchObject([{ message: 'News of the week', spam: ['auto'] }])
})

withProvider('a calendar’s answer that Resend tells of is read', async ({ db, provider }) => {
  const api = apiWith(db, {
    resendWebhookSecret: secret,
    resendApiKey: 're_test',
    resendBaseUrl: provider.url,
  })
  const eli = await host(api)
  const sender = await submitAndOpen(api)
  const path = `/api/consultations/${sender.id}`
  await eli.post(`${path}/times`, { slots: [inDays(3)] })
  await leaveNow(api)
  await sender.post('/times', { start: inDays(3) })
  const { email, appointment } = (await eli.get(path)).body.data
  const calendar = ['METHOD:REPLY', `UID:${appointment._id}@record`, 'SEQUENCE:0']
  calendar.push(`ATTENDEE;PARTSTAT=ACCEPTED:mailto:${email}`)
  const tell = async (id: string, attachment: object) => {
    provider.emails.set(id, {
      object: 'email',
      created_at: '2026-11-20T10:12:00Z',
      from: email,
      to: ['hello@fledge.test'],
      cc: null,
      subject: 'Accepted: Talk',
      message_id: `<${id}@people.test>`,
      html: null,
      text: 'Accepted.',
      headers: {},
      attachments: [{ filename: 'invite.ics', size: 300, ...attachment }],
    })
    const told = event('email.received', { email_id: id })
    expect((await api.request('/api/webhooks/resend', told)).status).toBe(200)
    return (await eli.get(path)).body.data.appointment.answer
  }
  // A file that cannot be fetched costs the answer, not the mail.
  provider.files.set('/emails/receiving/lost/attachments/1', JSON.stringify({ id: '1' }))
  expect(await tell('lost', { id: '1', content_type: 'text/calendar' })).toBeNull()
  const place = { id: '2', object: 'attachment', download_url: `${provider.url}/invite.ics` }
  provider.files.set('/emails/receiving/answer/attachments/2', JSON.stringify(place))
  provider.files.set('/invite.ics', calendar.join('\r\n'))
  expect(await tell('answer', { id: '2', content_type: 'text/calendar' })).toBe('accepted')
  const { activity } = (await eli.get(path)).body.data
  expect(activity.at(-1).text.match(/Attachment, not kept/g)).toHaveLength(1)
})

withProvider('a provider that does not answer leaves time to say so', async ({ db, provider }) => {
  const api = apiWith(db, {
    resendWebhookSecret: secret,
    resendApiKey: 're_test',
    resendBaseUrl: provider.url,
  })
  provider.hangs = true
  await withTimeLimit(3_000, async () => {
    const answer = await api.request(
      '/api/webhooks/resend',
      event('email.received', { email_id: 'x' }),
    )
    expect(answer.status).toBe(503)
    expect(timeLeft()).toBeGreaterThan(0)
  })
})

withProvider('an answer to the Message-ID of the provider finds its record', async ({ db }) => {
  const api = apiWith(db, { resendWebhookSecret: secret })
  const superuser = await staff(api)
  const { ids } = await prepare(siteOf(api, superuser))
  const [sent] = await rows<{ id: string }>(
    db,
    sql`select id from mail where kind = 'acknowledgement' and record_id = ${ids.contact}::uuid`,
  )
  const data = { email_id: `provider-${sent?.id}`, message_id: '<0100-0000@eu.provider.test>' }
  expect((await api.request('/api/webhooks/resend', event('email.sent', data))).status).toBe(200)
  const raw = mailOf(
    [
      ['From', 'bob@people.test'],
      ['To', 'no-reply@fledge.test'],
      ['In-Reply-To', '<0100-0000@eu.provider.test>'],
    ],
    plain('By your id'),
  )
  expect(await accepted(await send(api, raw))).toMatchObject({ _id: ids.contact, as: 'reply' })
})

const headersWith = (headers: string, raw: Buffer): Buffer =>
  Buffer.concat([Buffer.from(headers), raw])

test('what the named server does not confirm counts as mail from another address', async ({
  db,
}) => {
  const api = apiWith(db, { authServer: 'mx.fledge.test' })
  const superuser = await staff(api)
  const { place, ids } = await prepare(siteOf(api, superuser))
  const path = `/api/consultations/${ids.consultation}`
  const owed = (await superuser.get(path)).body.data
  const reply = (text: string, results?: string) =>
    send(
      api,
      headersWith(
        results ? `Authentication-Results: ${results}\n` : '',
        mailOf(replyHeaders(place.consultation), plain(text)),
      ),
    )
  const domain = owed.email.split('@')[1]
  await accepted(await reply('Forged', `mx.fledge.test; dmarc=fail header.from=${domain}`))
  await accepted(await reply('Forged too', `evil.test; dmarc=pass header.from=${domain}`))
  await accepted(await reply('Own', `mx.fledge.test; dmarc=pass header.from=${domain}`))
  const { activity } = (await superuser.get(path)).body.data
  const replies = activity.filter(({ kind }: Json) => kind === 'reply')
  expect(replies.map(({ text, from, verified }: Json) => [text, from, verified])).toEqual([
    ['Forged', owed.email, false],
    ['Forged too', owed.email, false],
    ['Own', null, true],
  ])

  const placed = await accepted(await send(api, stranger('max@strangers.test', 'A question')))
  expect(await recipientsOf(db, 'acknowledgement', placed._id)).toEqual([])
  expect(await recipientsOf(db, 'staff', placed._id)).toEqual(['superuser@staff.test'])
  const contact = (await superuser.get(`/api/contacts/${placed._id}`)).body.data
  expect(contact.activity[0]).toMatchObject({ kind: 'created', verified: false })
})

/** The number of hits that a limit for all counts now. */
const counted = async (db: Database, what: string): Promise<number> => {
  const [found] = await rows<{ n: number }>(
    db,
    sql`select cardinality(hits) as n from rate_limits where key = ${limitKey(testConfig.authSecret, what, 'all')}`,
  )
  return found?.n ?? 0
}

test('mail is kept whole thirty times a record and day; what is cut is announced once an hour', async ({
  db,
}) => {
  const api = apiWith(db)
  const superuser = await staff(api)
  const { place, ids } = await prepare(siteOf(api, superuser))
  await rows(db, sql`delete from mail where kind = 'staff'`)
  const text = 'ö'.repeat(600)
  const before = await counted(db, 'mail-in')
  for (let n = 0; n < 34; n += 1)
    await accepted(await send(api, mailOf(replyHeaders(place.consultation), plain(`${n} ${text}`))))
  const lengths = await rows<{ length: number; cut: boolean | null; verified: string }>(
    db,
    sql`select length(text) as length, (after->'cut')::boolean as cut, after->>'verified' as verified
      from events where kind = 'reply' and target_id = ${ids.consultation}::uuid order by id`,
  )
  expect(lengths.map(({ length, cut }) => [length > 500, cut])).toEqual([
    ...Array(30).fill([true, null]),
    ...Array(4).fill([false, true]),
  ])
  expect(await recipientsOf(db, 'staff', ids.consultation)).toHaveLength(31)
  const { activity } = (await superuser.get(`/api/consultations/${ids.consultation}`)).body.data
  expect(activity.at(-1)).toMatchObject({ kind: 'reply', cut: true, verified: null })
  // Mail that is cut takes nothing from others.
  expect((await counted(db, 'mail-in')) - before).toBe(30)
  // Another record has its own thirty, and all together five hundred.
  await rows(db, sql`update rate_limits set hits = array_fill(now(), array[500]) where max = 500`)
  const placed = await accepted(await send(api, stranger('max@strangers.test', text)))
  const contact = (await superuser.get(`/api/contacts/${placed._id}`)).body.data
  expect([...contact.message]).toHaveLength(500)
  expect(contact.activity[0]).toMatchObject({ kind: 'created', cut: true })
})

test('a flood of new contacts is set apart and announced once, as a number', async ({ db }) => {
  const api = apiWith(db)
  await staff(api)
  const boxes: string[] = []
  const write = async (email: string) => {
    const { _id } = await accepted(await send(api, stranger(email, `A question of ${email}`)))
    const [stored] = await rows<{ box: string; spam: string[] | null }>(
      db,
      sql`select box, to_json(spam) as spam from contacts where id = ${_id}::uuid`,
    )
    boxes.push(stored?.spam?.join() ?? stored?.box ?? '')
    return _id
  }
  for (let n = 0; n < 33; n += 1) await write(`guest-${n}@${n % 2 ? 'Many' : 'many'}.test`)
  expect(boxes).toEqual([...Array(30).fill('inbox'), ...Array(3).fill('flood')])
  expect(await counted(db, 'mail-in-contacts')).toBe(30)
  const other = await write('max@strangers.test')
  expect(boxes.at(-1)).toBe('inbox')
  expect(await recipientsOf(db, 'acknowledgement', other)).toHaveLength(1)
  const mails = await rows<{ kind: string; n: number }>(
    db,
    sql`select kind, count(*)::int as n from mail group by kind order by kind`,
  )
  expect(mails).toEqual([
    { kind: 'acknowledgement', n: 31 },
    { kind: 'staff', n: 32 },
  ])
  const [told] = await rows<{ text: string }>(
    db,
    sql`select text from mail where kind = 'staff' and record_id is null`,
  )
  expect(told?.text).toMatch(/^1 mail .* set apart within the last hour/)
  await rows(db, sql`update rate_limits set hits = array_fill(now(), array[200]) where max = 200`)
  await write('moritz@elsewhere.test')
  expect(boxes.at(-1)).toBe('flood')
})
