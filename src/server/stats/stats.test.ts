import { expect } from 'vitest'
import { applications } from '#contract/applications.ts'
import type { KindPath } from '#contract/inbox.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { backdate, type Json, staff, submit, test } from '#server/inbox/testing.ts'
import { samples } from '#server/intake/samples.ts'
import { testApi, testOnAll, withoutCareers, withPositions } from '#server/testing.ts'
import { talkService } from '#site/content.ts'

const service = String(samples.consultations.service)
const position = String(samples.applications.position)

const day = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

testOnAll(
  'the figures tell of arrivals, stages, sources, what is due and the state of mail',
  async ({ api, db }) => {
    const editor = await staff(api, 'editor')
    const quiet = await submit(api, 'consultations', { service: 'custom' })
    const late = await submit(api, 'consultations', {
      source: { referrer: 'https://User@Search.Example:8080/page?x=1', landingPage: '/' },
    })
    const soon = await submit(api, 'consultations', { source: { referrer: 'no address' } })
    const answered = await submit(api, 'consultations', {
      source: { utm_source: 'newsletter', referrer: 'https://search.example' },
    })
    await submit(api, 'applications', { website: 'a robot was here' })
    await submit(api, 'applications')
    const old = await submit(api, 'contacts')
    await backdate(db, 'consultations', late, sql`now() - interval '25 hours'`)
    await backdate(db, 'consultations', soon, sql`now() - interval '21 hours'`)
    await backdate(db, 'consultations', answered, sql`now() - interval '90 minutes'`)
    await backdate(db, 'contacts', old, sql`now() - interval '40 days'`)
    await editor.put(`/api/consultations/${answered}`, { status: 'contacted' })
    await rows(
      db,
      sql`update mail set status = case when kind = 'acknowledgement' then 'failed' else status end
      where record_id = ${quiet}::uuid`,
    )

    const { status, body } = await editor.get('/api/stats')
    expect(status).toBe(200)
    expect(body.data.days).toHaveLength(30)
    expect(body.data.days[0]).toEqual({
      day: day(29),
      consultations: 0,
      applications: 0,
      contacts: 0,
    })
    const sum = (kind: string) =>
      body.data.days.reduce(
        (total: number, one: Record<string, number>) => total + (one[kind] ?? 0),
        0,
      )
    expect([sum('consultations'), sum('applications'), sum('contacts')]).toEqual([4, 1, 0])
    expect(body.data.days.at(-1)).toMatchObject({ day: day(0), applications: 1 })
    expect(body.data).toMatchObject({
      byStatus: {
        consultations: { pending: 3, contacted: 1, completed: 0 },
        applications: { new: 1, reviewing: 0, interviewed: 0, accepted: 0, rejected: 0 },
        contacts: { new: 1, handled: 0 },
      },
      byService: { [talkService()]: 0, [service]: 3, custom: 1 },
      byPosition: { other: 0, [position]: 1 },
      bySource: { direct: 3, newsletter: 1, 'search.example': 1 },
      medianHoursToFirstAnswer: 1.5,
      // The contact from 40 days ago fell due before these days.
      answers: { due: 1, inTime: 0, late: 0, open: 1, share: null },
      answersByKind: { consultations: { due: 1, open: 1 }, contacts: { due: 0 } },
      groups: {
        consultations: { late: 1, due: 2, open: 0, snoozed: 0, waiting: 1, done: 0 },
        applications: { late: 0, due: 0, open: 1, snoozed: 0, waiting: 0, done: 0 },
        contacts: { late: 1, due: 0, open: 0, snoozed: 0, waiting: 0, done: 0 },
      },
      dueSoon: 1,
      overdue: 2,
      owed: {
        consultations: { dueSoon: 1, overdue: 1 },
        applications: { dueSoon: 0, overdue: 0 },
        contacts: { dueSoon: 0, overdue: 1 },
      },
      mail: { failed: 1 },
    })

    const today = (await editor.get('/api/stats?days=1')).body.data
    expect(today.days).toEqual([
      { day: day(0), consultations: expect.any(Number), applications: 1, contacts: 0 },
    ])
    const year = (await editor.get('/api/stats?days=365')).body.data
    expect(year.days).toHaveLength(365)
    expect(year.bySource.direct).toBe(4)
  },
)

test('an empty inbox has figures of nothing', async ({ reviewer }) => {
  const { body } = await reviewer.get('/api/stats?days=7')
  expect(body.data).toMatchObject({
    byStatus: { contacts: { new: 0, handled: 0 } },
    bySource: {},
    medianHoursToFirstAnswer: null,
    answers: { due: 0, inTime: 0, late: 0, open: 0, share: null },
    nextDue: null,
    nextBack: null,
    dueSoon: 0,
    overdue: 0,
    mail: { waiting: 0, failed: 0 },
  })
})

test('a message answers in time or late, unless it was recalled or nothing is owed', async ({
  api,
  db,
}) => {
  const editor = await staff(api, 'editor')
  const late = await submit(api, 'consultations')
  const recalled = await submit(api, 'consultations')
  const withdrawn = await submit(api, 'consultations')
  for (const id of [late, recalled, withdrawn])
    await backdate(db, 'consultations', id, sql`now() - interval '30 hours'`)
  await editor.post(`/api/consultations/${late}/messages`, { text: 'Yes, on Monday.' })
  const { body } = await editor.post(`/api/consultations/${recalled}/messages`, { text: 'No.' })
  await editor.post('/api/undo', { event: body.meta.event })
  await rows(
    db,
    sql`update consultations set withdrawn_at = now(), due_at = null where id = ${withdrawn}::uuid`,
  )
  const { data } = (await editor.get('/api/stats')).body
  expect(data.answers).toEqual({ due: 2, inTime: 0, late: 1, open: 1, share: null })
  expect(data.medianHoursToFirstAnswer).toBe(30)
})

test('the median of first answers is that of consultations and contacts, not of applications', async ({
  api,
  db,
}) => {
  const editor = await staff(api, 'editor')
  for (const [kind, hours] of [
    ['consultations', 2],
    ['contacts', 4],
    ['applications', 40],
  ] as const) {
    const id = await submit(api, kind)
    await backdate(db, kind, id, sql`now() - make_interval(hours => ${hours}::int)`)
    await editor.post(`/api/${kind}/${id}/messages`, { text: 'Yes, on Monday.' })
  }
  expect((await editor.get('/api/stats')).body.data.medianHoursToFirstAnswer).toBe(3)
})

test('a status that was undone is no first answer, one that was set again is', async ({
  api,
  db,
}) => {
  const editor = await staff(api, 'editor')
  const [undone, redone] = [await submit(api, 'consultations'), await submit(api, 'consultations')]
  const undo = async (event: string) => (await editor.post('/api/undo', { event })).body.meta.event
  const setAndUndo = async (id: string) => {
    const { body } = await editor.put(`/api/consultations/${id}`, { status: 'contacted' })
    return undo(body.meta.event)
  }
  await setAndUndo(undone)
  await undo(await setAndUndo(redone))
  const median = async () => (await editor.get('/api/stats')).body.data.medianHoursToFirstAnswer
  expect(await median()).toBe(0)
  await backdate(db, 'consultations', undone, sql`now() - interval '30 hours'`)
  await backdate(db, 'consultations', redone, sql`now() - interval '20 hours'`)
  await editor.post(`/api/consultations/${undone}/messages`, { text: 'Here we are.' })
  expect(await median()).toBe(25)
})

test('a status that is set back is no first answer, for the record is owed again', async ({
  api,
}) => {
  const editor = await staff(api, 'editor')
  const path = `/api/consultations/${await submit(api, 'consultations')}`
  const figures = async () => {
    const { medianHoursToFirstAnswer: median, groups } = (await editor.get('/api/stats')).body.data
    const [source] = (await editor.get('/api/stats/sources?days=7')).body.data
    return [groups.consultations.due, median, source.answered, source.inTime]
  }
  await editor.put(path, { status: 'contacted' })
  expect(await figures()).toEqual([0, 0, 1, 1])
  await editor.put(path, { status: 'pending' })
  expect(await figures()).toEqual([1, null, 0, 0])
  await editor.post(`${path}/messages`, { text: 'Yes, on Monday.', status: 'pending' })
  expect(await figures()).toEqual([0, 0, 1, 1])
})

testOnAll(
  'answers of a range of days agree with the lists, however they are divided',
  async ({ api, db }) => {
    const editor = await staff(api, 'editor', 'ada')
    const fellDue = async (kind: KindPath, at: string, changes: object = {}) => {
      const id = await submit(api, kind, { ...changes })
      await rows(
        db,
        sql`update ${sql.identifier(kind)} set due_at = ${at}::timestamptz where id = ${id}::uuid`,
      )
      return id
    }
    const told = await fellDue('consultations', '2026-03-31T23:59:59.999Z', { service: 'custom' })
    await fellDue('consultations', '2026-04-01T00:00:00Z')
    await fellDue('contacts', '2026-04-30T12:00:00Z')
    await fellDue('applications', '2026-04-15T12:00:00Z')
    const spam = await fellDue('contacts', '2026-04-15T12:00:00Z')
    await editor.put(`/api/contacts/${spam}`, { box: 'spam' })
    await editor.put(`/api/consultations/${told}`, { assignee: 'ada' })
    await editor.post(`/api/consultations/${told}/messages`, { text: 'Yes, on Monday.' })

    const range = (from: string, to: string) => ({
      read: async (by: string) =>
        (await editor.get(`/api/stats/answers?by=${by}&from=${from}&to=${to}`)).body,
      matching: async (kind: KindPath, filter: string) =>
        (await editor.get(`/api/${kind}?answers=due&dueFrom=${from}&dueTo=${to}&${filter}`)).body
          .meta.matching,
    })
    const months = range('2026-03-31', '2026-04-30')
    const counts = (body: Json) =>
      Object.fromEntries(
        body.data.map(({ key, due, late, open }: Json) => [key, [due, late, open]]),
      )
    expect(counts(await months.read('month'))).toEqual({
      '2026-03': [1, 1, 0],
      '2026-04': [3, 0, 3],
    })
    expect(counts(await months.read('person'))).toEqual({ none: [3, 0, 3], ada: [1, 1, 0] })
    expect(await months.matching('consultations', 'assignee=ada')).toBe(1)
    expect(counts(await months.read('service'))).toMatchObject({ custom: [1, 1, 0] })
    expect(await months.matching('consultations', `service=${service}`)).toBe(1)
    expect(counts(await months.read('position'))).toMatchObject({ [position]: [1, 0, 1] })

    const april = range('2026-04-01', '2026-04-30')
    const { data, meta } = await april.read('kind')
    expect(meta).toMatchObject({ from: '2026-04-01', total: { due: 3, share: null } })
    for (const { key, due } of data)
      expect([key, due]).toEqual([key, await april.matching(key, '')])

    const admin = await staff(api, 'admin')
    const file = await admin.fetch('/api/stats/answers.csv?by=month&from=2026-04-01&to=2026-05-31')
    expect(await file.text()).toBe(
      'month,due,inTime,late,open,share\r\n2026-04,3,0,0,3,\r\n2026-05,0,0,0,0,\r\n',
    )
    const log = await rows(db, sql`select kind, target_kind from events where kind = 'export'`)
    expect(log).toEqual([{ kind: 'export', target_kind: 'answers' }])
  },
)

test('every superuser is told that figures left as a file', async ({ api, db, admin }) => {
  await staff(api, 'superuser')
  for (const [file, what] of [
    ['answers', 'the figures of answers'],
    ['sources', 'the figures of visits'],
  ]) {
    expect((await admin.fetch(`/api/stats/${file}.csv`)).status).toBe(200)
    const mails = await rows<{ recipient: string; text: string }>(
      db,
      sql`delete from mail where kind = 'account' returning recipient, text`,
    )
    expect(mails).toEqual([
      {
        recipient: 'superuser@staff.test',
        text: expect.stringContaining(`admin exported ${what} as CSV on`),
      },
    ])
  }
})

test('a range of days that cannot be is refused', async ({ reviewer }) => {
  const statusOf = async (range: string) =>
    (await reviewer.get(`/api/stats/answers?${range}`)).status
  for (const range of ['from=2026-02-30', 'from=2026-05-01&to=2026-04-01', 'from=2024-01-01'])
    expect(await statusOf(range)).toBe(400)
  expect(await statusOf('from=0050-01-01&to=1950-12-01')).toBe(400)
  for (const range of ['from=9999-12-01&to=9999-12-31', 'to=0001-01-02', 'to=0050-01-10'])
    expect([range, await statusOf(range)]).toEqual([range, 200])
})

test('days are a whole number from 1 to 365', async ({ reviewer }) => {
  for (const days of ['0', '366', '-1', '1.5', 'ten', '']) {
    const { status, body } = await reviewer.get(`/api/stats?days=${days}`)
    expect([days, status, Object.keys(body.fields ?? {})]).toEqual([days, 400, ['days']])
  }
})

test('applicants who are owed an answer are counted by position, the longest wait first', async ({
  db,
}) => {
  const api = testApi(db, {
    content: withPositions({
      closed: { opening: { open: false } },
      closing: { opening: { open: true, closesAt: day(-3), answerBy: '2999-01-31' } },
      later: { opening: { open: true, closesAt: '2999-01-01' } },
      quiet: {},
    }),
  })
  const editor = await staff(api, 'editor')
  const apply = (position: string) => submit(api, 'applications', { position })
  const [first, second, written, withdrawn] = [
    await apply('closing'),
    await apply('closing'),
    await apply('later'),
    await apply('quiet'),
  ]
  const before = testApi(db, { content: withPositions({ closed: {} }) })
  const closed = await submit(before, 'applications', { position: 'closed' })
  await apply('other')
  await backdate(db, 'applications', closed, sql`'2026-01-05T10:00:00Z'`)
  await backdate(db, 'applications', first, sql`'2026-02-05T10:00:00Z'`)
  await rows(db, sql`update applications set withdrawn_at = now() where id = ${withdrawn}::uuid`)
  // Reading answers nobody, a word in between and a silent decision neither; a decision that is told does.
  await editor.put(`/api/applications/${second}`, { status: 'reviewing' })
  await editor.post(`/api/applications/${written}/messages`, { text: 'Come by.' })
  const decided = await apply('later')
  await editor.put(`/api/applications/${decided}`, { status: 'rejected' })
  const told = await apply('later')
  const message = { text: 'We are sorry.', status: 'rejected' }
  await editor.post(`/api/applications/${told}/messages`, message)

  const { body } = await editor.get('/api/stats')
  expect(body.data.unanswered).toEqual([
    {
      position: 'closed',
      group: 'open',
      count: 1,
      since: '2026-01-05T10:00:00.000Z',
      answerBy: null,
      closing: 'closed',
    },
    {
      position: 'closing',
      group: 'due',
      count: 2,
      since: '2026-02-05T10:00:00.000Z',
      answerBy: '2999-01-31',
      closing: 'soon',
    },
    {
      position: 'later',
      group: 'open',
      count: 2,
      since: expect.any(String),
      answerBy: null,
      closing: null,
    },
    {
      position: 'other',
      group: 'open',
      count: 1,
      since: expect.any(String),
      answerBy: null,
      closing: null,
    },
  ])
})

test('figures name a choice that the site has no more as its newest record does', async ({
  db,
}) => {
  const ofTitle = (title: string) => {
    const content = withPositions({ gone: {} })
    const positions = content.positions.map(({ id, data }) => ({ id, data: { ...data, title } }))
    return testApi(db, { content: { ...content, positions } })
  }
  for (const title of ['Zeppelin pilot', 'Balloon pilot']) {
    const id = await submit(ofTitle(title), 'applications', { position: 'gone' })
    await rows(db, sql`update applications set due_at = now() where id = ${id}::uuid`)
  }
  const editor = await staff(testApi(db), 'editor')
  const { unanswered } = (await editor.get('/api/stats')).body.data
  expect(unanswered).toMatchObject([{ position: 'gone', label: 'Balloon pilot' }])
  const figures = (await editor.get('/api/stats/answers?by=position')).body.data as Json[]
  expect(figures.filter(({ label }) => label)).toMatchObject([
    { key: 'gone', label: 'Balloon pilot', due: 2 },
  ])
})

test('figures, counts and records leave out what is switched off', async ({ db }) => {
  const sender = { email: 'both@mail.example', source: { referrer: 'https://search.example/' } }
  const application = await submit(testApi(db), 'applications', sender)
  await backdate(db, 'applications', application, sql`now() - interval '2 days'`)
  await rows(db, sql`update applications set due_at = now() - interval '1 day'`)
  const api = testApi(db, { content: withoutCareers() })
  const editor = await staff(api, 'editor')
  const contact = await submit(api, 'contacts', sender)
  const { data } = (await editor.get('/api/stats')).body
  const none = { late: 0, due: 0, open: 0, snoozed: 0, waiting: 0, done: 0 }
  expect(data).toMatchObject({
    groups: { applications: none, contacts: { ...none, due: 1 } },
    answers: { due: 0 },
    overdue: 0,
    dueSoon: 0,
    bySource: { 'search.example': 1 },
    unanswered: [],
  })
  expect(Object.keys(data.byStatus.applications)).toEqual(applications.statuses)
  expect(new Set(Object.values(data.byStatus.applications))).toEqual(new Set([0]))
  const sum = (kind: KindPath) => data.days.reduce((n: number, one: Json) => n + one[kind], 0)
  expect([sum('applications'), sum('contacts')]).toEqual([0, 1])
  for (const by of ['kind', 'position', 'person', 'month']) {
    const { status, body } = await editor.get(`/api/stats/answers?by=${by}`)
    expect([status, body.meta.total.due]).toEqual([200, 0])
  }
  const sources = (await editor.get('/api/stats/sources?days=7')).body.data
  expect(sources.map(({ sent }: Json) => sent)).toEqual([1])
  expect((await editor.get('/api/me/unread')).body.data).toEqual({
    consultations: 0,
    applications: 0,
    contacts: 1,
  })
  expect((await editor.get(`/api/contacts/${contact}`)).body.data.related).toEqual([])
})
