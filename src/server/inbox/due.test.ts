import { expect } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { testOnAll } from '#server/testing.ts'
import { backdate, idsOf, staff, submit, test } from './testing.ts'

const HOUR = 3_600_000

test('a consultation owes an answer within 24 hours until its status says it was given', async ({
  api,
}) => {
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'consultations')
  const path = `/api/consultations/${id}`
  const { data: arrived } = (await editor.get(path)).body
  const dueAt = new Date(Date.parse(arrived.createdAt) + 24 * HOUR).toISOString()
  const owed = { dueAt, waitingFor: 'us' }
  expect(arrived).toMatchObject({
    ...owed,
    lastMessageAt: null,
    snoozedUntil: null,
    seenAt: null,
    withdrawnAt: null,
  })
  const answered = await editor.put(path, { status: 'contacted' })
  expect(answered.body.data).toMatchObject({ dueAt: null, waitingFor: 'them' })
  await editor.post('/api/undo', { event: answered.body.meta.event })
  expect((await editor.get(path)).body.data).toMatchObject(owed)
  await editor.put(path, { status: 'completed' })
  expect((await editor.put(path, { status: 'pending' })).body.data).toMatchObject(owed)
  const contact = (await editor.get(`/api/contacts/${await submit(api)}`)).body.data
  const contactDue = new Date(Date.parse(contact.createdAt) + 24 * HOUR).toISOString()
  expect(contact).toMatchObject({ dueAt: contactDue, waitingFor: 'us' })
})

testOnAll(
  'a list by due time begins with what is late and due, then what is snoozed and done',
  async ({ api, db }) => {
    const editor = await staff(api, 'editor')
    const submitted = async (due: string | null): Promise<string> => {
      const id = await submit(api, 'consultations')
      if (due)
        await rows(
          db,
          sql`update consultations set due_at = now() + ${due}::interval where id = ${id}::uuid`,
        )
      return id
    }
    const done = await submitted(null)
    await editor.put(`/api/consultations/${done}`, { status: 'completed' })
    const later = await submitted('3 days')
    const late = await submitted('-2 hours')
    const later2 = await submitted('4 days')
    const latest = await submitted('-3 hours')
    const snoozed = await submitted('-4 hours')
    const until = new Date(Date.now() + 100 * HOUR).toISOString()
    const put = await editor.put(`/api/consultations/${snoozed}`, { snoozedUntil: until })
    expect(put.body.data).toMatchObject({ snoozedUntil: until })
    const order = [latest, late, later, later2, snoozed, done]

    const path = '/api/consultations?sort=due'
    const list = await editor.get(path)
    expect(idsOf(list)).toEqual(order)
    const none = { late: 0, due: 0, open: 0, snoozed: 0, waiting: 0, done: 0 }
    expect(list.body.meta.groups).toEqual({ ...none, late: 2, due: 2, snoozed: 1, done: 1 })
    const searched = await editor.get(`${path}&q=text%20number`)
    expect(searched.body.meta.groups).toEqual(list.body.meta.groups)
    expect(idsOf(searched)).toEqual(order)
    const some = await editor.get('/api/consultations?status=completed')
    expect(some.body.meta.groups).toEqual({ ...none, done: 1 })

    const paged: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await editor.get(`${path}&limit=2${cursor && `&cursor=${cursor}`}`)
      paged.push(...idsOf(page))
      cursor = page.body.meta.nextCursor
    }
    expect(paged).toEqual(order)
  },
)

testOnAll(
  'a list by due time is paged without a gap where records came at the same moment',
  async ({ api, db }) => {
    const editor = await staff(api, 'editor')
    const submitted = async (): Promise<string[]> => {
      const ids: string[] = []
      while (ids.length < 4) ids.push(await submit(api, 'contacts'))
      return ids.toSorted()
    }
    const [owed, done, waiting] = [await submitted(), await submitted(), await submitted()]
    await rows(
      db,
      sql`update contacts set created_at = '2030-01-02T08:00:00Z', due_at = '2030-01-02T08:00:00Z'`,
    )
    await editor.post('/api/contacts/bulk', { ids: done, action: 'status', value: 'handled' })
    for (const id of waiting)
      expect((await editor.post(`/api/contacts/${id}/messages`, { text: 'Hello.' })).status).toBe(
        201,
      )
    const order = [...owed, ...waiting.toReversed(), ...done.toReversed()]
    for (const search of ['', '&q=text%20number']) {
      const path = `/api/contacts?sort=due${search}`
      expect(idsOf(await editor.get(path))).toEqual(order)
      for (const limit of [1, 2, 3]) {
        const paged: string[] = []
        let cursor: string | null = ''
        while (cursor !== null && paged.length < order.length) {
          const page = await editor.get(`${path}&limit=${limit}${cursor && `&cursor=${cursor}`}`)
          paged.push(...idsOf(page))
          cursor = page.body.meta.nextCursor
        }
        expect(paged).toEqual(order)
        const skipped = await editor.get(`${path}&limit=${limit}&skip=5`)
        expect(idsOf(skipped)).toEqual(order.slice(5, 5 + limit))
      }
    }
  },
)

test('what is due at the very end of the UTC day is due', async ({ db, api, reviewer }) => {
  const id = await submit(api, 'consultations')
  const last = sql`date_trunc('day', now(), 'UTC') + interval '1 day' - interval '1 millisecond'`
  await rows(db, sql`update consultations set due_at = ${last} where id = ${id}::uuid`)
  const { meta } = (await reviewer.get('/api/consultations')).body
  expect(meta.groups).toMatchObject({ late: 0, due: 1 })
})

test('a snooze is logged, undone and ended, and must be a time', async ({ api, editor }) => {
  const path = `/api/contacts/${await submit(api)}`
  const snoozedUntil = '2030-01-02T08:00:00.000Z'
  const set = await editor.put(path, { snoozedUntil: '2030-01-02T09:00:00+01:00' })
  expect(set.body.data).toMatchObject({ snoozedUntil, version: 2 })
  expect(set.body.data.activity.at(-1)).toMatchObject({ kind: 'snooze', by: 'editor' })
  expect((await editor.put(path, { snoozedUntil })).body.meta.event).toBeNull()
  await editor.post('/api/undo', { event: set.body.meta.event })
  expect((await editor.get(path)).body.data.snoozedUntil).toBeNull()
  for (const bad of ['tomorrow', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59', 5])
    expect((await editor.put(path, { snoozedUntil: bad })).status).toBe(400)
})

test('the first look of staff sets a time once, without a change or a log entry', async ({
  api,
}) => {
  const reviewer = await staff(api, 'reviewer')
  const path = `/api/contacts/${await submit(api)}`
  const first = await reviewer.post(`${path}/seen`)
  expect(first.status).toBe(200)
  const second = await reviewer.post(`${path}/seen`)
  expect(second.body.data).toEqual(first.body.data)
  const { data } = (await reviewer.get(path)).body
  expect(data).toMatchObject({ seenAt: first.body.data.seenAt, version: 1 })
  expect(data.activity).toHaveLength(1)
  const unknown = '/api/contacts/01890000-0000-7000-8000-000000000000/seen'
  expect((await reviewer.post(unknown)).status).toBe(404)
})

test('the dashboard counts by due time: what was reopened is late again', async ({ db, api }) => {
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'consultations')
  await backdate(db, 'consultations', id, sql`now() - interval '25 hours'`)
  const overdue = async () => (await editor.get('/api/stats')).body.data.overdue
  expect(await overdue()).toBe(1)
  await editor.put(`/api/consultations/${id}`, { status: 'contacted' })
  expect(await overdue()).toBe(0)
  await editor.put(`/api/consultations/${id}`, { status: 'pending' })
  expect(await overdue()).toBe(1)
})
