import { expect } from 'vitest'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { leaveNow, submitAndOpen } from '#server/status-page/testing.ts'
import { test, testApi, testConfig } from '#server/testing.ts'
import { startReceiver } from '#tests/webhook-receiver.ts'
import { always, host, inDays } from './testing.ts'

/** A calendar that is busy at the given hours. */
const calendar = (...starts: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...starts.flatMap((start, n) => [
      'BEGIN:VEVENT',
      `UID:event-${n}@calendar.test`,
      `DTSTART:${start.replace(/[-:]|\.\d+/g, '')}`,
      'DURATION:PT1H',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

type Answer = Parameters<typeof startReceiver>[0]

/** A host whose calendar is on a server that this process trusts. */
const setUp = async (db: Database, answer: Answer, privateHosts?: (own: string) => string[]) => {
  const server = await startReceiver(answer)
  const own = privateHosts?.(server.host) ?? [server.host]
  const api = testApi(db, { config: { ...testConfig, privateHosts: own } })
  const eli = await host(api, 'eli', { busyUrl: server.url })
  const check = () => eli.post('/api/me/hours/check')
  const state = async () => (await eli.get('/api/me/hours')).body.meta.busy
  return { server, api, eli, check, state }
}

test('a calendar is read over https, and its hours are not free', async ({ db }) => {
  const { eli, check, state, server } = await setUp(db, () => ({
    status: 200,
    body: calendar(inDays(3), inDays(4)),
  }))
  expect(await state()).toMatchObject({ state: 'stale', at: null })
  // Saving reads nothing.
  expect(server.received).toEqual([])
  const end = new Date(Date.parse(inDays(4)) + 3_600_000).toISOString()
  expect((await check()).body.data).toMatchObject({ events: 2, from: inDays(3), to: end })
  expect(await state()).toMatchObject({ state: 'fresh', problem: null })
  const day = inDays(3).slice(0, 10)
  const { data } = (await eli.get(`/api/me/slots?from=${day}&to=${day}`)).body
  expect(data.map(({ start }: { start: string }) => start)).not.toContain(inDays(3))
  expect(data).toHaveLength(46)
})

test('a calendar that was read within a day counts as connected', async ({ db }) => {
  const { check, state } = await setUp(db, () => ({ status: 200, body: calendar(inDays(3)) }))
  await check()
  const readBefore = (hours: number) =>
    rows(
      db,
      sql`update host_hours set busy_read_at = now() - make_interval(hours => ${hours}::int)`,
    )
  await readBefore(23)
  expect(await state()).toMatchObject({ state: 'fresh' })
  await readBefore(25)
  expect(await state()).toMatchObject({ state: 'stale', problem: null })
})

test('whole days follow the zone that the hours change to', async ({ db }) => {
  let status = 200
  const first = inDays(3, 0)
  const body = calendar(first).replace(/DTSTART:(\d+)T\w+/, 'DTSTART;VALUE=DATE:$1')
  const { eli, check } = await setUp(db, () => ({
    status,
    body: body.replace('DURATION:PT1H', 'DURATION:P1D'),
  }))
  await check()
  const isFree = async (start: string) => {
    const { data } = (await eli.get(`/api/me/slots?from=${inDays(2)}&to=${inDays(4, 23)}`)).body
    return data.some((slot: { start: string }) => slot.start === start)
  }
  const [before, last] = [-9, 23].map((hours) =>
    new Date(Date.parse(first) + hours * 3_600_000).toISOString(),
  ) as [string, string]
  expect([await isFree(before), await isFree(last)]).toEqual([true, false])
  await eli.put('/api/me/hours', { ...always, timeZone: 'Asia/Tokyo' })
  expect([await isFree(before), await isFree(last)]).toEqual([false, true])
  // The copy still counts where the calendar does not answer.
  status = 500
  await eli.put('/api/me/hours', { ...always, timeZone: 'UTC' })
  expect([await isFree(before), await isFree(last)]).toEqual([false, true])
})

test('a redirect leads on within https and never to a private host', async ({ db }) => {
  let location = '/calendar.ics'
  const { check, state } = await setUp(db, ({ headers }) =>
    headers['x-last'] ? 500 : { status: 302, headers: { Location: location } },
  )
  const sentences: Record<string, string> = {
    '/again': 'Its address leads in circles.',
    'https://127.0.0.2/calendar.ics': 'The address leads to a private network.',
    'https://[::1]/calendar.ics': 'The address leads to a private network.',
    'https://0x7f.1/calendar.ics': 'The address leads to a private network.',
    'http://localhost/calendar.ics': 'The address leads to a page without https.',
    'https://': 'Its address leads nowhere.',
  }
  for (const [target, sentence] of Object.entries(sentences)) {
    location = target
    expect([target, (await check()).body.fields?.busyUrl]).toEqual([target, [sentence]])
    expect(await state()).toMatchObject({ state: 'failed', problem: sentence })
  }
})

test('a private host is reached only where PRIVATE_HOSTS names it', async ({ db }) => {
  for (const named of [[], ['localhost:1'], ['other.test']]) {
    const { check, server, eli } = await setUp(
      db,
      () => ({ status: 200, body: calendar() }),
      () => named,
    )
    expect((await check()).body.fields.busyUrl).toEqual(['The address leads to a private network.'])
    expect(server.received).toEqual([])
    await rows(db, sql`delete from users where id = ${eli.id}::uuid`)
  }
  const named = await setUp(
    db,
    () => ({ status: 200, body: calendar() }),
    () => ['localhost'],
  )
  expect((await named.check()).body.data).toEqual({ events: 0, from: null, to: null })
})

test('what is no calendar, cut off or larger than 2 MB is refused with its reason', async ({
  db,
}) => {
  let body = ''
  const { check, state } = await setUp(db, () => ({ status: 200, body }))
  for (const [given, reason] of [
    ['<html>Sign in</html>', /no calendar file/],
    [calendar(inDays(3)).slice(0, -20), /cut off|ends/i],
    [
      calendar(inDays(3)).replace('VERSION:2.0', `X-FILL:${'x'.repeat(2_000_001)}`),
      /larger than 2 MB/,
    ],
  ] as const) {
    body = given
    const answer = await check()
    expect(answer.status).toBe(400)
    expect(answer.body.fields.busyUrl[0]).toMatch(reason)
    expect(await state()).toMatchObject({ state: 'failed' })
  }
})

test('while a calendar does not answer, its last copy counts for 24 hours', async ({ db }) => {
  let isUp = true
  const { api, eli, check, state } = await setUp(db, () =>
    isUp ? { status: 200, body: calendar(inDays(3)) } : 503,
  )
  await check()
  isUp = false
  const sender = await submitAndOpen(api)
  await eli.post(`/api/consultations/${sender.id}/times`, { slots: [inDays(4)] })
  await leaveNow(api)
  const offered = await eli.post(`/api/consultations/${sender.id}/times`, { slots: [inDays(3)] })
  expect(offered.body.fields).toHaveProperty('slots')
  expect((await sender.post('/times', { start: inDays(4) })).status).toBe(201)
  expect(await state()).toMatchObject({ state: 'stale', problem: 'Its server answers 503.' })
  await rows(
    db,
    sql`update host_hours set busy_read_at = now() - interval '25 hours', busy_tried_at = now() - interval '1 hour'`,
  )
  expect(
    (await eli.post(`/api/consultations/${sender.id}/times`, { slots: [inDays(3)] })).status,
  ).toBe(201)
  expect(await state()).toMatchObject({ state: 'failed' })
})

test('a host who has become busy meanwhile is not booked, and a hanging calendar holds nobody up', async ({
  db,
}) => {
  let answer: Answer = () => ({ status: 200, body: calendar() })
  const { api, eli } = await setUp(db, (received) => answer?.(received) ?? 500)
  const sender = await submitAndOpen(api)
  await eli.post(`/api/consultations/${sender.id}/times`, { slots: [inDays(3), inDays(4)] })
  await leaveNow(api)
  answer = () => ({ status: 200, body: calendar(inDays(3)) })
  const refused = await sender.post('/times', { start: inDays(3) })
  expect(refused).toMatchObject({ status: 409, body: { code: 'taken' } })
  expect(refused.body.data.slots).toEqual([expect.objectContaining({ start: inDays(4) })])
  const hanging = Promise.withResolvers<number>()
  answer = () => hanging.promise
  // The call waits three seconds for the calendar, then its copy counts.
  expect((await sender.post('/times', { start: inDays(4) })).status).toBe(201)
  hanging.resolve(200)
  expect((await eli.get('/api/me/hours')).body.meta.busy.problem).toBe(
    'It does not answer in time.',
  )
})
