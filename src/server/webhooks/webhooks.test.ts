import { expect } from 'vitest'
import { webhookEvents } from '#contract/programs/endpoints.ts'
import { signInAs } from '#server/auth/testing.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { testOnAll, testOnPostgres } from '#server/db/testing.ts'
import { isPublicIp } from '#server/http/outside.ts'
import { type Answer, type Json, type Staff, staff, submit } from '#server/inbox/testing.ts'
import { createOutbox, drain } from '#server/mail-out/outbox.ts'
import { leaveNow, submitAndOpen } from '#server/status-page/testing.ts'
import { test, testApi, testConfig } from '#server/testing.ts'
import { host, inDays } from '#server/times/testing.ts'
import { createWorker } from '#server/worker.ts'
import { entries, entry, judging } from '#site/content.ts'
import { isSigned, type Received, startReceiver } from '#tests/webhook-receiver.ts'
import { webhookLane } from './worker.ts'

const configFor = (host: string) => ({ config: { ...testConfig, privateHosts: [host] } })

/** An API whose webhooks may reach a receiver, its superuser, and a round of the worker. */
const setUp = async (db: Database, receiver: { host: string }) => {
  const api = testApi(db, configFor(receiver.host))
  const boss = await staff(api)
  const lane = webhookLane(api.deps)
  // A batch waits for a second at most; a busy machine needs longer.
  const send = async () => {
    await lane.sendBatch()
    await lane.settled?.()
  }
  return { api, boss, send }
}

const add = async (boss: Staff, url: string, changes: object = {}): Promise<Json> => {
  const made = await boss.post('/api/endpoints', { url, events: [...webhookEvents], ...changes })
  expect(made.status).toBe(201)
  return made.body.data
}

const parsed = ({ body }: Received): Json => JSON.parse(body)

const typesOf = (received: readonly Received[]): string[] => received.map((one) => parsed(one).type)

/** What the clock would do. */
const passTime = (db: Database, interval: string) =>
  rows(
    db,
    sql`update webhook_deliveries set next_at = next_at - ${interval}::interval, leased_until = null`,
  )

const deliveriesOf = async (boss: Staff, id: string): Promise<Json[]> =>
  (await boss.get(`/api/endpoints/${id}/deliveries`)).body.data

test('an endpoint is added, shown without its secrets, changed and removed', async ({ api }) => {
  const boss = await staff(api)
  const { secret, ...made } = await add(boss, 'https://hooks.example.com/in', {
    events: ['test', 'submission.created', 'test'],
    authorization: 'Bearer receiver-password',
  })
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  expect(made).toMatchObject({
    url: 'https://hooks.example.com/in',
    events: ['submission.created', 'test'],
    authorization: true,
    details: false,
    enabled: true,
    disabled: null,
  })
  const path = `/api/endpoints/${made._id}`
  expect((await boss.get('/api/endpoints')).body.data).toEqual([made])
  const [stored] = await rows<{ all: string }>(
    api.deps.db,
    sql`select n::text as all from webhook_endpoints n`,
  )
  for (const hidden of [secret.slice(6), 'receiver-password'])
    expect(stored?.all).not.toContain(hidden)

  const changed = await boss.put(path, { events: ['test'], enabled: false })
  expect(changed.body.data).toEqual({ ...made, events: ['test'], enabled: false })
  expect((await boss.put(path, { authorization: null })).body.data.authorization).toBeNull()
  expect((await boss.put(path, {})).status).toBe(200)
  expect((await boss.delete(path)).status).toBe(200)
  expect((await boss.delete(path)).status).toBe(404)
  expect((await boss.put(path, { url: 5 })).status).toBe(404)
  const log = (await boss.get('/api/audit')).body.data.map(({ kind }: Json) => kind)
  expect(log).toContain('endpoint.create')
  expect(JSON.stringify((await boss.get('/api/audit')).body)).not.toContain('hooks.example')
})

testOnAll('there are ten endpoints, however many are added at once', async ({ db }) => {
  const boss = await staff(testApi(db))
  const body = { url: 'https://hooks.example.com/', events: ['test'] }
  const answers = await Promise.all(
    Array.from({ length: 13 }, () => boss.post('/api/endpoints', body)),
  )
  expect(answers.map(({ status }: Answer) => status).toSorted()).toEqual([
    ...Array(10).fill(201),
    ...Array(3).fill(409),
  ])
})

test('WEBHOOK_URL is listed and cannot be changed', async ({ db }) => {
  const webhook = { url: 'https://chat.example.com/services/x', secret: undefined }
  const api = testApi(db, { config: { ...testConfig, webhook } })
  const boss = await staff(api)
  const { data } = (await boss.get('/api/endpoints')).body
  expect(data).toMatchObject([{ _id: 'environment', url: webhook.url, enabled: true }])
  expect((await boss.put('/api/endpoints/environment', { enabled: false })).status).toBe(404)
  expect((await boss.delete('/api/endpoints/environment')).status).toBe(404)
})

test('a private address is refused in every spelling', async ({ api }) => {
  const boss = await staff(api)
  const status = async (url: string) =>
    (await boss.post('/api/endpoints', { url, events: ['test'] })).status
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '①②⑦.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.0.0.8',
    '192.168.0.1:8443',
    '198.19.0.1',
    '203.0.113.7',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[2001:3::1]',
    '[2001:4:112::1]',
    '[2001:db8::1]',
    '[fc00::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[5f00::1]',
  ])
    expect([host, await status(`https://${host}/`)]).toEqual([host, 400])
  for (const url of ['http://hooks.example.com/', 'https://a:b@hooks.example.com/', 'ftp://x.y/'])
    expect([url, await status(url)]).toEqual([url, 400])
  for (const host of ['8.8.8.8', '[2606:4700::1111]', 'localhost'])
    expect([host, await status(`https://${host}/`)]).toEqual([host, 201])
})

test('no address is public that is none', () => {
  for (const text of ['', 'localhost', '1.2.3', '::ffff:1.2.3.4', 'fe80::1%eth0'])
    expect([text, isPublicIp(text)]).toEqual([text, false])
  expect(isPublicIp('1.1.1.1')).toBe(true)
})

test('a name that resolves to a private address is not called, and a redirect not followed', async ({
  db,
}) => {
  const receiver = await startReceiver(() => ({
    status: 302,
    headers: { Location: 'https://localhost/' },
  }))
  const { api, boss, send } = await setUp(db, { host: 'elsewhere.test' })
  const { _id } = await add(boss, receiver.url)
  await boss.post(`/api/endpoints/${_id}/test`)
  await send()
  expect(receiver.received).toEqual([])
  const [refused] = await deliveriesOf(boss, _id)
  expect(refused.attempts).toMatchObject([{ status: null, problem: 'private address' }])

  const named = testApi(db, configFor(receiver.host))
  await passTime(db, '1 minute')
  await webhookLane(named.deps).sendBatch()
  const [redirected] = await deliveriesOf(boss, _id)
  expect(redirected.attempts.at(-1)).toMatchObject({ status: 302, problem: 'status 302' })
  expect(redirected.state).toBe('waiting')
  expect(receiver.received).toHaveLength(1)
  expect(api.logged.every((entry) => !JSON.stringify(entry).includes('localhost'))).toBe(true)
})

test('the mail about a talk is no message of staff', async ({ db }) => {
  const receiver = await startReceiver()
  const { api, boss, send } = await setUp(db, receiver)
  await add(boss, receiver.url, { events: ['message.sent', 'appointment.booked'] })
  const eli = await host(api)
  const sender = await submitAndOpen(api)
  await eli.post(`/api/consultations/${sender.id}/times`, { slots: [inDays(3)] })
  await leaveNow(api)
  await send()
  expect((await sender.post('/times', { start: inDays(3) })).status).toBe(201)
  await leaveNow(api)
  await send()
  expect(typesOf(receiver.received)).toEqual(['message.sent', 'appointment.booked'])
})

test('the events of a talk hold its times, those of an offer its id', async ({ db }) => {
  const receiver = await startReceiver()
  const { api, boss, send } = await setUp(db, receiver)
  await add(boss, receiver.url)
  const eli = await host(api)
  const sender = await submitAndOpen(api)
  const path = `/api/consultations/${sender.id}`
  const [first, second] = [inDays(3), inDays(4)]
  await eli.post(`${path}/times`, { slots: [first] })
  await leaveNow(api)
  await sender.post('/times', { start: first })
  await eli.put(`${path}/appointment`, { start: second })
  await eli.put(`${path}/appointment`, { state: 'cancelled' })
  const offer = await eli.post(`${path}/offers`, {
    title: 'A website',
    text: 'As talked about.',
    lines: [{ label: 'Website', amount: 90_000, per: 'once' }],
    currency: 'EUR',
    validUntil: inDays(10).slice(0, 10),
    terms: '',
  })
  const id = offer.body.data._id
  await eli.post(`/api/offers/${id}/send`, {})
  await leaveNow(api)
  const { hash } = (await sender.get(`/offers/${id}`)).body.data
  await sender.post(`/offers/${id}`, { answer: 'decline', hash })
  for (let n = 0; n < 3; n += 1) await send()
  const told = receiver.received.map(parsed)
  const dataOf = (type: string) => told.find((one: Json) => one.type === type)?.data
  expect(dataOf('appointment.booked')).toMatchObject({ from: null, to: first })
  expect(dataOf('appointment.moved')).toMatchObject({ from: first, to: second })
  expect(dataOf('appointment.cancelled')).toMatchObject({ from: second, to: null })
  expect(dataOf('offer.declined')).toMatchObject({ offer: id })
  expect(dataOf('submission.created')).not.toHaveProperty('to')
})

test('what happens to a record is announced by its events, signed, without what people wrote', async ({
  db,
}) => {
  const receiver = await startReceiver()
  const { api, boss, send } = await setUp(db, receiver)
  const { secret } = await add(boss, receiver.url, { authorization: 'Bearer receiver-password' })
  const id = await submit(api, 'contacts', { name: 'Grace Hopper', email: 'grace@people.test' })
  const path = `/api/contacts/${id}`
  await send()
  await boss.put(path, { status: 'handled' })
  await boss.post(`${path}/notes`, { text: 'A note' })
  await boss.post(`${path}/messages`, { text: 'Hello {name}.' })
  await send()
  expect(typesOf(receiver.received)).toEqual(['submission.created', 'submission.changed'])
  await rows(db, sql`update mail set status = 'sent', sent_at = now() where kind = 'message'`)
  await send()
  await send()
  expect(typesOf(receiver.received).slice(2)).toEqual(['message.sent'])

  for (const one of receiver.received) {
    expect(isSigned(secret, one.headers, one.body)).toBe(true)
    expect(isSigned(secret, one.headers, one.body.replace('contacts', 'contact'))).toBe(false)
    expect(one.headers.authorization).toBe('Bearer receiver-password')
    expect(one.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'node' })
    expect(parsed(one).timestamp).toMatch(/^\d{4}-.*Z$/)
    expect(parsed(one).data).toMatchObject({
      kind: 'contacts',
      _id: id,
      adminUrl: `https://fledge.test/admin/contacts?id=${id}`,
    })
    expect(one.body).not.toMatch(/Grace|grace@|Hello/)
  }
  expect(parsed(receiver.received[1] as Received).data.status).toBe('handled')
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(3)
})

test('with details texts and addresses go too, within 20 KB, and never who applied where that is judged blind', async ({
  db,
}) => {
  const receiver = await startReceiver()
  const { api, boss, send } = await setUp(db, receiver)
  await add(boss, receiver.url, { details: true })
  await submit(api, 'contacts', { name: 'Grace Hopper', message: '漢'.repeat(5_000) })
  await submit(api, 'contacts', { message: 'About a compiler' })
  const positions = entries('hiring')
    .map(({ id }) => id)
    .filter((id) => id === 'other' || entry('openings', id)?.data.open)
  const applied = (position: string) =>
    submit(api, 'applications', { name: 'Ada Lovelace', position, coverLetter: '𝔞'.repeat(10_000) })
  const blind = positions.find((id) => judging(id).blind)
  const open = positions.find((id) => !judging(id).blind)
  for (const position of [blind, open]) if (position !== undefined) await applied(position)
  await send()
  const bodies = receiver.received.map(({ body }) => body)
  for (const body of bodies) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20_480)
  expect(bodies.join()).toContain('About a compiler')
  expect(bodies.join()).toContain('Grace Hopper')
  const applications = bodies.filter((body) => body.includes('"applications"'))
  expect(applications).not.toEqual([])
  for (const body of applications) {
    expect(body).toContain('𝔞')
    if (blind !== undefined && body.includes(`"position":"${blind}"`))
      expect(body).not.toMatch(/Ada|@/)
    else expect(body).toContain('"name":"Ada Lovelace"')
  }
})

test('for a day after a new secret both sign', async ({ db }) => {
  const receiver = await startReceiver()
  const { boss, send } = await setUp(db, receiver)
  const { _id, secret: old } = await add(boss, receiver.url)
  const renewed = await boss.post(`/api/endpoints/${_id}/secret`)
  expect(renewed.status).toBe(201)
  const { secret } = renewed.body.data
  const signers = async () => {
    await boss.post(`/api/endpoints/${_id}/test`)
    await send()
    const { headers, body } = receiver.received.at(-1) as Received
    return [secret, old].map((one) => isSigned(one, headers, body))
  }
  expect(await signers()).toEqual([true, true])
  await rows(db, sql`update webhook_endpoints set old_secret_until = now() - interval '1 second'`)
  expect(await signers()).toEqual([true, false])
})

test('what waits for a webhook is not sent once staff call it spam', async ({ db }) => {
  let status = 500
  const receiver = await startReceiver(() => status)
  const { api, boss, send } = await setUp(db, receiver)
  await add(boss, receiver.url, { events: ['submission.created'] })
  const id = await submit(api)
  await send()
  await boss.put(`/api/contacts/${id}`, { box: 'spam' })
  status = 204
  await passTime(db, '1 minute')
  await send()
  await send()
  expect(receiver.received).toHaveLength(1)
  await boss.put(`/api/contacts/${id}`, { box: 'inbox' })
  await send()
  expect(receiver.received).toHaveLength(2)
})

test('spam is announced when staff release it, and once', async ({ db }) => {
  const receiver = await startReceiver()
  const { api, boss, send } = await setUp(db, receiver)
  await add(boss, receiver.url)
  const id = await submit(api, 'contacts', { website: 'https://spam.example' })
  await boss.put(`/api/contacts/${id}`, { assignee: 'superuser' })
  await send()
  expect(receiver.received).toEqual([])
  await boss.put(`/api/contacts/${id}`, { box: 'inbox' })
  await send()
  await webhookLane(api.deps).sendBatch()
  expect(typesOf(receiver.received).filter((type) => type === 'submission.created')).toHaveLength(1)
})

test('an event that is chosen later is heard of from then on, and what was wanted before is not lost', async ({
  db,
}) => {
  const receiver = await startReceiver()
  const { api, boss } = await setUp(db, receiver)
  const path = `/api/endpoints/${(await add(boss, receiver.url, { events: ['submission.created'] }))._id}`
  const id = await submit(api)
  await boss.put(`/api/contacts/${id}`, { status: 'handled' })
  await boss.put(path, { events: ['submission.created', 'submission.changed'] })
  // A process that has just begun looks back for days.
  await webhookLane(api.deps).sendBatch()
  expect(typesOf(receiver.received)).toEqual(['submission.created'])
  await boss.put(`/api/contacts/${id}`, { status: 'new' })
  await webhookLane(api.deps).sendBatch()
  expect(typesOf(receiver.received)).toEqual(['submission.created', 'submission.changed'])
  expect(parsed(receiver.received[1] as Received).data.status).toBe('new')
})

test('a failed delivery is tried eight times by the schedule, then again by hand under its id', async ({
  db,
}) => {
  let status = 500
  const receiver = await startReceiver(() => status)
  const { boss, send } = await setUp(db, receiver)
  const { _id } = await add(boss, receiver.url)
  await boss.post(`/api/endpoints/${_id}/test`)
  const waits: number[] = []
  for (let n = 0; n < 8; n += 1) {
    await send()
    await send()
    const [{ nextAt }] = await deliveriesOf(boss, _id)
    if (nextAt) waits.push(Math.round((Date.parse(nextAt) - Date.now()) / 1_000))
    await rows(db, sql`update webhook_deliveries set next_at = now() - interval '1 second'`)
  }
  for (const [n, seconds] of [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000].entries())
    expect(Math.abs((waits[n] ?? 0) - seconds)).toBeLessThan(5)
  const [failed] = await deliveriesOf(boss, _id)
  expect(failed).toMatchObject({ event: 'test', state: 'failed', nextAt: null })
  expect(failed.attempts).toHaveLength(8)
  expect(failed.attempts[0]).toMatchObject({ status: 500, problem: 'status 500' })
  await send()
  expect(receiver.received).toHaveLength(8)

  status = 204
  expect((await boss.post(`/api/deliveries/${failed._id}/retry`)).body.data.state).toBe('waiting')
  await send()
  expect((await deliveriesOf(boss, _id))[0]).toMatchObject({ _id: failed._id, state: 'delivered' })
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([failed._id]),
  )
  expect((await boss.get('/api/endpoints')).body.data[0].problem).toBeNull()
})

test('an endpoint that is gone, or fails for five days, is switched off and superusers are told', async ({
  db,
}) => {
  for (const [answer, age, reason] of [
    [410, '0 days', 'gone'],
    [500, '5 days', 'failing'],
  ] as const) {
    const receiver = await startReceiver(() => answer)
    const api = testApi(db, configFor(receiver.host))
    const boss = await signInAs(api.deps, 'superuser', reason)
    const call = async (path: string, body?: object) =>
      (await (
        await api.request(path, { token: boss.token, ...(body ? { body } : {}) })
      ).json()) as Json
    const body = { url: receiver.url, events: ['submission.created'] }
    const { _id } = (await call('/api/endpoints', body)).data
    await submit(api)
    await submit(api)
    await rows(
      db,
      sql`update webhook_endpoints set failing_since = now() - ${age}::interval where ${age} <> '0 days' and id = ${_id}::uuid`,
    )
    const lane = webhookLane(api.deps)
    await lane.sendBatch()
    const { data } = await call('/api/endpoints')
    expect(data.find((one: Json) => one._id === _id)).toMatchObject({
      enabled: false,
      disabled: { reason, problem: `status ${answer}` },
    })
    const deliveries = (await call(`/api/endpoints/${_id}/deliveries`)).data
    expect(deliveries.map(({ state }: Json) => state)).toEqual(['failed', 'failed'])
    const mails = await rows<{ text: string }>(
      db,
      sql`select text from mail where kind = 'account' and recipient = ${boss.email}`,
    )
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain(`status ${answer}`)
    await submit(api)
    await lane.sendBatch()
    expect((await call(`/api/endpoints/${_id}/deliveries`)).data).toHaveLength(2)
    await api.request(`/api/endpoints/${_id}`, { method: 'DELETE', token: boss.token })
    await rows(db, sql`delete from users`)
    await rows(db, sql`delete from mail`)
  }
})

test('nothing but a test is sent again to an endpoint that is switched off', async ({ db }) => {
  const receiver = await startReceiver(() => 204)
  const { api, boss, send } = await setUp(db, receiver)
  const { _id } = await add(boss, receiver.url)
  await submit(api)
  await send()
  await boss.post(`/api/endpoints/${_id}/test`)
  await send()
  await boss.put(`/api/endpoints/${_id}`, { enabled: false })
  const before = await deliveriesOf(boss, _id)
  const [tested, created] = before
  const refused = await boss.post(`/api/deliveries/${created._id}/retry`)
  expect(refused.status).toBe(409)
  expect(refused.body).toMatchObject({
    code: 'conflict',
    message: 'This webhook is switched off. Switch it on first.',
  })
  expect(await deliveriesOf(boss, _id)).toEqual(before)
  expect((await boss.post(`/api/deliveries/${tested._id}/retry`)).status).toBe(200)
  await boss.put(`/api/endpoints/${_id}`, { enabled: true })
  expect((await boss.post(`/api/deliveries/${created._id}/retry`)).status).toBe(200)
  expect((await boss.post(`/api/deliveries/${_id}/retry`)).status).toBe(404)
  await send()
  expect(typesOf(receiver.received).toSorted()).toEqual([
    'submission.created',
    'submission.created',
    'test',
    'test',
  ])
})

testOnPostgres(
  'of an hour without a receiver no event is lost, and none has two ids',
  async ({ db }) => {
    let isAway = true
    const receiver = await startReceiver(() => (isAway ? 503 : 204))
    const api = testApi(db, configFor(receiver.host))
    const boss = await staff(api)
    await add(boss, receiver.url, { events: ['submission.created'] })
    const ids: string[] = []
    const workers = () =>
      Promise.all([1, 2, 3].map(() => drain(createWorker(api.deps), { batchMs: 0 })))
    for (const wait of ['0', '5 seconds', '5 minutes', '30 minutes']) {
      await passTime(db, wait)
      for (let n = 0; n < 3; n += 1) ids.push(await submit(api))
      await workers()
    }
    isAway = false
    receiver.received.length = 0
    await passTime(db, '2 hours')
    await workers()
    await workers()
    const told = receiver.received.map((one) => parsed(one).data._id)
    expect(told.toSorted()).toEqual(ids.toSorted())
    const [unsent] = await rows<{ n: number }>(
      db,
      sql`select count(*) as n from webhook_deliveries where state <> 'delivered'`,
    )
    expect(unsent?.n).toBe(0)
  },
)

test('a receiver that never answers holds back no mail', async ({ db }) => {
  const { promise: never, resolve: end } = Promise.withResolvers<number>()
  const receiver = await startReceiver(() => never)
  const { api, boss } = await setUp(db, receiver)
  await add(boss, receiver.url)
  await submit(api)
  const { promise: mailed, resolve: taken } = Promise.withResolvers<string>()
  const outbox = createOutbox(
    {
      ...createWorker(api.deps),
      send: async ({ to }) => {
        taken(to)
        return { outcome: 'sent', providerId: null }
      },
    },
    0,
  )
  void outbox.wake()
  expect(await mailed).toContain('@')
  end(204)
  await outbox.stop()
})

test('a receiver that never answers holds back no other receiver', async ({ db }) => {
  const { promise: never, resolve: end } = Promise.withResolvers<number>()
  const slow = await startReceiver(() => never)
  const quick = await startReceiver()
  const config = { ...testConfig, privateHosts: [slow.host, quick.host] }
  const api = testApi(db, { config })
  const boss = await staff(api)
  const { _id } = await add(boss, slow.url)
  await add(boss, quick.url)
  for (let n = 0; n < 12; n += 1) await submit(api)
  const lane = webhookLane(api.deps)
  // A batch waits for a second at most, in which a busy machine may not send them all.
  while (quick.received.length < 12) await lane.sendBatch()
  expect(typesOf(quick.received)).toEqual(Array(12).fill('submission.created'))
  expect(await deliveriesOf(boss, _id)).toMatchObject(
    Array.from({ length: 12 }, () => ({ state: 'waiting', attempts: [] })),
  )
  end(204)
  await lane.settled?.()
  expect((await deliveriesOf(boss, _id)).filter(({ state }) => state === 'delivered')).toHaveLength(
    10,
  )
})

test('what waits about a person goes with them', async ({ db }) => {
  const receiver = await startReceiver(() => 500)
  const { api, boss, send } = await setUp(db, receiver)
  const { _id } = await add(boss, receiver.url, { details: true })
  await submit(api, 'contacts', { email: 'grace@people.test' })
  await send()
  expect(await deliveriesOf(boss, _id)).toHaveLength(1)
  await boss.post('/api/privacy/erase', { email: 'grace@people.test' })
  expect(await deliveriesOf(boss, _id)).toEqual([])
  await passTime(db, '1 hour')
  await send()
  expect(receiver.received).toHaveLength(1)
})

test('without an endpoint a round costs one statement and plans nothing', async ({ api }) => {
  await submit(api)
  const lane = webhookLane(api.deps)
  expect(await lane.sendBatch()).toMatchObject({ count: 0, isMore: false })
  expect(await rows(api.deps.db, sql`select from webhook_deliveries`)).toEqual([])
  expect(await lane.secondsUntilDue()).toBeNull()
})
