import { once } from 'node:events'
import { createServer } from 'node:net'
import { beforeEach, expect, onTestFinished, vi } from 'vitest'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import type { LogEntry } from '#server/deps.ts'
import { staff, submit } from '#server/inbox/testing.ts'
import type { Delivery } from '#server/mail-out/message.ts'
import { test, testApi, testConfig } from '#server/testing.ts'
import { webhookLane } from '#server/webhooks/worker.ts'
import { type Blobs, blobsAt, startBlobs } from '#tests/blobs.ts'
import { freePort } from '#tests/postgres.ts'
import { startReceiver } from '#tests/webhook-receiver.ts'
import { createDeployedOutbox } from './deployed-outbox.ts'
import { dueTimes } from './due-times.ts'

const SECOND = 1_000

let blobs: Blobs

beforeEach(async () => {
  blobs = await startBlobs()
  vi.stubEnv('NETLIFY_BLOBS_CONTEXT', blobs.environment)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await blobs.close()
  })
})

const times = dueTimes('postgres://owner@database.example/fledge')
const start = Date.now()

/** A function's process, at a moment that the test sets. */
const startProcess = (db: Database, answer: () => Promise<Delivery> | Delivery = () => sent) => {
  const clock = { now: start }
  const logged: LogEntry[] = []
  const taken: string[] = []
  const outbox = createDeployedOutbox(
    {
      db,
      log: (entry) => logged.push(entry),
      mailPerHour: 300,
      send: async ({ to }) => {
        taken.push(to)
        return answer()
      },
    },
    times,
    () => clock.now,
  )
  /** The scheduled run, this many seconds after the test's beginning. */
  const runAt = (seconds: number) => {
    clock.now = start + seconds * SECOND
    return outbox.run()
  }
  return { ...outbox, runAt, clock, logged, taken }
}

const sent: Delivery = { outcome: 'sent', providerId: null }

/** A database that fails the test where a statement reaches it. */
const untouchable = new Proxy({} as Database, {
  get: () => {
    throw new Error('A statement was sent')
  },
})

const queue = (db: Database, recipient: string) =>
  db.execute(sql`insert into mail (kind, record_kind, record_id, recipient, subject, text, html, status)
    values ('staff', 'contacts', uuid_v7(), ${recipient}, '', '', '', 'waiting')`)

const kept = () => times.reached(Number.POSITIVE_INFINITY)

test('a minute without a due time sends no statement', async () => {
  const process = startProcess(untouchable)
  for (let minute = 0; minute < 60; minute += 1) await process.runAt(minute * 60)
  expect(process.logged).toEqual([])
})

test('a process that ends after the commit leaves a time by which its mail is sent', async ({
  db,
}) => {
  const call = startProcess(db)
  await call.scheduleDelivery()
  await queue(db, 'a@mail.example')

  const early = startProcess(untouchable)
  await early.runAt(20)
  const schedule = startProcess(db)
  await schedule.runAt(60)
  expect(schedule.taken).toEqual(['a@mail.example'])
  expect(await kept()).toEqual([])
})

test('a process that ends before the commit leaves a time that does no harm', async ({ db }) => {
  await startProcess(db).scheduleDelivery()
  const schedule = startProcess(db)
  await schedule.runAt(60)
  expect(schedule.taken).toEqual([])
  expect(await kept()).toEqual([])
})

test('a call that sends its mail by itself leaves nothing that waits', async ({ db }) => {
  const call = startProcess(db)
  await call.scheduleDelivery()
  await queue(db, 'a@mail.example')
  await call.deliver()
  expect(call.taken).toEqual(['a@mail.example'])
  const schedule = startProcess(db)
  await schedule.runAt(60)
  expect(schedule.taken).toEqual([])
  expect(await kept()).toEqual([])
})

test('a retry is made within two minutes of its time, and not before', async ({ db }) => {
  const call = startProcess(db, () => ({ outcome: 'temporary', error: '503' }))
  await call.scheduleDelivery()
  await queue(db, 'a@mail.example')
  await call.deliver()
  const schedule = startProcess(db)
  await schedule.runAt(25)
  expect(schedule.taken).toEqual([])
  // What the database's clock would do.
  await rows(db, sql`update mail set next_attempt_at = next_attempt_at - interval '90 seconds'`)
  await schedule.runAt(90)
  expect(schedule.taken).toEqual(['a@mail.example'])
  expect(await kept()).toEqual([])
})

test('a later retry keeps its own time', async ({ db }) => {
  const call = startProcess(db, () => ({ outcome: 'temporary', error: '429', retryAfter: 7_200 }))
  await queue(db, 'a@mail.example')
  await call.deliver()
  const [time] = await kept()
  expect(time).toBeGreaterThan(start + 7_100 * SECOND)
  await startProcess(untouchable).runAt(3_600)
})

test('two processes never lose each other’s time', async ({ db }) => {
  const [first, second] = [startProcess(db), startProcess(db)]
  await Promise.all([first.scheduleDelivery(), second.scheduleDelivery()])
  await queue(db, 'first@mail.example')
  const late = startProcess(db)
  late.clock.now = start + 35 * SECOND
  await late.scheduleDelivery()

  const schedule = startProcess(db)
  await schedule.runAt(45)
  expect(schedule.taken).toEqual(['first@mail.example'])
  await queue(db, 'late@mail.example')
  await schedule.runAt(105)
  expect(schedule.taken).toEqual(['first@mail.example', 'late@mail.example'])
  expect(await kept()).toEqual([])
})

test('a run that dies while it sends keeps the time, and the next one sends', async ({ db }) => {
  await startProcess(db).scheduleDelivery()
  await queue(db, 'a@mail.example')
  const dying = startProcess(db, () => Promise.reject(new Error('the process is gone')))
  await dying.runAt(60)
  expect(await kept()).toHaveLength(1)
  await rows(db, sql`update mail set leased_until = now() - interval '1 second'`)
  const next = startProcess(db)
  await next.runAt(120)
  expect(next.taken).toEqual(['a@mail.example'])
})

test('what another worker holds is looked at again when its lease is over', async ({ db }) => {
  await queue(db, 'a@mail.example')
  await rows(db, sql`update mail set leased_until = now() + interval '45 seconds'`)
  await startProcess(db).deliver()
  const [time] = await kept()
  expect((time ?? 0) - start).toBeGreaterThan(20 * SECOND)
})

test('a busy process writes few times', async ({ db }) => {
  const call = startProcess(db)
  for (let second = 0; second < 60; second += 1) {
    call.clock.now = start + second * SECOND
    await call.scheduleDelivery()
  }
  expect((await kept()).length).toBeLessThanOrEqual(4)
})

test('while the store is away, calls go on and each run asks the database', async ({ db }) => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => {
    silent.close()
  })
  const address = silent.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  for (const url of [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${port}`]) {
    vi.stubEnv('NETLIFY_BLOBS_CONTEXT', blobsAt(url).environment)
    const call = startProcess(db)
    await call.scheduleDelivery()
    expect(call.logged).toMatchObject([{ event: 'due_time_not_kept' }])
    // It is not asked again by the next call.
    await call.scheduleDelivery()
    expect(call.logged).toHaveLength(1)
    await queue(db, url)
    const schedule = startProcess(db)
    await schedule.runAt(60)
    expect(schedule.taken).toEqual([url])
  }
})

test('a notification or digest that is due later gets a time, and nothing before it', async ({
  db,
}) => {
  const waits = { push: null as number | null, digest: (3 * 3_600) as number | null }
  const lane = { sendBatch: async () => ({ count: 0, isMore: false, pause: 0 }) }
  const outbox = createDeployedOutbox(
    {
      db,
      log: () => {},
      mailPerHour: 300,
      send: async () => sent,
      pushes: { ...lane, secondsUntilDue: async () => waits.push },
      digests: { queue: async () => {}, secondsUntilDue: async () => waits.digest },
    },
    times,
    () => start,
  )
  await outbox.deliver()
  expect(await kept()).toEqual([expect.closeTo(start + 3 * 3_600 * SECOND, -5)])
  waits.push = 3_600
  await outbox.deliver()
  expect(Math.min(...(await kept()))).toBeCloseTo(start + 3_600 * SECOND, -5)
  await startProcess(untouchable).runAt(3_000)
})

test('the run that sends a message tells the webhooks that wait for it', async ({ db }) => {
  const receiver = await startReceiver()
  const api = testApi(db, { config: { ...testConfig, privateHosts: [receiver.host] } })
  const boss = await staff(api)
  await boss.post('/api/endpoints', { url: receiver.url, events: ['message.sent'] })
  const id = await submit(api, 'contacts')
  await boss.post(`/api/contacts/${id}/messages`, { text: 'Hello!' })
  await rows(db, sql`update mail set next_attempt_at = now() where status = 'waiting'`)
  await times.add(start)
  const outbox = createDeployedOutbox(
    {
      db,
      log: () => {},
      mailPerHour: 300,
      send: async () => sent,
      webhooks: webhookLane(api.deps),
    },
    times,
    () => start + 60 * SECOND,
  )
  await outbox.run()
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: 'message.sent', data: { _id: id } },
  ])
  expect(await kept()).toEqual([])
})

test('the nightly sweep gives what was forgotten a time', async ({ db }) => {
  await queue(db, 'a@mail.example')
  const nightly = startProcess(db)
  await nightly.sweep()
  expect(nightly.taken).toEqual([])
  const schedule = startProcess(db)
  await schedule.runAt(60)
  expect(schedule.taken).toEqual(['a@mail.example'])
})
