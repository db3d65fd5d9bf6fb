import fc from 'fast-check'
import { expect } from 'vitest'
import { makeUser } from '#server/auth/testing.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { testApi, testOnAll, testOnPostgres } from '#server/testing.ts'
import { type Json, type Staff, staff, submit, test } from './testing.ts'

/** What undo must bring back: everything but the record's own clock and counter, and what came of it. */
const essence = async (reader: Staff, id: string): Promise<Json> => {
  const {
    version: _v,
    updatedAt: _u,
    activity: _a,
    related: _r,
    mail: _m,
    ...rest
  } = (await reader.get(`/api/contacts/${id}`)).body.data
  return rest
}

testOnAll(
  'undo brings back the status with its who and when, and is undone in turn',
  async ({ api }) => {
    const [first, second] = [
      await staff(api, 'editor', 'first'),
      await staff(api, 'editor', 'second'),
    ]
    const id = await submit(api)
    await first.put(`/api/contacts/${id}`, { status: 'handled' })
    const before = await essence(first, id)
    const changed = await second.put(`/api/contacts/${id}`, { status: 'new', assignee: 'second' })
    const after = await essence(first, id)
    expect(after).toMatchObject({ status: 'new', handledBy: 'second', assignee: 'second' })

    const undone = await second.post('/api/undo', { event: changed.body.meta.event })
    expect(undone.status).toBe(200)
    expect(undone.body.data).toEqual({ reverted: [id], conflicts: [] })
    expect(await essence(first, id)).toEqual(before)
    const { activity, version } = (await first.get(`/api/contacts/${id}`)).body.data
    expect(version).toBe(4)
    expect(activity.at(-1)).toMatchObject({ kind: 'undo', by: 'second' })

    const again = await second.post('/api/undo', { event: changed.body.meta.event })
    expect(again.body).toMatchObject({
      data: { reverted: [], conflicts: [id] },
      meta: { event: null },
    })
    const redone = await second.post('/api/undo', { event: undone.body.meta.event })
    expect(redone.body.data.reverted).toEqual([id])
    expect(await essence(first, id)).toEqual(after)
  },
)

testOnAll(
  'undo of a bulk change leaves what others have changed since; a note is no change',
  async ({ api }) => {
    const [admin, other] = [await staff(api, 'admin'), await staff(api, 'editor')]
    const ids = [await submit(api), await submit(api), await submit(api)]
    const [changed, noted, left] = ids as [string, string, string]
    for (const [action, value, back] of [
      ['delete', undefined, { box: 'inbox' }],
      ['spam', true, { box: 'inbox', spam: null }],
      ['status', 'handled', { status: 'new', handledBy: null, handledAt: null }],
      ['assign', 'editor', { assignee: null }],
    ] as const) {
      const { meta } = (await admin.post('/api/contacts/bulk', { ids, action, value })).body
      if (action === 'status') {
        await other.put(`/api/contacts/${changed}`, { status: 'new' })
        await other.post(`/api/contacts/${noted}/notes`, { text: 'Only a note.' })
      }
      const { data } = (await admin.post('/api/undo', { event: meta.event })).body
      const expected = action === 'status' ? [noted, left] : ids
      expect([action, data.reverted.toSorted()]).toEqual([action, expected.toSorted()])
      expect(data.conflicts).toEqual(action === 'status' ? [changed] : [])
      for (const id of expected) expect(await essence(admin, id)).toMatchObject(back)
    }
    expect((await essence(admin, changed)).handledBy).toBe('editor')
  },
)

test('undo of a release sets the record apart again and recalls its mail', async ({ db }) => {
  const api = testApi(db)
  await staff(api, 'superuser')
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'contacts', { website: 'x' })
  const before = await essence(editor, id)
  const { meta } = (await editor.put(`/api/contacts/${id}`, { box: 'inbox' })).body
  await rows(db, sql`update mail set status = 'sent' where kind = 'staff'`)
  await editor.post('/api/undo', { event: meta.event })
  expect(await essence(editor, id)).toEqual(before)
  const messages = await rows(db, sql`select kind, status from mail order by kind`)
  expect(messages).toEqual([
    { kind: 'acknowledgement', status: 'held' },
    { kind: 'staff', status: 'sent' },
  ])
})

test('undo of marking spam lets the mail go again', async ({ api, db }) => {
  const editor = await staff(api, 'editor')
  const id = await submit(api)
  const { meta } = (await editor.put(`/api/contacts/${id}`, { box: 'spam' })).body
  await editor.post('/api/undo', { event: meta.event })
  expect(await essence(editor, id)).toMatchObject({ box: 'inbox', spam: null })
  expect(await rows(db, sql`select status from mail`)).toEqual([{ status: 'waiting' }])
})

test('undo of an assignment to somebody who was deleted assigns nobody', async ({ db }) => {
  const api = testApi(db)
  const editor = await staff(api, 'editor')
  const leaver = await staff(api, 'admin', 'leaver')
  const id = await submit(api)
  await editor.put(`/api/contacts/${id}`, { assignee: 'leaver' })
  const { meta } = (await editor.put(`/api/contacts/${id}`, { assignee: 'editor' })).body
  await rows(db, sql`delete from users where id = ${leaver.id}::uuid`)
  const { status, body } = await editor.post('/api/undo', { event: meta.event })
  expect([status, body.data.reverted]).toEqual([200, [id]])
  expect((await essence(editor, id)).assignee).toBeNull()
})

testOnPostgres(
  'undo at the moment its assignee is deleted assigns nobody, and fails nobody',
  async ({ api, db }) => {
    const superuser = await staff(api, 'superuser')
    const id = await submit(api)
    for (let round = 0; round < 20; round += 1) {
      const editor = await makeUser(db, `editor-${round}`, 'editor')
      await superuser.put(`/api/contacts/${id}`, { assignee: editor.username })
      const { event } = (await superuser.put(`/api/contacts/${id}`, { assignee: null })).body.meta
      const answers = await Promise.all([
        superuser.delete(`/api/users/${editor.id}`),
        superuser.post('/api/undo', { event }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect((await superuser.get(`/api/contacts/${id}`)).body.data.assignee).toBeNull()
    }
  },
)

test('one undoes one’s own changes only', async ({ api }) => {
  const [first, second] = [await staff(api, 'editor', 'first'), await staff(api, 'admin', 'second')]
  const id = await submit(api)
  const { meta } = (await first.put(`/api/contacts/${id}`, { status: 'handled' })).body
  const { status, body } = await second.post('/api/undo', { event: meta.event })
  expect([status, body.code]).toEqual([403, 'forbidden'])
  expect((await essence(first, id)).status).toBe('handled')
})

test('what is no event is a 404, what is no name of one a 400', async ({ api, editor }) => {
  const id = await submit(api)
  const note = await editor.post(`/api/contacts/${id}/notes`, { text: 'A note' })
  for (const event of ['01890000-0000-7000-8000-000000000000', 'x', '', id, note.body.data._id])
    expect([event, (await editor.post('/api/undo', { event })).status]).toEqual([event, 404])
  for (const event of [7, null, undefined, [id], {}])
    expect([event, (await editor.post('/api/undo', { event })).status]).toEqual([event, 400])
  expect((await editor.post('/api/undo', [])).status).toBe(400)
})

test('undoing everything, last first, restores everything exactly', async ({ api }) => {
  const [admin, editor] = [await staff(api, 'admin'), await staff(api, 'editor')]
  const step = fc.oneof(
    fc.record({
      put: fc.record(
        {
          status: fc.constantFrom('new', 'handled'),
          assignee: fc.constantFrom('admin', 'editor', null),
          box: fc.constantFrom('inbox', 'spam'),
        },
        { requiredKeys: [] },
      ),
    }),
    fc.record({
      bulk: fc.constantFrom(
        { action: 'delete' },
        { action: 'restore' },
        { action: 'spam', value: true },
        { action: 'spam', value: false },
        { action: 'status', value: 'handled' },
        { action: 'assign', value: 'editor' },
      ),
    }),
    fc.record({ keep: fc.boolean() }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (steps, isSpam) => {
        const ids = [
          await submit(api, 'contacts', isSpam ? { website: 'x' } : {}),
          await submit(api),
        ]
        // Somebody else's change comes first: its who and when must survive.
        await editor.put(`/api/contacts/${ids[0]}`, { status: 'handled', assignee: 'editor' })
        const states = async () => Promise.all(ids.map((id) => essence(admin, id)))
        const before = await states()
        const events: string[] = []
        for (const one of steps) {
          const path = `/api/contacts/${ids[0]}`
          const { body } =
            'put' in one
              ? await admin.put(path, one.put)
              : 'keep' in one
                ? await admin.put(`${path}/keep`, one)
                : await admin.post('/api/contacts/bulk', { ids, ...one.bulk })
          if (body.meta?.event) events.push(body.meta.event)
        }
        for (const event of events.toReversed()) {
          const { body } = await admin.post('/api/undo', { event })
          expect(body.data.conflicts).toEqual([])
        }
        expect(await states()).toEqual(before)
      },
    ),
    { numRuns: 20 },
  )
})

/** Each kind of change, what goes before it, and whether its undo needs the right to delete. */
const changes: Record<string, { before?: Step[]; change: Step; deletes: boolean }> = {
  'of a status': { change: ['put', '', { status: 'handled' }], deletes: false },
  'of an assignee': { change: ['put', '', { assignee: 'admin' }], deletes: false },
  'of a spam mark': { change: ['put', '', { box: 'spam' }], deletes: false },
  'of a release': {
    before: [['put', '', { box: 'spam' }]],
    change: ['put', '', { box: 'inbox' }],
    deletes: false,
  },
  'of a deletion': { change: ['delete', ''], deletes: true },
  'of a restoration': {
    before: [['delete', '']],
    change: ['post', '/restore'],
    deletes: true,
  },
  'of an exemption from retention': { change: ['put', '/keep', { keep: true }], deletes: true },
  'of the undo of a status': {
    before: [['put', '', { status: 'handled' }]],
    change: 'undo',
    deletes: false,
  },
  'of the undo of a deletion': { before: [['delete', '']], change: 'undo', deletes: true },
}
type Step = ['put' | 'post' | 'delete', string, unknown?] | 'undo'

const take = async (step: Step, admin: Staff, id: string, event: string) => {
  if (step === 'undo') return admin.post('/api/undo', { event })
  const [method, suffix, body] = step
  return admin[method](`/api/contacts/${id}${suffix}`, body)
}

for (const [name, { before = [], change, deletes }] of Object.entries(changes))
  test(`the undo ${name} needs the right of today`, async ({ api, db, admin }) => {
    const id = await submit(api)
    let event = ''
    for (const step of [...before, change])
      event = (await take(step, admin, id, event)).body.meta.event
    const stored = (await admin.get(`/api/contacts/${id}`)).body
    for (const [role, mayUndo] of [
      ['user', false],
      ['reviewer', false],
      ['editor', !deletes],
      ['admin', true],
    ] as const) {
      await rows(db, sql`update users set role = ${role} where id = ${admin.id}::uuid`)
      const answer = await admin.post('/api/undo', { event })
      expect(answer.status, role).toBe(mayUndo ? 200 : 403)
      if (mayUndo) break
      await rows(db, sql`update users set role = 'admin' where id = ${admin.id}::uuid`)
      expect((await admin.get(`/api/contacts/${id}`)).body).toEqual(stored)
    }
  })

test('the undo of a bulk deletion needs the right of today', async ({ api, db, admin }) => {
  const ids = [await submit(api), await submit(api)]
  const deleted = await admin.post('/api/contacts/bulk', { ids, action: 'delete' })
  await rows(db, sql`update users set role = 'editor'`)
  const refused = await admin.post('/api/undo', { event: deleted.body.meta.event })
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect((await admin.get('/api/contacts?box=trash')).body.meta.matching).toBe(2)
})
