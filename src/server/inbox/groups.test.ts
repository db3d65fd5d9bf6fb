import fc from 'fast-check'
import { expect } from 'vitest'
import { answerNames, groups, type KindPath, kindPaths } from '#contract/inbox.ts'
import { addReply } from '#server/conversation/store.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { followAnswerDays } from '#server/kinds/store/answer-days.ts'
import { test, testApi, withPositions } from '#server/testing.ts'
import { withContent } from '#site/content.ts'
import { backdate, idsOf, type Json, type Staff, staff, submit } from './testing.ts'

const none = { late: 0, due: 0, open: 0, snoozed: 0, waiting: 0, done: 0 }

/** A record with what was done to it, in random order. */
const history = fc.record({
  kind: fc.constantFrom(...kindPaths),
  hoursAgo: fc.integer({ min: 0, max: 60 }),
  acts: fc.array(
    fc.oneof(
      fc.record({ act: fc.constant('status' as const), at: fc.nat({ max: 4 }) }),
      fc.record({ act: fc.constant('message' as const), at: fc.integer({ min: -1, max: 4 }) }),
      fc.record({ act: fc.constantFrom('reply', 'undo', 'withdraw', 'claim', 'spam', 'trash') }),
      fc.record({ act: fc.constant('snooze' as const), hours: fc.constantFrom(-2, 30) }),
    ),
    { maxLength: 5 },
  ),
})

test('every record is in exactly one group, and every count is the length of the list that it links to', async ({
  db,
  api,
}) => {
  const editor = await staff(api, 'superuser')
  const lived = async ({
    kind,
    hoursAgo,
    acts,
  }: typeof history extends fc.Arbitrary<infer T> ? T : never) => {
    const id = await submit(api, kind)
    await backdate(db, kind, id, sql`now() - make_interval(hours => ${hoursAgo})`)
    const path = `/api/${kind}/${id}`
    const { statuses } = kindByPath[kind]
    const statusAt = (at: number) => statuses[Math.min(at, statuses.length - 1)]
    let event: string | null = null
    for (const one of acts) {
      let answer: Json
      if (one.act === 'status') answer = await editor.put(path, { status: statusAt(one.at) })
      else if (one.act === 'message')
        answer = await editor.post(`${path}/messages`, {
          text: 'A word.',
          ...(one.at < 0 ? {} : { status: statusAt(one.at) }),
        })
      else if (one.act === 'snooze') {
        const snoozedUntil = new Date(Date.now() + one.hours * 3_600_000).toISOString()
        answer = await editor.put(path, { snoozedUntil })
      } else if (one.act === 'reply')
        await addReply(api.deps, kindByPath[kind], id, { kind: 'reply', text: 'And?' })
      else if (one.act === 'undo' && event) await editor.post('/api/undo', { event })
      else if (one.act === 'withdraw')
        await rows(
          db,
          sql`update ${kindByPath[kind].table} set withdrawn_at = now() where id = ${id}::uuid`,
        )
      else if (one.act === 'claim') answer = await editor.post(`${path}/claim`)
      else if (one.act === 'spam') answer = await editor.put(path, { box: 'spam' })
      else if (one.act === 'trash') answer = await editor.delete(path)
      event = answer?.body.meta?.event ?? event
    }
  }
  for (const one of fc.sample(history, { numRuns: 24, seed: 19 })) await lived(one)

  const { data: figures } = (await editor.get('/api/stats?days=30')).body
  for (const kind of kindPaths) {
    const filters = ['', '&assignee=superuser', '&assignee=none', '&q=text']
    for (const status of kindByPath[kind].statuses) filters.push(`&status=${status}`)
    for (const box of ['inbox', 'spam', 'trash'])
      for (const filter of box === 'inbox' ? filters : ['']) {
        const list = (rest: string) => editor.get(`/api/${kind}?box=${box}${filter}${rest}`)
        const all = await list('&sort=due&limit=200')
        const { meta } = all.body
        const found: string[] = []
        for (const group of groups) {
          const ofGroup = await list(`&group=${group}&sort=due&limit=200`)
          const { body } = ofGroup
          expect([kind, box, filter, group, body.data.length]).toEqual([
            ...[kind, box, filter, group],
            meta.groups[group],
          ])
          expect(body.meta.matching).toBe(body.data.length)
          expect(body.data.every((one: Json) => one.group === group)).toBe(true)
          found.push(...idsOf(ofGroup))
        }
        // The groups follow each other in the order of what is owed.
        expect(idsOf(all)).toEqual(found)
        expect(new Set(found).size).toBe(meta.matching)
        if (meta.matching > 3) {
          const jump = await list('&sort=due&skip=2&limit=2')
          expect(idsOf(jump)).toEqual(found.slice(2, 4))
          const first = await list('&sort=due&limit=2')
          const next = await list(`&sort=due&limit=2&cursor=${first.body.meta.nextCursor}`)
          expect(idsOf(next)).toEqual(found.slice(2, 4))
        }
        if (box === 'inbox' && filter === '') expect(figures.groups[kind]).toEqual(meta.groups)
      }
    for (const name of answerNames) {
      const { body } = await editor.get(`/api/${kind}?answers=${name}&days=30&limit=200`)
      expect(body.data).toHaveLength(figures.answersByKind[kind][name])
    }
  }
  const { due, inTime, late, open, share } = figures.answers
  expect(inTime + late + open).toBe(due)
  expect(share).toBe(due < 5 ? null : inTime / due)
  const sum = (group: 'late') =>
    kindPaths.reduce((total, kind) => total + figures.groups[kind][group], 0)
  expect(figures.overdue).toBe(sum('late'))
})

const groupOf = async (reader: Staff, kind: KindPath, id: string) => {
  const { data } = (await reader.get(`/api/${kind}/${id}`)).body
  return [data.group, data.waitingFor, data.untold]
}

test('an application owes an answer until a decision has been told by a message', async ({
  api,
}) => {
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'applications')
  const path = `/api/applications/${id}`
  const owed = () => groupOf(editor, 'applications', id)
  expect(await owed()).toEqual(['open', 'us', false])
  await editor.put(path, { status: 'reviewing' })
  expect(await owed()).toEqual(['open', 'us', false])
  await editor.post(`${path}/messages`, { text: 'Could we talk?', status: 'interviewed' })
  expect(await owed()).toEqual(['open', 'us', false])
  await editor.put(path, { status: 'rejected' })
  expect(await owed()).toEqual(['open', 'us', true])
  const told = await editor.post(`${path}/messages`, { text: 'We are sorry.' })
  expect(await owed()).toEqual(['done', null, false])
  await editor.post('/api/undo', { event: told.body.meta.event })
  expect(await owed()).toEqual(['open', 'us', true])
  await editor.post(`${path}/messages`, { text: 'Welcome!', status: 'accepted' })
  expect(await owed()).toEqual(['done', null, false])
  // A question after the decision owes an answer, and the decision stays told.
  await addReply(api.deps, kindByPath.applications, id, { kind: 'reply', text: 'When?' })
  expect(await owed()).toEqual(['due', 'us', false])
  await editor.post(`${path}/messages`, { text: 'On Monday.' })
  expect(await owed()).toEqual(['done', null, false])
})

test('an application is due at the end of its position’s day, and follows that day', async ({
  db,
}) => {
  const dated = withPositions({
    first: { opening: { open: true, answerBy: '2999-01-31' } },
    second: {},
  })
  const api = testApi(db, { content: dated })
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'applications', { position: 'first' })
  const other = await submit(api, 'applications', { position: 'second' })
  const dueOf = async (one: string) =>
    (await editor.get(`/api/applications/${one}`)).body.data.dueAt
  expect([await dueOf(id), await dueOf(other)]).toEqual(['2999-01-31T23:59:59.999Z', null])
  expect((await editor.get('/api/applications')).body.meta.groups).toEqual({
    ...none,
    due: 1,
    open: 1,
  })

  // A question has its own 24 hours; answered, the day of the decision counts again.
  await addReply(api.deps, kindByPath.applications, id, { kind: 'reply', text: 'A question.' })
  expect(Date.parse(await dueOf(id))).toBeLessThan(Date.now() + 25 * 3_600_000)
  await withContent(dated, () => followAnswerDays(db))
  expect(Date.parse(await dueOf(id))).toBeLessThan(Date.now() + 25 * 3_600_000)
  await editor.post(`/api/applications/${id}/messages`, { text: 'An answer.' })
  expect(await dueOf(id)).toBe('2999-01-31T23:59:59.999Z')

  const opening = { open: true, answerBy: '2998-06-30' }
  const later = withPositions({ first: {}, second: { opening } })
  await withContent(later, () => followAnswerDays(db))
  expect([await dueOf(id), await dueOf(other)]).toEqual([null, '2998-06-30T23:59:59.999Z'])
})
