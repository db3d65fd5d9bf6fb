import { expect } from 'vitest'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { test, testOnAll, testOnPostgres, withStatements } from '#server/db/testing.ts'
import type { Delivery, Message } from './message.ts'
import { createOutbox, drain } from './outbox.ts'
import { secondsUntilDue } from './store/queue.ts'

const rest = { log: () => {}, mailPerHour: 300 }

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

const makeDue = (db: Database) =>
  db.execute(sql`update mail set next_attempt_at = now() - interval '1 second'`)

/** Answers as configured, and records what it was given. */
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

testOnPostgres('two workers never send one message twice', async ({ db }) => {
  await queue(db, 25)
  const provider = recorder(() => ({ outcome: 'sent', providerId: null }))
  const worker = { db, ...rest, send: provider.send }
  await Promise.all([drain(worker), drain(worker), drain(worker)])
  expect(provider.sent).toHaveLength(25)
  expect(new Set(provider.sent.map(({ id }) => id)).size).toBe(25)
  expect((await states(db)).every(({ status, leased }) => status === 'sent' && !leased)).toBe(true)
})

testOnAll(
  'a temporary failure is retried after growing pauses, and the seventh failure is permanent',
  async ({ db }) => {
    await queue(db, 1)
    const worker = { db, ...rest, ...recorder(() => ({ outcome: 'temporary', error: '503 busy' })) }
    const waits: number[] = []
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      await drain(worker)
      const [state] = await states(db)
      waits.push(state?.wait ?? -1)
      expect(state).toMatchObject({ attempts: attempt, leased: false, error: '503 busy' })
      expect(state?.status).toBe(attempt === 7 ? 'failed' : 'waiting')
      await makeDue(db)
    }
    // A busy machine may read them a little after they were written.
    for (const [n, delay] of [30, 120, 600, 3_600, 21_600, 43_200].entries())
      expect(delay - (waits[n] ?? 0), `attempt ${n + 1}`).toSatisfy(
        (late: number) => late >= 0 && late < 25,
      )
    await drain(worker)
    expect(worker.sent).toHaveLength(7)
  },
)

testOnAll(
  'mail about an appointment leaves in the order of its changes, also when the first has to be tried again',
  async ({ db }) => {
    const record = '01890000-0000-7000-8000-000000000001'
    // The last change is the oldest row: only the sequence says what came first.
    for (const sequence of [2, 1, 0])
      await db.execute(sql`insert into mail (kind, record_kind, record_id, recipient, subject, text, html, status, calendar)
        select kind, 'consultations', ${record}::uuid, kind || '@example.test', 'Subject', 'Text', '', 'waiting',
          jsonb_build_object('uid', 'one', 'sequence', ${sequence}::int)
        from unnest(array['message', 'staff']) as kind`)
    let isBusy = true
    const provider = recorder(() =>
      isBusy ? { outcome: 'temporary', error: '503 busy' } : { outcome: 'sent', providerId: null },
    )
    const worker = { db, ...rest, send: provider.send }
    const sequences = () =>
      provider.sent.splice(0).map(({ kind, calendar }) => [kind, calendar?.sequence])
    await drain(worker, { batchMs: 0 })
    expect(sequences()).toEqual([
      ['message', 0],
      ['staff', 0],
    ])
    expect(await secondsUntilDue(db)).toBeGreaterThan(0)

    isBusy = false
    await makeDue(db)
    await drain(worker, { batchMs: 0 })
    expect(sequences()).toEqual([
      ['message', 0],
      ['message', 1],
      ['message', 2],
      ['staff', 0],
      ['staff', 1],
      ['staff', 2],
    ])
  },
)

test('a message that is not due yet is not sent', async ({ db }) => {
  await queue(db, 1)
  await db.execute(sql`update mail set next_attempt_at = now() + interval '1 second'`)
  const provider = recorder(() => ({ outcome: 'sent', providerId: null }))
  await drain({ db, ...rest, send: provider.send })
  expect(provider.sent).toHaveLength(0)
})

test('after a worker died its lease expires, and the message is sent under the same id', async ({
  db,
}) => {
  await queue(db, 1)
  const dying = recorder(() => {
    throw new Error('the process is gone')
  })
  await expect(drain({ db, ...rest, send: dying.send })).rejects.toThrow()
  const provider = recorder(() => ({ outcome: 'sent', providerId: 'p-1' }))
  await drain({ db, ...rest, send: provider.send })
  expect(provider.sent).toHaveLength(0)
  await db.execute(sql`update mail set leased_until = now() - interval '1 second'`)
  await drain({ db, ...rest, send: provider.send })
  expect(provider.sent.map(({ id }) => id)).toEqual(dying.sent.map(({ id }) => id))
})

test('a message that is recalled during a failing attempt stays recalled', async ({ db }) => {
  await queue(db, 1)
  const send = async (): Promise<Delivery> => {
    await db.execute(sql`update mail set status = 'held'`)
    return { outcome: 'temporary', error: '503' }
  }
  await drain({ db, ...rest, send })
  expect((await states(db))[0]?.status).toBe('held')
})

test('a permanent refusal fails at once', async ({ db }) => {
  await queue(db, 1)
  await drain({ db, ...rest, ...recorder(() => ({ outcome: 'permanent', error: '422 invalid' })) })
  expect((await states(db))[0]).toMatchObject({
    status: 'failed',
    attempts: 1,
    error: '422 invalid',
  })
})

test('a long-lived worker sends everything, and calls during a run join that run', async ({
  db,
}) => {
  await queue(db, 23)
  const provider = recorder(() => ({ outcome: 'sent', providerId: null }))
  const outbox = createOutbox({ db, ...rest, send: provider.send }, 0)
  await Promise.all([outbox.wake(), outbox.wake(), outbox.wake()])
  expect(provider.sent).toHaveLength(23)
  await outbox.stop()
})

const queueKind = (db: Database, kind: string, count: number, dueAgo = '0 seconds') =>
  db.execute(sql`insert into mail (kind, record_kind, record_id, recipient, subject, text, html, status, next_attempt_at)
    select ${kind}, 'contacts', uuid_v7(), ${kind} || n || '@fledge.test', 'Subject', 'Text', '', 'waiting',
      now() - ${dueAgo}::interval
    from generate_series(1, ${count}) as n`)

const kindsOf = (messages: readonly Message[]) => messages.map(({ kind }) => kind)

test('mail leaves by its kind: no flood of one delays what goes before it', async ({ db }) => {
  const order = ['code', 'account', 'message', 'acknowledgement', 'staff', 'digest']
  for (const [n, kind] of order.entries()) await queueKind(db, kind, 12, `${n} hours`)
  const provider = recorder(() => ({ outcome: 'sent', providerId: null }))
  await drain({ db, ...rest, send: provider.send }, { batchMs: 0 })
  expect(kindsOf(provider.sent)).toEqual(order.flatMap((kind) => Array<string>(12).fill(kind)))
})

testOnAll(
  'the hourly limit holds back acknowledgements only, also with concurrent workers',
  async ({ db }) => {
    await queueKind(db, 'staff', 8)
    await queueKind(db, 'acknowledgement', 25)
    const provider = recorder(() => ({ outcome: 'sent', providerId: null }))
    const worker = { db, ...rest, mailPerHour: 7, send: provider.send }
    const drainAll = () => Promise.all([1, 2, 3].map(() => drain(worker, { batchMs: 0 })))
    await drainAll()
    const kinds = kindsOf(provider.sent)
    expect(kinds.filter((kind) => kind === 'staff')).toHaveLength(8)
    expect(kinds.filter((kind) => kind === 'acknowledgement')).toHaveLength(7)
    const waiting = (await states(db)).filter(({ status }) => status === 'waiting')
    expect(waiting).toHaveLength(18)
    expect(waiting.every(({ wait }) => wait > 3_500 && wait <= 3_600)).toBe(true)

    await rows(
      db,
      sql`update rate_limits set hits = array(select h - interval '61 minutes' from unnest(hits) as h)`,
    )
    await makeDue(db)
    await drainAll()
    expect(kindsOf(provider.sent).filter((kind) => kind === 'acknowledgement')).toHaveLength(14)
  },
)

test('a limit of 0 sends no acknowledgement, and a lowered limit does not stop other mail', async ({
  db,
}) => {
  const provider = recorder(() => ({ outcome: 'sent', providerId: null }))
  const send = (mailPerHour: number) =>
    drain({ db, ...rest, mailPerHour, send: provider.send }, { batchMs: 0 })
  await queueKind(db, 'acknowledgement', 5)
  await send(3)
  await makeDue(db)
  await queueKind(db, 'staff', 1)
  await send(1)
  await makeDue(db)
  await send(0)
  expect(kindsOf(provider.sent)).toEqual([...Array<string>(3).fill('acknowledgement'), 'staff'])
})

test('due mail waits for as long as the provider asks', async ({ db }) => {
  await queueKind(db, 'message', 12)
  await queueKind(db, 'acknowledgement', 1)
  await queueKind(db, 'webhook', 1)
  const provider = recorder(({ kind }) =>
    kind === 'webhook'
      ? { outcome: 'sent', providerId: null }
      : { outcome: 'temporary', error: '429', retryAfter: 200 },
  )
  // The pace is slow enough that the first answer arrives long before the tenth message is sent.
  await drain({ db, ...rest, send: provider.send }, { batchMs: 20_000 })
  const tried = kindsOf(provider.sent).filter((kind) => kind === 'message').length
  expect(tried).toBeLessThan(10)
  expect(kindsOf(provider.sent)).not.toContain('acknowledgement')
  const waiting = (await states(db)).filter(({ status }) => status === 'waiting')
  expect(waiting).toHaveLength(13)
  expect(waiting.every(({ wait, leased }) => wait > 100 && wait <= 200 && !leased)).toBe(true)
  expect(waiting.filter(({ attempts }) => attempts === 1)).toHaveLength(tried)
})

testOnAll(
  'mail that is queued while the provider asks to wait is held back too',
  async ({ db }) => {
    await queueKind(db, 'staff', 1)
    const provider = recorder(({ kind }) =>
      kind === 'webhook'
        ? { outcome: 'sent', providerId: null }
        : { outcome: 'temporary', error: '429', retryAfter: 200 },
    )
    const worker = { db, ...rest, send: provider.send }
    await drain(worker, { batchMs: 0 })
    await db.execute(sql`delete from mail`)
    await queueKind(db, 'staff', 1)
    await queueKind(db, 'acknowledgement', 1)
    await queueKind(db, 'webhook', 1)
    await drain(worker, { batchMs: 0 })
    expect(kindsOf(provider.sent)).toEqual(['staff', 'webhook'])
    expect(await secondsUntilDue(db)).toBeGreaterThan(100)
  },
)

test('a webhook that hangs delays no mail', async ({ db }) => {
  await queueKind(db, 'webhook', 2, '1 hour')
  await queueKind(db, 'staff', 2)
  const hanging = Promise.withResolvers<Delivery>()
  const mailSent = Promise.withResolvers<void>()
  let count = 0
  const outbox = createOutbox(
    {
      db,
      ...rest,
      send: async ({ kind }) => {
        if (kind === 'webhook') return hanging.promise
        count += 1
        if (count === 3) mailSent.resolve()
        return { outcome: 'sent', providerId: null }
      },
    },
    0,
  )
  const first = outbox.wake()
  await queueKind(db, 'acknowledgement', 1)
  const second = outbox.wake()
  await mailSent.promise
  hanging.resolve({ outcome: 'temporary', error: 'TimeoutError' })
  await Promise.all([first, second])
  expect((await states(db)).filter(({ status }) => status === 'sent')).toHaveLength(3)
})

test('a call in the moment in which a run ends is not lost', async ({ db }) => {
  const provider = recorder(() => ({ outcome: 'sent', providerId: null }))
  for (let steps = 0; steps < 12; steps += 1) {
    const again = Promise.withResolvers<void>()
    const wakeLater = async () => {
      for (let step = 0; step < steps; step += 1) await null
      again.resolve(outbox.wake())
    }
    let batches = 0
    const pushes = {
      sendBatch: async () => {
        batches += 1
        if (batches === 1) void wakeLater()
        return { count: 0, isMore: false, pause: 0 }
      },
      secondsUntilDue: async () => null,
    }
    const outbox = createOutbox({ db, ...rest, send: provider.send, pushes }, 0)
    await outbox.wake()
    await again.promise
    expect(batches, `batches of a call ${steps} steps later`).toBe(2)
  }
})

test('a worker with little time left claims nothing that it may not finish', async ({ db }) => {
  await queue(db, 30)
  const provider = recorder(() => ({ outcome: 'sent', providerId: null }))
  await drain({ db, ...rest, send: provider.send }, { budgetMs: 11_000 })
  expect(provider.sent).toHaveLength(0)
  expect((await states(db)).some(({ leased }) => leased)).toBe(false)
})

test('callers that wake a worker during a run get the same promise', async ({ db }) => {
  await queue(db, 2)
  const provider = recorder(() => ({ outcome: 'sent', providerId: null }))
  const outbox = createOutbox({ db, ...rest, send: provider.send }, 0)
  expect(outbox.wake()).toBe(outbox.wake())
  await outbox.stop()
})

test('callers wait together for a lane that is busy, however often another lane ends meanwhile', async ({
  db,
}) => {
  await queueKind(db, 'webhook', 1)
  const hanging = Promise.withResolvers<Delivery>()
  const send = async ({ kind }: Message): Promise<Delivery> =>
    kind === 'webhook' ? hanging.promise : { outcome: 'sent', providerId: null }
  const outbox = createOutbox({ db, ...rest, send }, 0)
  const first = outbox.wake()
  for (let round = 0; round < 5; round += 1) {
    await queue(db, 1)
    expect(outbox.wake()).toBe(first)
    await expect
      .poll(async () => (await states(db)).filter(({ status }) => status === 'sent').length)
      .toBe(round + 1)
  }
  hanging.resolve({ outcome: 'sent', providerId: null })
  await first
  expect((await states(db)).every(({ status }) => status === 'sent')).toBe(true)
})

test('a lane that is woken by each of many submissions claims once a second', async ({ db }) => {
  let claims = 0
  const counted = withStatements(db, (execute) => {
    claims += 1
    return execute()
  })
  const provider = recorder(() => ({ outcome: 'sent', providerId: null }))
  // A second that does not pass while the test runs.
  const outbox = createOutbox({ db: counted, ...rest, send: provider.send }, 3_600_000)
  await outbox.wake()
  expect(claims).toBe(4)
  await queue(db, 1)
  for (let submission = 0; submission < 20; submission += 1) void outbox.wake()
  // Ends at once, without another claim: the next start sends what waits.
  await outbox.stop()
  expect(claims).toBe(4)
})
