import { expect } from 'vitest'
import { longMoment } from '#contract/times/moments.ts'
import type { Slot } from '#contract/times/times.ts'
import { signInAs, tokenOf } from '#server/auth/testing.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type Staff, staff } from '#server/inbox/testing.ts'
import { automaticHeaders } from '#server/mail-out/message.ts'
import {
  delayIsOver,
  leaveNow,
  mailedCode,
  type SenderOf,
  sendDue,
  submitAndOpen,
} from '#server/status-page/testing.ts'
import {
  overlap,
  type TestApi,
  test,
  testApi,
  testOnAll,
  testOnEveryDriver,
  testOnPostgres,
} from '#server/testing.ts'
import { brand, content } from '#site/content.ts'
import { book } from './store/appointments.ts'
import { hostById } from './store/hours.ts'
import { always, host, inDays } from './testing.ts'

const source = { timeZone: 'Europe/London' }

/** A sender who may choose from times that have left. */
const offered = async (
  api: TestApi,
  by: Awaited<ReturnType<typeof host>>,
  slots: string[] | undefined,
): Promise<SenderOf> => {
  const sender = await submitAndOpen(api, 'consultations', { source })
  const made = await by.post(`/api/consultations/${sender.id}/times`, slots && { slots })
  expect(made).toMatchObject({
    status: 201,
    body: { data: { kind: 'times', delivery: 'waiting' } },
  })
  await leaveNow(api)
  return sender
}

const offeredSlots = (...starts: string[]) => starts.map((start) => ({ start, taken: false }))

testOnAll('a time is offered, chosen, moved and cancelled, and both hear of it', async ({ db }) => {
  const api = testApi(db)
  const eli = await host(api)
  const first = inDays(3)
  const second = inDays(4)
  const sender = await submitAndOpen(api, 'consultations', { source })
  const path = `/api/consultations/${sender.id}`
  const made = await eli.post(`${path}/times`, { slots: [second, first], text: 'Hello {name}.' })
  expect(made.status).toBe(201)
  // Until it leaves there is nothing to choose, and undo takes it back.
  expect((await sender.get('/times')).body.data.slots).toEqual([])
  const [mailed] = await leaveNow(api)
  expect(mailed?.text).toContain(`/status/${sender.token}/times`)
  expect(mailed?.text).toContain('(London, UTC')
  expect((await sender.get('/times')).body.data).toMatchObject({
    minutes: 30,
    zone: 'Europe/London',
    host: brand().name,
    slots: [{ start: first }, { start: second }],
    appointment: null,
  })
  expect((await eli.get(path)).body.data).toMatchObject({
    waitingFor: 'them',
    appointment: null,
    activity: [{ kind: 'created' }, { kind: 'times', slots: offeredSlots(first, second) }],
  })

  const taken = await sender.post('/times', { start: first })
  expect(taken).toMatchObject({
    status: 201,
    body: {
      data: { start: first, place: 'https://meet.example/room', state: 'booked', answer: null },
    },
  })
  const invitations = await sendDue(api)
  expect(invitations.map(({ kind, to, invite }) => [kind, to, invite?.method]).sort()).toEqual([
    ['message', expect.stringContaining('@people.test'), 'REQUEST'],
    ['staff', 'eli@staff.test', 'REQUEST'],
  ])
  expect(invitations[0]?.invite?.text).toContain('SEQUENCE:0')
  // The same again changes nothing.
  expect((await sender.post('/times', { start: first })).status).toBe(201)
  expect(await sendDue(api)).toEqual([])
  expect((await sender.get()).body.data.appointment).toMatchObject({
    start: first,
    state: 'booked',
  })

  expect((await sender.post('/times', { start: second })).body.data.start).toBe(second)
  const moved = await sendDue(api)
  expect(moved.map(({ invite }) => /SEQUENCE:(\d)/.exec(invite?.text ?? '')?.[1])).toEqual([
    '1',
    '1',
  ])
  const uids = [...invitations, ...moved].map(
    ({ invite }) => /UID:(.*)\r/.exec(invite?.text ?? '')?.[1],
  )
  expect(new Set(uids).size).toBe(1)

  const staffMoved = await eli.put(`${path}/appointment`, { start: inDays(5, 3) })
  expect(staffMoved).toMatchObject({
    status: 200,
    body: { data: { host: 'eli', state: 'booked' } },
  })
  await sendDue(api)
  const { waitingFor } = (await eli.get(path)).body.data
  expect(waitingFor).toBe('them')
  const gone = await api.request(`${sender.path}/times`, { method: 'DELETE' })
  expect(gone.status).toBe(200)
  expect((await api.request(`${sender.path}/times`, { method: 'DELETE' })).status).toBe(404)
  const cancelled = await sendDue(api)
  expect(cancelled.map(({ invite }) => invite?.method)).toEqual(['CANCEL', 'CANCEL'])
  expect(cancelled[0]?.invite?.text).toContain('SEQUENCE:3')
  const record = (await eli.get(path)).body.data
  expect(record).toMatchObject({ waitingFor: 'us', appointment: { state: 'cancelled' } })
  expect(record.dueAt).not.toBeNull()
  expect(record.activity.map(({ kind }: { kind: string }) => kind)).toEqual([
    'created',
    'times',
    'booked',
    'moved',
    'moved',
    'cancelled',
  ])
  // What is left of the offer can be chosen still; it is another appointment.
  expect((await sender.post('/times', { start: first })).status).toBe(201)
  const [again] = await sendDue(api)
  expect(again?.invite?.text).toContain('SEQUENCE:0')
  expect((await eli.get('/api/stats')).body.data.times).toEqual({
    offered: 1,
    booked: 1,
    medianHoursToBooking: 0,
  })
})

testOnEveryDriver(
  'many takers of one time at once make one appointment',
  async ({ api, db, driver }) => {
    // The embedded database takes calls in turn, the HTTP proxy twenty at once: more takers add nothing.
    const others = { pglite: 19, pg: 199, neon: 39 }[driver]
    const eli = await host(api)
    const [start, other] = [inDays(6), inDays(7)]
    const first = await offered(api, eli, [start, other])
    // The others by SQL: what counts is the taking.
    const { createHash } = await import('node:crypto')
    const copies = await rows<{ id: string }>(
      db,
      sql`insert into consultations (name, email, phone, service, message, preferred_date, search, text_hash)
      select 'Someone', 's' || i || '@people.test', '12345', 'custom', 'Text', '2026-12-01', 'text', 'hash' || i
      from generate_series(1, ${others}::int) as i returning id`,
    )
    const tokens = copies.map(({ id }) => ({ id, token: `token-of-${id}` }))
    await rows(
      db,
      sql`with given as (select * from jsonb_to_recordset(${JSON.stringify(
        tokens.map(({ id, token }) => ({
          id,
          hash: createHash('sha256').update(token).digest('base64url'),
        })),
      )}::jsonb) as g(id uuid, hash text)),
    links as (
      insert into record_links (record_kind, record_id, token_hash, reply_hash, sealed)
      select 'consultations', id, hash, hash, '' from given
    )
    insert into events (change_id, kind, target_kind, target_id, after)
    select uuid_v7(), 'times', 'consultations', g.id, e.after from given g, events e
    where e.kind = 'times'`,
    )
    const answers = await Promise.all(
      [first.token, ...tokens.map(({ token }) => token)].map((token) =>
        api.request(`/api/status/${token}/times`, { body: { start } }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(others)
    expect(await rows(db, sql`select 1 from appointments`)).toHaveLength(1)

    // A double click books once, and hears of the booking twice.
    const clicks = await Promise.all([1, 2, 3].map(() => first.post('/times', { start: other })))
    expect(clicks.map(({ status }) => status)).toEqual([201, 201, 201])
    const own = sql`select 1 from events where target_id = ${first.id} and kind in ('booked', 'moved') and after->>'to' = ${other}`
    expect(await rows(db, own)).toHaveLength(1)
  },
)

test('a time is refused that is past, never offered, not free or no time', async ({ api }) => {
  const eli = await host(api, 'eli', { buffer: 15 })
  const start = inDays(3)
  const near = new Date(Date.parse(start) + 30 * 60_000).toISOString()
  const after = new Date(Date.parse(start) + 45 * 60_000).toISOString()
  const one = await offered(api, eli, [start, near, after])
  const two = await offered(api, eli, [start, near, after])
  expect((await one.post('/times', { start: 'soon' })).status).toBe(400)
  expect((await one.post('/times', { start: inDays(9) })).status).toBe(409)
  expect((await one.post('/times', { start })).status).toBe(201)
  const refused = await two.post('/times', { start: near })
  expect(refused).toMatchObject({ status: 409, body: { code: 'taken' } })
  // The break after the first appointment is held too.
  expect(refused.body.data.slots).toEqual([expect.objectContaining({ start: after })])
  expect((await two.post('/times', { start: after })).status).toBe(201)

  const appointment = `/api/consultations/${one.id}/appointment`
  for (const body of [{ start: near }, { host: 'eli' }]) {
    const both = await eli.put(appointment, { ...body, state: 'cancelled' })
    expect(both).toMatchObject({ status: 400, body: { fields: { state: [expect.anything()] } } })
    const said = await eli.put(appointment, { ...body, text: 'So sorry' })
    expect(said).toMatchObject({ status: 400, body: { fields: { text: [expect.anything()] } } })
  }
  const path = `/api/consultations/${one.id}/times`
  for (const text of ['Dear {nobody}', 'On {?day}'])
    expect((await eli.post(path, { text })).body.fields).toHaveProperty('text')
  const refusal = async (by: Staff, slot: string): Promise<string> =>
    (await by.post(path, { host: 'eli', slots: [slot] })).body.fields.slots[0]
  expect(await refusal(eli, '2020-01-01T00:00:00Z')).toContain('Wednesday 1 January, 00:00 (UTC)')
  expect(await refusal(eli, after)).toContain(longMoment(new Date(after), 'UTC'))
  // In the zone of the reader's own hours.
  const mia = await host(api, 'mia', { timeZone: 'Asia/Kolkata' })
  expect(await refusal(mia, after)).toContain(`${longMoment(new Date(after), 'Asia/Kolkata')} (Kol`)
  const ada = await staff(api, 'editor', 'ada')
  expect((await ada.post(path, {})).body.fields).toHaveProperty('host')
  expect((await ada.post(path, { host: 'nobody' })).body.fields).toHaveProperty('host')
  expect((await ada.post(path, { host: 'eli' })).status).toBe(201)
})

test('an appointment is cancelled with its record, and given to another host', async ({ api }) => {
  const eli = await host(api)
  const mia = await host(api, 'mia')
  const admin = await staff(api, 'superuser')
  const book = async () => {
    const sender = await offered(api, eli, undefined)
    const [slot] = (await sender.get('/times')).body.data.slots
    expect((await sender.post('/times', { start: slot.start })).status).toBe(201)
    await sendDue(api)
    return { sender, start: slot.start as string, path: `/api/consultations/${sender.id}` }
  }
  const given = await book()
  const refused = await admin.delete(`/api/users/${eli.id}`)
  expect(refused).toMatchObject({ status: 409 })
  expect(refused.body.message).toContain('1 appointment')
  const moved = await admin.put(`${given.path}/appointment`, { host: 'mia' })
  expect(moved.body.data).toMatchObject({ host: 'mia', start: given.start })
  const told = await sendDue(api)
  expect(
    told.map(({ to, invite }) => [to.replace(/^sender-.*@/, 'sender@'), invite?.method]).sort(),
  ).toEqual([
    ['eli@staff.test', 'CANCEL'],
    ['mia@staff.test', 'REQUEST'],
    ['sender@people.test', 'REQUEST'],
  ])
  const sent = told.find(({ to }) => to.endsWith('@people.test'))
  expect(sent?.subject).toContain('Your talk has another host: ')
  const gained = told.find(({ to }) => to === 'mia@staff.test')
  expect(gained?.subject).toContain('A talk is yours now: ')
  const left = told.find(({ to }) => to === 'eli@staff.test')
  expect(left?.subject).toContain('Your talk has gone to a colleague: ')
  expect(left?.text).toContain('This talk is no longer yours: ')
  expect((await mia.get('/api/appointments?host=mia')).body.data).toMatchObject([
    {
      record: { kind: 'consultations', _id: given.sender.id },
      host: 'mia',
      state: 'booked',
      zone: 'Europe/London',
    },
  ])

  const spam = await book()
  await eli.put(spam.path, { box: 'spam' })
  expect((await sendDue(api)).map(({ to, invite }) => [to, invite?.method])).toEqual([
    ['eli@staff.test', 'CANCEL'],
  ])
  expect((await spam.sender.post('/times', { start: 'x' })).status).toBe(404)
  const trash = await book()
  await admin.delete(trash.path)
  expect((await sendDue(api)).map(({ invite }) => invite?.method)).toEqual(['CANCEL', 'CANCEL'])
  const withdrawn = await book()
  await withdrawn.sender.post('/withdraw', {})
  expect((await sendDue(api)).map(({ invite }) => invite?.method)).toEqual(['CANCEL', 'CANCEL'])
  expect((await withdrawn.sender.get('/times')).body.data).toMatchObject({
    slots: [],
    appointment: { state: 'cancelled' },
  })

  const erased = await book()
  await admin.post('/api/privacy/erase', {
    email: (await eli.get(erased.path)).body.data.email,
  })
  const last = (await sendDue(api)).filter(({ invite }) => invite)
  expect(last.map(({ to, invite }) => [to, invite?.method])).toEqual([['eli@staff.test', 'CANCEL']])
  expect(last[0]?.invite?.text).toContain('an erased person')
  expect((await admin.delete(`/api/users/${eli.id}`)).status).toBe(200)
})

test('what a person wrote asks programs for an answer, what the program writes does not', async ({
  api,
}) => {
  const eli = await host(api)
  const sender = await submitAndOpen(api, 'consultations')
  await eli.post(`/api/consultations/${sender.id}/times`)
  const [written] = await leaveNow(api)
  expect(written && automaticHeaders(written)).toEqual({})
  await sender.post('/times', { start: inDays(3) })
  // The confirmation and the reminder.
  const told = (await leaveNow(api)).filter(({ kind }) => kind === 'message')
  expect(told.map(automaticHeaders)).toEqual(Array(2).fill({ 'Auto-Submitted': 'auto-generated' }))
})

test('a cancellation that waits reaches its host after an erasure', async ({ api }) => {
  const eli = await host(api)
  const boss = await staff(api, 'superuser')
  const sender = await offered(api, eli, [inDays(3)])
  await sender.post('/times', { start: inDays(3) })
  const invited = (await sendDue(api)).find(({ to }) => to === 'eli@staff.test')
  const { email } = (await eli.get(`/api/consultations/${sender.id}`)).body.data
  expect((await sender.post('/withdraw', {})).status).toBe(200)
  expect((await boss.post('/api/privacy/erase', { email })).status).toBe(200)
  const [told, ...others] = (await sendDue(api)).filter(({ invite }) => invite)
  expect(others).toEqual([])
  expect(told).toMatchObject({ to: 'eli@staff.test', invite: { method: 'CANCEL' } })
  expect(told?.invite?.text).toContain('an erased person')
  const uidOf = (text = '') => /^UID:.+$/m.exec(text)?.[0]
  expect(uidOf(told?.invite?.text)).toBe(uidOf(invited?.invite?.text))
})

test('an export holds the words of mail about a talk', async ({ api }) => {
  const eli = await host(api)
  const boss = await staff(api, 'superuser')
  const sender = await offered(api, eli, [inDays(3)])
  await sender.post('/times', { start: inDays(3) })
  await sendDue(api)
  const { email } = (await eli.get(`/api/consultations/${sender.id}`)).body.data
  await sender.post('/code')
  const exports = [
    await boss.post('/api/privacy/export', { email }),
    await sender.post('/export', { code: await mailedCode(api) }),
  ]
  for (const { body } of exports)
    expect(body.data.mail).toContainEqual(
      expect.objectContaining({
        subject: expect.stringMatching(/^Your talk is booked: /),
        text: expect.stringContaining('Move or cancel it on your own page: {link}'),
      }),
    )
})

test('mail about a talk is in the zone in which it was chosen', async ({ db }) => {
  const api = testApi(db)
  const eli = await host(api)
  const sender = await offered(api, eli, undefined)
  const subjects = async (): Promise<string[]> =>
    (await leaveNow(api)).flatMap(({ kind, subject }) => (kind === 'message' ? subject : []))
  const time = { start: inDays(3), zone: 'Asia/Kolkata' }
  expect((await sender.postForm('/times', time)).status).toBe(303)
  // The reminder as well.
  expect(await subjects()).toEqual(Array(2).fill(expect.stringContaining('15:30 (Kolkata, UTC')))
  await eli.put(`/api/consultations/${sender.id}/appointment`, { start: inDays(4) })
  expect(await subjects()).toEqual(Array(2).fill(expect.stringContaining('15:30 (Kolkata, UTC')))
  expect((await sender.post('/times', { start: inDays(5), zone: 'UTC' })).status).toBe(201)
  await sendDue(api)
  await eli.put(`/api/consultations/${sender.id}/appointment`, { state: 'cancelled' })
  expect(await subjects()).toEqual([expect.stringContaining('10:00 (UTC)')])
})

test('a talk goes to the host whose times were offered last', async ({ api }) => {
  const [eli, mia] = [await host(api), await host(api, 'mia', { place: 'Room 2' })]
  const start = inDays(3)
  const sender = await offered(api, eli, [start])
  await sender.post('/times', { start })
  await sendDue(api)
  const path = `/api/consultations/${sender.id}`
  expect((await mia.post(`${path}/times`, { slots: [start, inDays(4)] })).status).toBe(201)
  await leaveNow(api)
  // The same time is a choice with another host.
  expect((await sender.get('/times')).body.data.slots).toMatchObject([
    { start },
    { start: inDays(4) },
  ])
  for (const chosen of [start, inDays(4)]) {
    expect((await sender.post('/times', { start: chosen })).status).toBe(201)
    expect((await eli.get(path)).body.data.appointment).toMatchObject({
      host: 'mia',
      start: chosen,
      place: 'Room 2',
    })
  }
  const told = (await sendDue(api)).filter(({ kind }) => kind === 'staff')
  expect(told.map(({ to, invite }) => [to, invite?.method]).sort()).toEqual([
    ['eli@staff.test', 'CANCEL'],
    ['mia@staff.test', 'REQUEST'],
    ['mia@staff.test', 'REQUEST'],
  ])
})

test('a talk given to a host stays with them until times are offered anew', async ({ db }) => {
  const api = testApi(db)
  const eli = await host(api)
  await host(api, 'mia')
  const slots = [3, 4, 5, 6].map((days) => inDays(days))
  const sender = await offered(api, eli, slots)
  const path = `/api/consultations/${sender.id}`
  const hostAfter = async (start?: string) => {
    expect((await sender.post('/times', { start })).status).toBe(201)
    return (await eli.get(path)).body.data.appointment.host
  }
  expect(await hostAfter(slots[0])).toBe('eli')
  await eli.put(`${path}/appointment`, { host: 'mia' })
  expect(await hostAfter(slots[1])).toBe('mia')
  expect(await hostAfter(slots[2])).toBe('mia')
  await eli.post(`${path}/times`, { slots: [slots[3]] })
  await leaveNow(api)
  expect(await hostAfter(slots[3])).toBe('eli')
})

testOnPostgres('of two hosts who get a talk at once, the one who lost it hears', async ({ db }) => {
  const api = testApi(db)
  const eli = await host(api)
  await host(api, 'ann')
  await host(api, 'kim')
  const sender = await offered(api, eli, [inDays(3)])
  await sender.post('/times', { start: inDays(3) })
  await sendDue(api)
  const path = `/api/consultations/${sender.id}/appointment`
  const [first, second] = await Promise.all(
    ['first', 'second'].map((name) => signInAs(api.deps, 'editor', name)),
  )
  const giveTo = (by: TestApi, name: string, token: string | undefined) =>
    by.request(path, { method: 'PUT', token, body: { host: name } })
  const answers = await overlap(
    db,
    (before) => giveTo(before, 'ann', first?.token),
    () => giveTo(api, 'kim', second?.token),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const mails = await sendDue(api)
  const heard = (name: string) =>
    mails.flatMap(({ to, invite }) => (to === `${name}@staff.test` ? [invite?.method] : []))
  expect({ eli: heard('eli'), ann: heard('ann'), kim: heard('kim') }).toEqual({
    eli: ['CANCEL'],
    ann: ['REQUEST', 'CANCEL'],
    kim: ['REQUEST'],
  })
})

testOnPostgres('of two hosts who are booked at once, the one who lost it hears', async ({ db }) => {
  const api = testApi(db)
  const eli = await host(api)
  const mia = await host(api, 'mia')
  const { id: recordId } = await submitAndOpen(api, 'consultations')
  const start = inDays(3)
  const limit = { key: 'talks', max: 9, windowSeconds: 60 }
  const take = async ({ deps }: TestApi, hostId: string) => {
    const found = await hostById(deps.db, hostId)
    if (!found) throw new Error('There is no such host')
    return book(deps.db, { recordId, host: found, start, minutes: 30, limit })
  }
  const booked = await overlap(
    db,
    (before) => take(before, eli.id),
    () => take(api, mia.id),
  )
  expect(booked).toMatchObject([{ host: 'eli' }, { host: 'mia' }])
  const told = (await sendDue(api)).filter(({ kind }) => kind === 'staff')
  expect(told.map(({ to, invite }) => [to, invite?.method]).sort()).toEqual([
    ['eli@staff.test', 'CANCEL'],
    ['eli@staff.test', 'REQUEST'],
    ['mia@staff.test', 'REQUEST'],
  ])
})

testOnPostgres('a host who is booked while their account is deleted stays', async ({ db }) => {
  const api = testApi(db)
  const eli = await host(api)
  const boss = await staff(api)
  const start = inDays(3)
  const sender = await offered(api, eli, [start])
  const [taken, refused] = await overlap(
    db,
    (before) => before.request(`${sender.path}/times`, { body: { start } }),
    () => boss.delete(`/api/users/${eli.id}`),
  )
  expect(taken.status).toBe(201)
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
})

test('a message is taken back although the talk was cancelled since', async ({ api }) => {
  const eli = await host(api)
  for (const bySender of [true, false]) {
    const start = inDays(bySender ? 3 : 4)
    const sender = await offered(api, eli, [start])
    const path = `/api/consultations/${sender.id}`
    await sender.post('/times', { start })
    const message = await eli.post(`${path}/messages`, {
      text: 'See you soon',
      status: 'contacted',
    })
    if (bySender) await sender.post('/times/cancel')
    else await eli.put(`${path}/appointment`, { state: 'cancelled' })
    const { body } = await eli.post('/api/undo', { event: message.body.meta.event })
    expect(body.data).toEqual({ reverted: [sender.id], conflicts: [] })
    const { data } = (await eli.get(path)).body
    expect(data).toMatchObject({
      status: 'pending',
      appointment: { state: 'cancelled' },
      waitingFor: bySender ? 'us' : 'them',
      dueAt: bySender ? expect.any(String) : null,
    })
  }
})

test('a sender hears of a cancelled talk once their record is no spam', async ({ api }) => {
  const eli = await host(api)
  const toSenders = async () =>
    (await sendDue(api)).flatMap(({ to, invite }) =>
      to === 'eli@staff.test' ? [] : [[to, invite?.method]],
    )
  for (const [days, isUndone] of [
    [3, true],
    [4, false],
  ] as const) {
    const sender = await offered(api, eli, [inDays(days)])
    await sender.post('/times', { start: inDays(days) })
    const booked = await toSenders()
    expect(booked).toEqual([[expect.stringContaining('@people.test'), 'REQUEST']])
    const path = `/api/consultations/${sender.id}`
    const { event } = (await eli.put(path, { box: 'spam' })).body.meta
    expect(await toSenders()).toEqual([])
    const back = isUndone
      ? await eli.post('/api/undo', { event })
      : await eli.put(path, { box: 'inbox' })
    expect(back.status).toBe(200)
    expect(await toSenders()).toEqual([[booked[0]?.[0], 'CANCEL']])
  }
})

test('a host hears of a talk before it is cancelled with spam', async ({ api }) => {
  const eli = await host(api)
  const sender = await offered(api, eli, [inDays(3)])
  await sender.post('/times', { start: inDays(3) })
  const path = `/api/consultations/${sender.id}`
  const toEli = async () =>
    (await sendDue(api)).flatMap(({ to, invite }) =>
      to === 'eli@staff.test' ? invite?.method : [],
    )
  await eli.put(path, { box: 'spam' })
  expect(await toEli()).toEqual(['REQUEST', 'CANCEL'])
  await eli.put(path, { box: 'inbox' })
  expect(await toEli()).toEqual([])
})

test('a word with a cancellation is filled in like a message, and kept without the link', async ({
  api,
}) => {
  const eli = await host(api)
  const sender = await offered(api, eli, [inDays(3)])
  await sender.post('/times', { start: inDays(3) })
  await sendDue(api)
  const path = `/api/consultations/${sender.id}`
  const cancel = (text: string) =>
    eli.put(`${path}/appointment`, { state: 'cancelled', text: `Sorry {name}, ${text}` })
  for (const text of ['{nam}', '{?new day}'])
    expect(await cancel(text)).toMatchObject({
      status: 400,
      body: { fields: { text: [expect.stringContaining(text)] } },
    })
  expect((await cancel('choose again: {link}')).status).toBe(200)
  const texts = new Map((await sendDue(api)).map(({ kind, text }) => [kind, text]))
  const name = (await eli.get(path)).body.data.name
  const link = `https://fledge.test/status/${sender.token}`
  expect(texts.get('message')).toContain(`Sorry ${name}, choose again: ${link}`)
  expect(texts.get('staff')).toContain(`Sorry ${name}, choose again: {link}`)
  expect((await eli.get(path)).body.data.activity.at(-1)).toMatchObject({
    kind: 'cancelled',
    text: `Sorry ${name}, choose again: {link}`,
  })
})

test('a span of days or times is at most 31 days long and ends after it begins', async ({
  api,
}) => {
  const eli = await host(api)
  const day = (days: number) => inDays(days).slice(0, 10)
  for (const [from, to, status] of [
    [day(2), day(2), 200],
    [day(2), day(1), 400],
    [inDays(2), inDays(1), 400],
    [inDays(2), inDays(2), 200],
    [day(2), day(33), 200],
    [day(2), day(34), 400],
    ['', day(3), 200],
    ['2026-02-30', '', 400],
  ] as const)
    for (const path of ['/api/me/slots', '/api/appointments'])
      expect([from, to, (await eli.get(`${path}?from=${from}&to=${to}`)).status]).toEqual([
        from,
        to,
        status,
      ])
})

test('free times are as long as asked for, else as the hours say', async ({ api }) => {
  const eli = await host(api)
  const lengthsOf = async (query: string) => {
    const { data } = (await eli.get(`/api/me/slots?${query}`)).body
    return new Set(data.map(({ start, end }: Slot) => Date.parse(end) - Date.parse(start)))
  }
  expect(await lengthsOf('')).toEqual(new Set([always.minutes * 60_000]))
  expect(await lengthsOf('minutes=')).toEqual(new Set([always.minutes * 60_000]))
  expect(await lengthsOf('minutes=45')).toEqual(new Set([45 * 60_000]))
  for (const minutes of ['20', '0', 'x', '30.5'])
    expect((await eli.get(`/api/me/slots?minutes=${minutes}`)).status).toBe(400)
})

test('a talk that begins at the last moment of a span is listed in it', async ({ api }) => {
  const eli = await host(api)
  const sender = await offered(api, eli, [inDays(3)])
  await sender.post('/times', { start: inDays(3) })
  const listed = await eli.get(`/api/appointments?from=${inDays(2)}&to=${inDays(3)}`)
  expect(listed.body.data).toHaveLength(1)
})

test('an invitation that bounced goes again to the corrected address, while it holds', async ({
  db,
  api,
}) => {
  const eli = await host(api)
  const first = inDays(3)
  const second = inDays(4)
  const sender = await offered(api, eli, [first, second])
  const path = `/api/consultations/${sender.id}`
  const invitation = async () => (await sendDue(api)).find(({ kind }) => kind === 'message')
  const bounce = () =>
    rows(db, sql`update mail set delivery = 'bounced' where status = 'sent' and kind = 'message'`)
  const retry = async (id = '') => {
    const { status, body } = await eli.post(`/api/mail/${id}/retry`)
    return [status, body.message]
  }
  await sender.post('/times', { start: first })
  const booked = await invitation()
  await bounce()
  await eli.put(path, { email: 'ada@right.example' })
  expect(await retry(booked?.id)).toEqual([200, undefined])
  const again = await invitation()
  expect(again).toMatchObject({ to: 'ada@right.example', invite: { method: 'REQUEST' } })
  expect(again?.invite?.text).toContain('mailto:ada@right.example')

  // What was moved since has an invitation of its own.
  await bounce()
  await eli.put(`${path}/appointment`, { start: second })
  const moved = await invitation()
  const ended = [409, 'What this message says or links to has ended.']
  expect(await retry(again?.id)).toEqual(ended)
  await bounce()
  const past = JSON.stringify(new Date(0))
  await rows(
    db,
    sql`update mail set calendar = calendar || ('{"end":' || ${past}::text || '}')::jsonb
    where id = ${moved?.id}::uuid`,
  )
  expect(await retry(moved?.id)).toEqual(ended)
})

test('a time that is offered again with another length can be chosen by who holds it', async ({
  api,
}) => {
  const eli = await host(api)
  const start = inDays(3)
  const sender = await offered(api, eli, [start])
  await sender.post('/times', { start })
  expect((await sender.get('/times')).body.data.slots).toEqual([])
  const end = inDays(3, 11)
  const choice = { start, end }
  const choices = async () => (await sender.get('/times')).body.data.slots
  expect((await eli.post(`/api/consultations/${sender.id}/times`, { minutes: 60 })).status).toBe(
    201,
  )
  await leaveNow(api)
  expect(await choices()).toContainEqual(choice)
  expect(await sender.post('/times', { start })).toMatchObject({
    status: 201,
    body: { data: choice },
  })
  expect(await choices()).not.toContainEqual(choice)
})

test('a reminder waits until a day before, and follows the appointment', async ({ api }) => {
  const eli = await host(api)
  const sender = await offered(api, eli, [inDays(5), inDays(6)])
  await sender.post('/times', { start: inDays(5) })
  await sendDue(api)
  const reminders = () =>
    rows<{ due: string }>(
      api.deps.db,
      sql`select next_attempt_at as due from mail where calendar->>'what' = 'reminder' and status = 'waiting'`,
    )
  expect(await reminders()).toEqual([{ due: inDays(4) }])
  await sendDue(api)
  const listed = (await eli.get('/api/mail?status=waiting')).body.data
  expect(listed).toHaveLength(1)
  expect((await eli.get('/api/stats')).body.data.mail.waiting).toBe(listed.length)
  await sender.post('/times', { start: inDays(6) })
  expect(await reminders()).toEqual([{ due: inDays(5) }])
  await delayIsOver(api)
  const reminder = (await sendDue(api)).find(({ subject }) => subject.includes('tomorrow'))
  expect(reminder).toMatchObject({ text: expect.stringContaining(`/status/${sender.token}`) })
  expect(reminder?.invite).toBeUndefined()
  await eli.put(`/api/consultations/${sender.id}/appointment`, {
    state: 'cancelled',
    text: 'I am ill.',
  })
  expect(await reminders()).toEqual([])
  expect((await sendDue(api))[0]?.text).toContain('I am ill.')
})

test('a reminder is of no use once the talk has begun', async ({ api }) => {
  const eli = await host(api)
  const sender = await offered(api, eli, [inDays(3)])
  await sender.post('/times', { start: inDays(3) })
  const ends = sql`select expires_at as at from mail where expires_at is not null`
  expect(await rows(api.deps.db, ends)).toEqual([{ at: inDays(3) }])
})

test('an appointment that is made while its record is erased is cancelled with its host', async ({
  api,
  db,
}) => {
  const eli = await host(api)
  const sender = await offered(api, eli, [inDays(3)])
  await sender.post('/times', { start: inDays(3) })
  const invited = (await sendDue(api)).find(({ to }) => to === 'eli@staff.test')
  // The trigger sees it, and the statement of the erasure did not.
  await rows(db, sql`delete from consultations where id = ${sender.id}::uuid`)
  const [told, ...others] = await sendDue(api)
  expect(others).toEqual([])
  expect(told).toMatchObject({ to: 'eli@staff.test', invite: { method: 'CANCEL' } })
  expect(told?.invite?.text).toContain('an erased person')
  const uidOf = (text = '') => /^UID:.+$/m.exec(text)?.[0]
  expect(uidOf(told?.invite?.text)).toBeDefined()
  expect(uidOf(told?.invite?.text)).toBe(uidOf(invited?.invite?.text))
})

test('one’s own appointments are a calendar under a secret address', async ({ api }) => {
  const eli = await host(api)
  const sender = await offered(api, eli, [inDays(3)])
  await sender.post('/times', { start: inDays(3) })
  const hasFeed = async () => (await eli.get('/api/me/hours')).body.meta.feed
  expect(await hasFeed()).toBe(false)
  const { url } = (await eli.post('/api/me/calendar')).body.data
  expect(await hasFeed()).toBe(true)
  expect(url).toMatch(/^https:\/\/fledge\.test\/calendar\/[\w-]{32}\.ics$/)
  const { pathname } = new URL(url)
  const feed = await api.request(pathname)
  expect(feed.headers.get('Content-Type')).toBe('text/calendar; charset=utf-8')
  const text = await feed.text()
  expect(text).toMatch(/BEGIN:VEVENT[\s\S]*@record/)
  expect(text).toContain('X-WR-CALNAME:Talks\\, ')
  await eli.delete('/api/me/calendar')
  expect((await api.request(pathname)).status).toBe(404)
  expect(await hasFeed()).toBe(false)
})

test('a new password, a new role and the end of all sessions end the address of a calendar', async ({
  api,
}) => {
  const boss = await staff(api, 'superuser')
  const eli = await host(api)
  const feed = async () => {
    const token = await tokenOf(api.deps, eli)
    const made = await api.request('/api/me/calendar', { method: 'POST', token })
    const { pathname } = new URL(((await made.json()) as { data: { url: string } }).data.url)
    const status = async () => (await api.request(pathname)).status
    expect(await status()).toBe(200)
    return status
  }
  const account = `/api/users/${eli.id}`
  const withPassword = await feed()
  await boss.put(account, { password: 'Quiet-Rivers-41-Bend' })
  expect(await withPassword()).toBe(404)
  const withSessions = await feed()
  await boss.delete(`${account}/sessions`)
  expect(await withSessions()).toBe(404)
  const withRole = await feed()
  await boss.put(account, { role: 'user' })
  await boss.put(account, { role: 'editor' })
  expect(await withRole()).toBe(404)
  const token = await tokenOf(api.deps, eli)
  const hours = await api.request('/api/me/hours', { token })
  expect(await hours.json()).toMatchObject({ meta: { feed: false } })
})

test('the sender of a talk is offered a time that overlaps it', async ({ api }) => {
  const eli = await host(api)
  const sender = await offered(api, eli, [inDays(3)])
  await sender.post('/times', { start: inDays(3) })
  const at = new Date(Date.parse(inDays(3)) + 15 * 60_000).toISOString()
  const present = await eli.post(`/api/consultations/${sender.id}/times`, { slots: [inDays(3)] })
  expect(present.body.fields).toHaveProperty('slots')
  const other = await offered(api, eli, [inDays(4)])
  for (const slot of [at, inDays(3)]) {
    const times = { slots: [slot], minutes: 60 }
    expect((await eli.post(`/api/consultations/${sender.id}/times`, times)).status).toBe(201)
    const refused = await eli.post(`/api/consultations/${other.id}/times`, times)
    expect(refused.body.fields).toHaveProperty('slots')
  }
})

test('a talk whose host takes none any more is moved with another host alone', async ({ api }) => {
  const boss = await staff(api, 'superuser')
  const eli = await host(api)
  const mia = await host(api, 'mia')
  const sender = await offered(api, eli, [inDays(3)])
  await sender.post('/times', { start: inDays(3) })
  expect((await boss.put(`/api/users/${eli.id}`, { role: 'user' })).status).toBe(200)
  const path = `/api/consultations/${sender.id}/appointment`
  const refused = await mia.put(path, { start: inDays(4) })
  expect(refused).toMatchObject({ status: 400 })
  expect(refused.body.fields).toHaveProperty('host')
  const moved = await mia.put(path, { start: inDays(4), host: 'mia' })
  expect(moved.body.data).toMatchObject({ host: 'mia', start: inDays(4) })
})

test('a host who may not read records any more hears of no appointment', async ({ api }) => {
  const boss = await staff(api, 'superuser')
  const eli = await host(api)
  const sender = await offered(api, eli, [inDays(3)])
  await sender.post('/times', { start: inDays(3) })
  await sendDue(api)
  expect((await boss.put(`/api/users/${eli.id}`, { role: 'user' })).status).toBe(200)
  await sendDue(api)
  await api.request(`${sender.path}/times`, { method: 'DELETE' })
  expect((await sendDue(api)).map(({ kind }) => kind)).toEqual(['message'])
})

test('moved and cancelled appointments count towards the messages of an hour', async ({
  api,
  db,
}) => {
  const eli = await host(api)
  const sender = await offered(api, eli, [inDays(3)])
  await sender.post('/times', { start: inDays(3) })
  const path = `/api/consultations/${sender.id}/appointment`
  // One message of this hour is left.
  await rows(
    db,
    sql`update rate_limits set hits = array_fill(now()::timestamptz(3), array[199]) where key like 'messages:%'`,
  )
  expect((await eli.put(path, { start: inDays(4) })).status).toBe(200)
  expect((await eli.put(path, { start: inDays(5) })).status).toBe(429)
  expect((await eli.put(path, { state: 'cancelled' })).status).toBe(429)
  expect((await sender.get()).body.data.appointment).toMatchObject({
    start: inDays(4),
    state: 'booked',
  })
  // The sender's own change is no message.
  expect((await api.request(`${sender.path}/times`, { method: 'DELETE' })).status).toBe(200)
})

test('a sender moves an appointment up to 50 times a day', async ({ api }) => {
  const eli = await host(api)
  const sender = await offered(api, eli, undefined)
  expect((await sender.post('/times', { start: inDays(3) })).status).toBe(201)
  await rows(
    api.deps.db,
    sql`update rate_limits set hits = array_fill(now()::timestamptz(3), array[49]) where key like 'sender-appointment:%'`,
  )
  expect((await sender.post('/times', { start: inDays(4) })).status).toBe(201)
  expect((await sender.post('/times', { start: inDays(5) })).status).toBe(429)
})

test('appointments of the first and of the last year can be asked for', async ({ api }) => {
  const eli = await host(api)
  for (const query of [
    'from=0000-01-01&to=0000-01-02',
    'from=0001-01-01&to=0001-01-02',
    'from=9999-12-31',
    'from=9999-12-30&to=9999-12-31',
  ])
    expect((await eli.get(`/api/appointments?${query}`)).body.data).toEqual([])
})

test('an invitation that cannot be written holds up no other mail', async ({ api }) => {
  const eli = await host(api)
  await staff(api, 'superuser')
  const sender = await offered(api, eli, [inDays(3)])
  const path = `/api/consultations/${sender.id}`
  await sender.post('/times', { start: inDays(3) })
  const far = '9999-12-31T23:59:00Z'
  expect((await eli.put(`${path}/appointment`, { start: far })).status).toBe(400)
  expect((await eli.post(`${path}/times`, { slots: [far] })).status).toBe(400)
  await rows(
    api.deps.db,
    sql`update mail set calendar = calendar || '{"start": "never"}' where calendar is not null`,
  )
  await sender.post('/messages', { text: 'Are you there?' })
  expect((await sendDue(api)).map(({ text }) => text)).toEqual([
    expect.stringContaining('Are you there?'),
  ])
})

test('the file of an appointment is the same event as its invitation', async ({ api }) => {
  const eli = await host(api)
  await eli.put('/api/me/settings', { displayName: 'Zoë Ash' })
  const sender = await offered(api, eli, [inDays(3), inDays(4)])
  await sender.post('/times', { start: inDays(3) })
  await sender.post('/times', { start: inDays(4) })
  const invited = (await sendDue(api)).findLast(({ kind }) => kind === 'message')?.invite?.text
  const file = await (await api.request(`${sender.path}/appointment.ics`)).text()
  expect(file).toContain('SEQUENCE:1\r')
  expect(file).toContain('SUMMARY:Talk with Zoë\r')
  const linesOf = (text = '') => text.match(/^(?:UID|SUMMARY|DT(?:START|END)):.*$/gm)
  expect(linesOf(file)).toEqual(linesOf(invited))
})

test('a shorter break frees the times around talks that are booked', async ({ api }) => {
  const eli = await host(api, 'eli', { buffer: 60 })
  const [first, next] = [inDays(3), inDays(3).replace('T10:00', 'T10:30')]
  const [one, other] = [await offered(api, eli, [first]), await offered(api, eli, [inDays(4)])]
  expect((await one.post('/times', { start: first })).status).toBe(201)
  await eli.put('/api/me/hours', { ...always, buffer: 0 })
  await eli.post(`/api/consultations/${other.id}/times`, { slots: [next] })
  await leaveNow(api)
  expect((await other.get('/times')).body.data.slots).toHaveLength(1)
  expect((await other.post('/times', { start: next })).status).toBe(201)
})

test('the page calls a talk free unless it has a price', async ({ db }) => {
  const services = content()['consultation-services']
  const priced = (monthly: number | undefined) =>
    testApi(db, {
      content: {
        ...content(),
        'consultation-services': services.map(({ id, data }) => ({
          id,
          data: data.type === 'website' ? { ...data, monthly, once: true } : data,
        })),
      },
    })
  const free = priced(undefined)
  const { token } = await offered(free, await host(free), [inDays(3)])
  const text = async (api: TestApi) => (await api.request(`/status/${token}/times`)).text()
  expect(await text(free)).toContain('30 minutes, free.')
  const paid = await text(priced(49))
  expect(paid).toContain('30 minutes.')
  expect(paid).not.toMatch(/\bfree\b/)
})
