import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { rows } from '#server/db/rows.ts'
import { test, testOnAll } from '#server/db/testing.ts'
import type { Delivery, Message } from './message.ts'
import { createOutbox, drain } from './outbox.ts'

const log = () => {}

const queue = (db: Database, count: number) =>
  db.execute(sql`insert into mail (kind, record_kind, record_id, recipient, subject, text, html, status)
    select 'staff', 'contacts', uuid_v7(), 'staff' || n || '@fledge.test', 'Subject', 'Text', '<p>Text</p>', 'waiting'
    from generate_series(1, ${count}) as n`)

interface State {
  status: string
  attempts: number
  wait: number
  leased: boolean
  error: string | null
}

const states = (db: Database): Promise<State[]> =>
  rows<State>(
    db,
    sql`select status, attempts, round(extract(epoch from next_attempt_at - now()))::int as wait,
      leased_until is not null as leased, last_error as error from mail order by id`,
  )

const makeDue = (db: Database) => db.execute(sql`update mail set next_attempt_at = now()`)

/** Answers as told, and remembers what it was given. */
const recorder = (answer: (message: Message) => Delivery) => {
  const sent: Message[] = []
  return {
    sent,
    send: async (message: Message) => {
      sent.push(message)
      return answer(message)
    },
  }
}

testOnAll('two workers never send one message twice', async ({ db }) => {
  await queue(db, 25)
  const provider = recorder(() => ({ outcome: 'sent', providerId: null }))
  const worker = { db, log, send: provider.send }
  await Promise.all([drain(worker), drain(worker), drain(worker)])
  expect(provider.sent).toHaveLength(25)
  expect(new Set(provider.sent.map(({ id }) => id)).size).toBe(25)
  expect((await states(db)).every(({ status, leased }) => status === 'sent' && !leased)).toBe(true)
})

testOnAll(
  'a temporary failure climbs the ladder until the seventh attempt fails for good',
  async ({ db }) => {
    await queue(db, 1)
    const worker = { db, log, ...recorder(() => ({ outcome: 'temporary', error: '503 busy' })) }
    const waits: number[] = []
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      await drain(worker)
      const [state] = await states(db)
      waits.push(state?.wait ?? -1)
      expect(state).toMatchObject({ attempts: attempt, leased: false, error: '503 busy' })
      expect(state?.status).toBe(attempt === 7 ? 'failed' : 'waiting')
      await makeDue(db)
    }
    expect(waits.slice(0, 6)).toEqual([30, 120, 600, 3_600, 21_600, 43_200])
    await drain(worker)
    expect(worker.sent).toHaveLength(7)
  },
)

test('a message that waits its turn is left alone', async ({ db }) => {
  await queue(db, 1)
  await db.execute(sql`update mail set next_attempt_at = now() + interval '1 second'`)
  const provider = recorder(() => ({ outcome: 'sent', providerId: null }))
  await drain({ db, log, send: provider.send })
  expect(provider.sent).toHaveLength(0)
})

test('the lease of a worker that died runs out, and the same message goes out under the same id', async ({
  db,
}) => {
  await queue(db, 1)
  const dying = recorder(() => {
    throw new Error('the process is gone')
  })
  await expect(drain({ db, log, send: dying.send })).rejects.toThrow()
  const provider = recorder(() => ({ outcome: 'sent', providerId: 'p-1' }))
  await drain({ db, log, send: provider.send })
  expect(provider.sent).toHaveLength(0)
  await db.execute(sql`update mail set leased_until = now() - interval '1 second'`)
  await drain({ db, log, send: provider.send })
  expect(provider.sent.map(({ id }) => id)).toEqual(dying.sent.map(({ id }) => id))
})

test('a message that is recalled while a try fails stays recalled', async ({ db }) => {
  await queue(db, 1)
  const send = async (): Promise<Delivery> => {
    await db.execute(sql`update mail set status = 'held'`)
    return { outcome: 'temporary', error: '503' }
  }
  await drain({ db, log, send })
  expect((await states(db))[0]?.status).toBe('held')
})

test('a permanent refusal fails at once', async ({ db }) => {
  await queue(db, 1)
  await drain({ db, log, ...recorder(() => ({ outcome: 'permanent', error: '422 invalid' })) })
  expect((await states(db))[0]).toMatchObject({
    status: 'failed',
    attempts: 1,
    error: '422 invalid',
  })
})

test('a long-lived worker sends everything, and calls meanwhile join it', async ({ db }) => {
  await queue(db, 23)
  const provider = recorder(() => ({ outcome: 'sent', providerId: null }))
  const outbox = createOutbox({ db, log, send: provider.send }, 0)
  await Promise.all([outbox.wake(), outbox.wake(), outbox.wake()])
  expect(provider.sent).toHaveLength(23)
  await outbox.stop()
})
