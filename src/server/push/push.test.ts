import { createECDH } from 'node:crypto'
import { importJWK, jwtVerify } from 'jose'
import { expect } from 'vitest'
import type { Role } from '#contract/http/access.ts'
import { tokenOf } from '#server/auth/testing.ts'
import { addReply } from '#server/conversation/store.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { testOnAll } from '#server/db/testing.ts'
import { type Staff, staff, submit } from '#server/inbox/testing.ts'
import { contacts } from '#server/kinds/contacts.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { reencrypt } from '#server/secrets/store/reencrypt.ts'
import { newVapidKeys } from '#server/secrets/vapid.ts'
import {
  type TestApi,
  testApi,
  testConfig,
  test as usual,
  withoutCareers,
  withPositions,
} from '#server/testing.ts'
import { withContent } from '#site/content.ts'
import { encryptPush } from './encrypt.ts'
import { endDevices } from './store/devices.ts'
import { newDevice, pushService, type TestDevice } from './testing.ts'
import { pushLane } from './worker.ts'

const PATH = '/api/me/push'
const push = newVapidKeys()
const config = { ...testConfig, push }
const test = usual.extend('api', ({ db }) => testApi(db, { config }))

/** A worker of its own, as another process would have it. */
const laneOf = (api: TestApi, service: ReturnType<typeof pushService>) => {
  const lane = pushLane(api.deps, service.fetch)
  if (!lane) throw new Error('There are no keys')
  return lane
}

/** A person of the staff with one device. */
const withDevice = async (
  api: TestApi,
  role: Role,
  username: string = role,
): Promise<Staff & { device: TestDevice }> => {
  const person = await staff(api, role, username)
  const device = newDevice()
  const { endpoint, keys } = device
  const subscription = { endpoint, expirationTime: null, keys }
  expect((await person.post(PATH, subscription)).status).toBe(201)
  return { ...person, device }
}

const passed = (db: Database) =>
  rows(
    db,
    sql`update pushes set next_attempt_at = now() - interval '1 second', leased_until = null`,
  )

test('a message reads as RFC 8291 has it in its example', () => {
  const sender = createECDH('prime256v1')
  sender.setPrivateKey('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url')
  const body = encryptPush(
    'When I grow up, I want to be a watermelon',
    {
      p256dh:
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    { sender, salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'), paddedBytes: 0 },
  )
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

testOnAll(
  'a submission reaches each device once, with kind and first name alone',
  async ({ db }) => {
    const api = testApi(db, { config })
    await submit(api, 'contacts', { name: 'Early Bird' })
    const editor = await withDevice(api, 'editor')
    const reviewer = await withDevice(api, 'reviewer')
    const id = await submit(api, 'consultations', { name: 'Ada King Lovelace' })
    await submit(api, 'contacts', { name: 'Robot', website: 'https://spam.example' })

    const service = pushService([editor.device, reviewer.device])
    const workers = Array.from({ length: 4 }, () => laneOf(api, service))
    await Promise.all(workers.map((worker) => worker.sendBatch()))
    await Promise.all(workers.map((worker) => worker.sendBatch()))
    expect(service.received).toHaveLength(2)
    for (const { endpoint, headers, payload } of service.received) {
      expect(payload).toEqual({
        reason: 'submission',
        kind: 'consultations',
        name: 'Ada',
        _id: id,
        tag: expect.any(String),
        canClaim: endpoint === editor.device.endpoint,
      })
      expect(headers.get('Content-Encoding')).toBe('aes128gcm')
      const [, token = '', key = ''] =
        /^vapid t=(.+), k=(.+)$/.exec(headers.get('Authorization') ?? '') ?? []
      const point = Buffer.from(key, 'base64url')
      const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
        part.toString('base64url'),
      )
      const { payload: claims } = await jwtVerify(
        token,
        await importJWK({ kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, 'ES256'),
        { audience: 'https://fcm.googleapis.com' },
      )
      expect(claims.sub).toBe('https://fledge.test')
      expect(key).toBe(push.publicKey)
    }
  },
)

test('a reply reaches the device of the assignee, and everybody where there is none', async ({
  api,
}) => {
  const [ada, grace] = [
    await withDevice(api, 'editor', 'ada'),
    await withDevice(api, 'editor', 'grace'),
  ]
  const service = pushService([ada.device, grace.device])
  const worker = laneOf(api, service)
  const id = await submit(api, 'contacts', { name: 'Zoë' })
  await worker.sendBatch()
  expect(service.take()).toHaveLength(2)

  await addReply(api.deps, contacts, id, { kind: 'auto', text: 'I am away.' })
  await addReply(api.deps, contacts, id, { kind: 'reply', text: 'One more thing.' })
  await worker.sendBatch()
  expect(service.take()).toMatchObject(
    [1, 2].map(() => ({ reason: 'reply', name: 'Zoë', canClaim: true })),
  )
  await grace.post(`/api/contacts/${id}/claim`)
  await addReply(api.deps, contacts, id, { kind: 'reply', text: 'And another.' })
  await worker.sendBatch()
  expect(service.received.map(({ endpoint }) => endpoint)).toEqual([grace.device.endpoint])
  expect(service.take()).toMatchObject([{ reason: 'reply', canClaim: false }])
})

test('a record of somebody who may not read it any more is announced as one that nobody has', async ({
  db,
}) => {
  const api = testApi(db, { config })
  const boss = await staff(api, 'superuser')
  const gone = await staff(api, 'editor', 'gone')
  const ada = await withDevice(api, 'editor', 'ada')
  const service = pushService([ada.device])
  const worker = laneOf(api, service)
  const id = await submit(api, 'consultations')
  await worker.sendBatch()
  service.take()
  await boss.put(`/api/consultations/${id}`, { assignee: 'gone' })
  await addReply(api.deps, kindByPath.consultations, id, { kind: 'reply', text: 'For Gone.' })
  await worker.sendBatch()
  expect(service.take()).toEqual([])

  await boss.put(`/api/users/${gone.id}`, { role: 'user' })
  await addReply(api.deps, kindByPath.consultations, id, { kind: 'reply', text: 'For anybody.' })
  await worker.sendBatch()
  // It has an assignee still, so that it cannot be claimed.
  expect(service.take()).toContainEqual(
    expect.objectContaining({ reason: 'reply', canClaim: false }),
  )

  await rows(db, sql`update push_subscriptions set active_since = now() - interval '1 day'`)
  await rows(db, sql`update consultations set due_at = now() + interval '11 hours'`)
  await worker.sendBatch()
  expect(service.take()).toMatchObject([{ reason: 'half', _id: id }])
})

test('at half of the promised time a second one tells of what nobody has', async ({ api, db }) => {
  const editor = await withDevice(api, 'editor')
  const service = pushService([editor.device])
  const worker = laneOf(api, service)
  // With nothing owed, nothing wakes a deployed database.
  expect(await worker.secondsUntilDue()).toBeNull()
  const [lonely, taken, answered, snoozed] = await Promise.all(
    [1, 2, 3, 4].map(() => submit(api, 'consultations')),
  )
  await worker.sendBatch()
  expect(service.take()).toHaveLength(4)
  expect(await worker.secondsUntilDue()).toBeGreaterThan(11.9 * 3_600)
  expect(await worker.secondsUntilDue()).toBeLessThan(12.1 * 3_600)

  await editor.post(`/api/consultations/${taken}/claim`)
  await editor.put(`/api/consultations/${answered}`, { status: 'contacted' })
  const later = new Date(Date.now() + 3_600_000).toISOString()
  await editor.put(`/api/consultations/${snoozed}`, { snoozedUntil: later })
  await rows(db, sql`update push_subscriptions set active_since = now() - interval '1 day'`)
  await rows(db, sql`update consultations set due_at = now() + interval '11 hours'`)
  await rows(db, sql`update events set at = now() - interval '2 days'`)
  for (let run = 0; run < 3; run += 1) await worker.sendBatch()
  expect(service.take()).toMatchObject([{ reason: 'half', _id: lonely, canClaim: true }])
  expect(await worker.secondsUntilDue()).toBeLessThan(3_601)
})

test('a day that was promised for the decision has no half', async ({ api, db }) => {
  const editor = await withDevice(api, 'editor')
  const service = pushService([editor.device])
  const worker = laneOf(api, service)
  await submit(api, 'applications')
  await worker.sendBatch()
  expect(service.take()).toHaveLength(1)
  await rows(db, sql`update push_subscriptions set active_since = now() - interval '2 days'`)
  await rows(db, sql`update events set at = now() - interval '2 days'`)
  // The end of today or tomorrow: more than half of 24 hours away.
  const end = sql`date_trunc('day', now() + interval '12 hours', 'UTC') + interval '1 day' - interval '1 millisecond'`
  await rows(db, sql`update applications set due_at = ${end}`)
  expect(await worker.secondsUntilDue()).toBeNull()
  await rows(db, sql`update applications set due_at = now() + interval '11 hours'`)
  await worker.sendBatch()
  expect(service.take()).toMatchObject([{ reason: 'half' }])
})

test('what is sent again after a crash shows once, and what was not planned is planned', async ({
  db,
}) => {
  const api = testApi(db, { config })
  const editor = await withDevice(api, 'editor')
  const service = pushService([editor.device])
  await submit(api)
  // The process has ended before it wrote down that this one was sent.
  await laneOf(api, service).sendBatch()
  await rows(db, sql`update pushes set done_at = null`)
  await laneOf(api, service).sendBatch()
  const [first, second] = service.received
  expect(second?.payload).toEqual(first?.payload)
  expect(second?.headers.get('Topic')).toMatch(/^[\w-]{32}$/)
  expect(second?.headers.get('Topic')).toBe(first?.headers.get('Topic'))
})

test('a device that is gone is forgotten, and a service that is away is asked again', async ({
  db,
}) => {
  const api = testApi(db, { config })
  const [ada, grace] = [
    await withDevice(api, 'editor', 'ada'),
    await withDevice(api, 'editor', 'grace'),
  ]
  const service = pushService([ada.device, grace.device])
  const worker = laneOf(api, service)
  service.answer = (endpoint) =>
    endpoint === ada.device.endpoint
      ? new Response(null, { status: 410 })
      : new Response(null, { status: 503, headers: { 'Retry-After': '90' } })
  await submit(api)
  await worker.sendBatch()
  expect(service.take()).toHaveLength(2)
  expect((await ada.get(PATH)).body.data).toEqual([])
  expect(await worker.secondsUntilDue()).toBeGreaterThan(31)
  await worker.sendBatch()
  expect(service.take()).toEqual([])
  service.answer = () => new Response(null, { status: 201 })
  for (let run = 0; run < 2; run += 1) {
    await passed(db)
    await worker.sendBatch()
  }
  expect(service.received.map(({ endpoint }) => endpoint)).toEqual([grace.device.endpoint])
})

test('nothing is sent for a record that is gone, spam or somebody else’s by then', async ({
  db,
}) => {
  const api = testApi(db, { config })
  const editor = await withDevice(api, 'editor')
  const admin = await staff(api, 'admin')
  const superuser = await staff(api, 'superuser')
  const service = pushService([editor.device])
  service.answer = () => new Response(null, { status: 503 })
  const worker = laneOf(api, service)
  const [trashed, spam, claimed] = await Promise.all([1, 2, 3].map(() => submit(api)))
  const erased = await submit(api, 'contacts', { email: 'erased@example.com' })
  await worker.sendBatch()
  expect(service.take()).toHaveLength(4)
  await admin.delete(`/api/contacts/${trashed}`)
  await admin.put(`/api/contacts/${spam}`, { box: 'spam' })
  await admin.post(`/api/contacts/${claimed}/claim`)
  await superuser.post('/api/privacy/erase', { email: 'erased@example.com' })
  expect(await rows(db, sql`select from contacts where id = ${erased}::uuid`)).toEqual([])
  await passed(db)
  await worker.sendBatch()
  expect(service.take()).toEqual([])
})

test('a new password, e-mail or role ends notifications until the owner renews them', async ({
  db,
}) => {
  const api = testApi(db, { config })
  const superuser = await staff(api, 'superuser')
  const editor = await withDevice(api, 'editor', 'ada')
  const { endpoint, keys } = editor.device
  const service = pushService([editor.device])
  const worker = laneOf(api, service)
  const notified = async () => {
    await submit(api)
    await worker.sendBatch()
    return service.take().length
  }
  expect(await notified()).toBe(1)
  const change = { email: 'lovelace@staff.test' }
  expect((await superuser.put(`/api/users/${editor.id}`, change)).status).toBe(200)
  expect(await notified()).toBe(0)

  const token = await tokenOf(api.deps, editor)
  const stranger = await staff(api, 'editor', 'stranger')
  expect((await stranger.post(PATH, { endpoint, keys, renew: true })).status).toBe(201)
  expect(await notified()).toBe(0)
  const renewal = { body: { endpoint, keys, renew: true }, token }
  expect((await api.request(PATH, renewal)).status).toBe(201)
  // What came meanwhile is no news.
  expect(await notified()).toBe(1)

  expect((await superuser.put(`/api/users/${editor.id}`, { role: 'user' })).status).toBe(200)
  expect(await notified()).toBe(0)
  expect((await superuser.delete(`/api/users/${editor.id}`)).status).toBe(200)
  expect(await rows(db, sql`select from push_subscriptions`)).toEqual([])
})

test('a device belongs to who asked last, and ends for its owner alone', async ({ api, db }) => {
  const ada = await withDevice(api, 'editor', 'ada')
  const grace = await staff(api, 'reviewer', 'grace')
  const { endpoint, keys } = ada.device
  expect((await grace.get(PATH)).body.data).toEqual([])
  expect((await ada.get(PATH)).body.data).toMatchObject([{ endpoint }])
  const stored = await rows<{ sealed: string }>(db, sql`select * from push_subscriptions`)
  expect(JSON.stringify(stored)).not.toContain(endpoint.slice(-12))

  await grace.post(PATH, { endpoint, keys })
  expect((await ada.get(PATH)).body.data).toEqual([])
  expect((await ada.post(`${PATH}/test`, { endpoint })).status).toBe(404)
  expect((await api.request(PATH, { method: 'DELETE', body: { endpoint } })).status).toBe(401)
  await ada.delete(PATH, { endpoint })
  expect((await grace.get(PATH)).body.data).toHaveLength(1)

  const service = pushService([ada.device])
  // A second one in the same ten seconds is the first. (Three cannot all be in different ones.)
  for (let n = 0; n < 3; n += 1)
    expect((await grace.post(`${PATH}/test`, { endpoint })).status).toBe(200)
  expect((await rows(db, sql`select from pushes where reason = 'test'`)).length).toBeLessThan(3)
  await rows(
    db,
    sql`delete from pushes where id <> (select id from pushes order by id desc limit 1)`,
  )
  await laneOf(api, service).sendBatch()
  expect(service.take()).toMatchObject([{ reason: 'test', kind: null, name: null, _id: null }])
  await grace.delete(PATH, { endpoint })
  expect((await grace.get(PATH)).body.data).toEqual([])
})

testOnAll('an account has ten devices at most, also when several come at once', async ({ db }) => {
  const api = testApi(db, { config })
  const ada = await staff(api, 'reviewer')
  for (let n = 0; n < 8; n += 1) expect((await ada.post(PATH, newDevice())).status).toBe(201)
  const added = await Promise.all(Array.from({ length: 8 }, () => ada.post(PATH, newDevice())))
  expect(added.map(({ status }) => status).sort()).toEqual([201, 201, ...Array(6).fill(409)])
  expect((await ada.get(PATH)).body.data).toHaveLength(10)
})

test('a subscription is one of a known push service', async ({ api }) => {
  const ada = await staff(api, 'reviewer')
  const { keys } = newDevice()
  for (const endpoint of [
    'https://updates.push.services.mozilla.com/wpush/v2/a',
    'https://wns2-par02p.notify.windows.com/w/?token=a',
    'https://web.push.apple.com/a',
  ])
    expect((await ada.post(PATH, { endpoint, keys })).status, endpoint).toBe(201)
  for (const endpoint of [
    'http://fcm.googleapis.com/fcm/send/a',
    'https://127.0.0.1/a',
    'https://[::1]/a',
    'https://10.0.0.1/fcm.googleapis.com',
    'https://fcm.googleapis.com:8443/a',
    'https://user@fcm.googleapis.com/a',
    'https://fcm.googleapis.com.example/a',
    'https://notify.windows.com/a',
    'https://evilpush.services.mozilla.com/a',
    'https://localhost/a',
    'file:///etc/passwd',
    '',
    null,
  ]) {
    const { status, body } = await ada.post(PATH, { endpoint, keys })
    expect(status, String(endpoint)).toBe(400)
    expect(Object.keys(body.fields)).toEqual(['endpoint'])
  }
  const { endpoint } = newDevice()
  for (const bad of [
    { ...keys, p256dh: keys.auth },
    { ...keys, auth: 'x' },
    { ...keys, p256dh: `B${'A'.repeat(86)}` },
    undefined,
  ])
    expect((await ada.post(PATH, { endpoint, keys: bad })).body.fields).toHaveProperty('keys')
})

test('without keys there are no notifications', async ({ db }) => {
  const api = testApi(db)
  const ada = await staff(api, 'editor')
  expect(pushLane(api.deps)).toBeUndefined()
  expect((await ada.get('/api/me/settings')).body.data.vapidPublicKey).toBeNull()
  for (const body of [newDevice(), {}]) {
    expect((await ada.post(PATH, body)).status).toBe(404)
    expect((await ada.post(`${PATH}/test`, body)).status).toBe(404)
  }
  expect((await ada.get(PATH)).status).toBe(404)
})

test('a restored database notifies no device before its owner uses it again', async ({ db }) => {
  const api = testApi(db, { config })
  const ada = await withDevice(api, 'editor')
  const { endpoint, keys } = ada.device
  const service = pushService([ada.device])
  await submit(api)
  await endDevices(db)
  await laneOf(api, service).sendBatch()
  await submit(api)
  await laneOf(api, service).sendBatch()
  expect(service.take()).toEqual([])
  expect((await ada.post(PATH, { endpoint, keys, renew: true })).status).toBe(201)
  await submit(api)
  await laneOf(api, service).sendBatch()
  expect(service.take()).toHaveLength(1)
})

test('a device keeps its notifications while AUTH_SECRET is replaced', async ({ api, db }) => {
  const ada = await withDevice(api, 'editor')
  const service = pushService([ada.device])
  const second = 'another secret that is long enough to sign with'
  await reencrypt(db, `${second},${config.authSecret}`)
  const later = testApi(db, { config: { ...config, authSecret: second } })
  await submit(later)
  await laneOf(later, service).sendBatch()
  expect(service.take()).toHaveLength(1)
})

test('an application for a position that is judged blind comes without a name', async ({ db }) => {
  const content = withPositions({ hidden: { blind: true } })
  const api = testApi(db, { config, content })
  const ada = await withDevice(api, 'reviewer')
  const service = pushService([ada.device])
  await submit(api, 'applications', { name: 'Grace Hopper', position: 'hidden' })
  await withContent(content, () => laneOf(api, service).sendBatch())
  expect(service.take()).toMatchObject([{ kind: 'applications', name: null }])
  await submit(api, 'applications', { name: 'Grace Hopper', position: 'other' })
  await withContent(content, () => laneOf(api, service).sendBatch())
  expect(service.take()).toMatchObject([{ kind: 'applications', name: 'Grace' }])
})

test('nobody is notified of what is switched off', async ({ db }) => {
  const api = testApi(db, { config })
  const { device } = await withDevice(api, 'editor')
  const service = pushService([device])
  await submit(api, 'applications')
  await withContent(withoutCareers(), () => laneOf(api, service).sendBatch())
  expect(service.take()).toEqual([])
})
