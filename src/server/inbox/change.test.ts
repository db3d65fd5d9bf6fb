import { expect } from 'vitest'
import { kindPaths } from '#contract/inbox.ts'
import { kinds } from '#contract/kinds.ts'
import { signInAs } from '#server/auth/testing.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { overlap, testApi, testOnAll, testOnPostgres } from '#server/testing.ts'
import { idsOf, type Json, staff, submit, test } from './testing.ts'

const unknownId = '01890000-0000-7000-8000-000000000000'

const mailOf = (db: Database, id: string): Promise<{ kind: string; status: string }[]> =>
  rows(db, sql`select kind, status from mail where record_id = ${id}::uuid order by kind`)

for (const kind of kindPaths)
  test(`${kind}: every status may follow any, and who and when are the server's own`, async ({
    api,
  }) => {
    const editor = await staff(api, 'editor')
    const id = await submit(api, kind)
    const { statuses, who, at } = kinds[kind]
    let version = 1
    for (const status of [...statuses.slice(1), ...statuses.toReversed().slice(1)]) {
      const { status: code, body } = await editor.put(`/api/${kind}/${id}`, {
        status,
        [who]: 'somebody else',
        [at]: '2001-01-01T00:00:00Z',
        version,
        name: 'Renamed',
      })
      version += 1
      expect(code).toBe(200)
      expect(body.data).toMatchObject({ status, [who]: 'editor', version })
      expect(Math.abs(Date.parse(body.data[at]) - Date.now())).toBeLessThan(60_000)
      expect(body.data.updatedAt).toBe(body.data[at])
      expect(body.data.name).not.toBe('Renamed')
      expect(body.meta.event).toMatch(/^[0-9a-f-]{36}$/)
    }
    const { activity } = (await editor.get(`/api/${kind}/${id}`)).body.data
    expect(activity[1]).toEqual({
      _id: expect.any(String),
      at: expect.any(String),
      by: 'editor',
      kind: 'status',
      from: statuses[0],
      to: statuses[1],
    })
    expect(activity).toHaveLength(version)
  })

testOnAll('several fields change at once under one event, each in the activity', async ({ db }) => {
  const api = testApi(db)
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'applications')
  const { body } = await editor.put(`/api/applications/${id}`, {
    status: 'reviewing',
    assignee: 'EDITOR',
    box: 'spam',
  })
  expect(body.data).toMatchObject({
    status: 'reviewing',
    reviewedBy: 'editor',
    assignee: 'editor',
    box: 'spam',
    spam: ['staff'],
    version: 2,
  })
  expect(body.data.activity.map((e: Json) => [e.kind, e.from, e.to])).toEqual([
    ['created', undefined, undefined],
    ['assign', null, 'editor'],
    ['spam', undefined, undefined],
    ['status', 'new', 'reviewing'],
  ])
  const changes = await rows(db, sql`select distinct change_id from events where by = 'editor'`)
  expect(changes).toEqual([{ change_id: body.meta.event }])
})

testOnAll('setting what is set changes and logs nothing', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'contacts')
  await editor.put(`/api/contacts/${id}`, { status: 'handled', assignee: 'editor' })
  const before = (await editor.get(`/api/contacts/${id}`)).body.data
  for (const same of [
    {},
    { status: 'handled' },
    { assignee: 'editor', box: 'inbox' },
    { version: 2 },
    { unknown: 'field' },
  ]) {
    const { status, body } = await editor.put(`/api/contacts/${id}`, same)
    expect([status, body.meta, body.data]).toEqual([200, { event: null }, before])
  }
})

testOnAll('a stale version is a conflict that brings the stored record', async ({ api }) => {
  const [first, second] = [
    await staff(api, 'editor', 'first'),
    await staff(api, 'editor', 'second'),
  ]
  const id = await submit(api, 'consultations')
  await first.put(`/api/consultations/${id}`, { status: 'contacted', version: 1 })
  for (const change of [
    { status: 'completed', version: 1 },
    { status: 'contacted', version: 3 },
    { version: -1 },
    { assignee: 'first', version: 0 },
    { status: 'completed', version: Number.MAX_SAFE_INTEGER },
  ]) {
    const { status, body } = await second.put(`/api/consultations/${id}`, change)
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect(body.data).toMatchObject({
      _id: id,
      status: 'contacted',
      version: 2,
      completedBy: 'first',
    })
  }
  const last = await second.put(`/api/consultations/${id}`, { status: 'completed' })
  expect(last.body.data).toMatchObject({ status: 'completed', completedBy: 'second', version: 3 })
  expect(last.body.data.activity.map((e: Json) => e.by)).toEqual([null, 'first', 'second'])
})

testOnAll('an assignee is someone who may change records', async ({ api, db }) => {
  const editor = await staff(api, 'editor')
  const admin = await staff(api, 'admin', 'Ad.Min')
  await staff(api, 'reviewer')
  await staff(api, 'user', 'guest')
  const id = await submit(api, 'contacts')
  const put = (body: unknown) => editor.put(`/api/contacts/${id}`, body)
  for (const assignee of ['reviewer', 'guest', 'nobody', '', 'none', '\u0000', 'a\ud800']) {
    const { status, body } = await put({ assignee, status: 'handled' })
    expect([assignee, status, body.code, Object.keys(body.fields)]).toEqual([
      assignee,
      400,
      'invalid',
      ['assignee'],
    ])
  }
  expect((await put({ assignee: 7 })).status).toBe(400)
  expect((await put({ assignee: 'ad.min' })).body.data.assignee).toBe('Ad.Min')
  await rows(db, sql`update users set username = 'renamed' where id = ${admin.id}::uuid`)
  const renamed = (await editor.get(`/api/contacts/${id}`)).body.data
  expect(renamed).toMatchObject({ assignee: 'renamed', version: 2, status: 'new' })
  expect(renamed.activity.at(-1)).toMatchObject({ kind: 'assign', from: null, to: 'Ad.Min' })
  await rows(db, sql`delete from users where id = ${admin.id}::uuid`)
  expect((await editor.get(`/api/contacts/${id}`)).body.data.assignee).toBeNull()
  expect(idsOf(await editor.get('/api/contacts?assignee=none'))).toEqual([id])
  expect((await editor.get('/api/contacts?assignee=none')).body.meta.matching).toBe(1)
  expect((await put({ assignee: null })).body.meta.event).toBeNull()
})

test('a change is refused field by field', async ({ api, editor }) => {
  const id = await submit(api, 'contacts')
  const refused: [unknown, string[]][] = [
    [{ status: 'pending' }, ['status']],
    [{ status: null }, ['status']],
    [{ box: 'trash' }, ['box']],
    [{ version: 1.5 }, ['version']],
    [{ version: '1' }, ['version']],
    [{ status: 7, box: 7, assignee: 7 }, ['status', 'assignee', 'box']],
  ]
  for (const [body, fields] of refused) {
    const answer = await editor.put(`/api/contacts/${id}`, body)
    expect([answer.status, Object.keys(answer.body.fields).sort()]).toEqual([400, fields.sort()])
  }
  for (const body of [[], null, 7])
    expect((await editor.put(`/api/contacts/${id}`, body)).status).toBe(400)
  expect((await editor.get(`/api/contacts/${id}`)).body.data.version).toBe(1)
})

test('what staff mark as spam keeps its mail back; a release lets it go', async ({ db }) => {
  const api = testApi(db)
  await staff(api, 'superuser')
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'contacts')
  expect(await mailOf(db, id)).toEqual([
    { kind: 'acknowledgement', status: 'waiting' },
    { kind: 'staff', status: 'waiting' },
  ])
  const marked = await editor.put(`/api/contacts/${id}`, { box: 'spam' })
  expect(marked.body.data).toMatchObject({ box: 'spam', spam: ['staff'] })
  expect((await mailOf(db, id)).map((m) => m.status)).toEqual(['held', 'held'])
  const released = await editor.put(`/api/contacts/${id}`, { box: 'inbox' })
  expect(released.body.data).toMatchObject({ box: 'inbox', spam: null, version: 3 })
  expect((await mailOf(db, id)).map((m) => m.status)).toEqual(['waiting', 'waiting'])
  expect(released.body.data.activity.map((e: Json) => e.kind)).toEqual([
    'created',
    'spam',
    'release',
  ])
})

testOnAll(
  'a release lets acknowledgements go only within the limit of their recipient',
  async ({ api, db }) => {
    const editor = await staff(api, 'editor')
    const email = 'Often@mail.example'
    await submit(api, 'contacts', { email })
    const ids: string[] = []
    for (let i = 0; i < 4; i += 1)
      ids.push(await submit(api, 'contacts', { email: email.toLowerCase(), website: 'x' }))
    const other = await submit(api, 'contacts', { email: 'other@mail.example', website: 'x' })
    const { status } = await editor.post('/api/contacts/bulk', {
      ids: [...ids, other],
      action: 'spam',
      value: false,
    })
    expect(status).toBe(200)
    const sent = await rows<{ recipient: string; n: number }>(
      db,
      sql`select lower(recipient) as recipient, count(*) as n from mail
      where kind = 'acknowledgement' and status = 'waiting' group by 1 order by 1`,
    )
    expect(sent).toEqual([
      { recipient: 'often@mail.example', n: 3 },
      { recipient: 'other@mail.example', n: 1 },
    ])
    // The fourth message of the day gets none at intake either.
    const late = await submit(api, 'contacts', { email })
    expect(await mailOf(db, late)).toEqual([])
  },
)

test('a deleted record goes to the trash, answers reading and restoring, and comes back whole', async ({
  api,
}) => {
  const admin = await staff(api, 'admin')
  const inbox = await submit(api, 'contacts')
  const spam = await submit(api, 'contacts', { website: 'x' })
  for (const [id, box] of [
    [inbox, 'inbox'],
    [spam, 'spam'],
  ] as const) {
    const deleted = await admin.delete(`/api/contacts/${id}`)
    expect(deleted.status).toBe(200)
    expect(deleted.body).toEqual({ success: true, data: {}, meta: { event: expect.any(String) } })
    const trashed = (await admin.get(`/api/contacts/${id}`)).body.data
    expect(trashed).toMatchObject({
      box: 'trash',
      version: 2,
      spam: box === 'spam' ? ['trap'] : null,
    })
    expect(Math.round((Date.parse(trashed.expiresAt) - Date.now()) / 86_400_000)).toBe(30)
    expect((await admin.delete(`/api/contacts/${id}`)).status).toBe(404)
    expect((await admin.put(`/api/contacts/${id}`, { status: 'handled' })).status).toBe(404)
    expect((await admin.put(`/api/contacts/${id}`, { status: 'nonsense' })).status).toBe(404)
    expect((await admin.put(`/api/contacts/${id}/keep`, { keep: true })).status).toBe(404)
    expect((await admin.post(`/api/contacts/${id}/notes`, { text: 'Too late' })).status).toBe(404)
    expect(idsOf(await admin.get('/api/contacts?box=trash'))).toEqual([id])

    const restored = await admin.post(`/api/contacts/${id}/restore`)
    expect(restored.status).toBe(200)
    expect(restored.body.data).toMatchObject({ box, version: 3 })
    expect(restored.body.meta.event).toEqual(expect.any(String))
    const again = await admin.post(`/api/contacts/${id}/restore`)
    expect([again.status, again.body.meta.event, again.body.data.version]).toEqual([200, null, 3])
  }
  expect((await admin.get('/api/contacts')).body.meta.boxes).toEqual({
    inbox: 1,
    spam: 1,
    trash: 0,
  })
})

test('a note joins the activity and leaves the version', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'contacts')
  const { status, body } = await editor.post(`/api/contacts/${id}/notes`, {
    text: '  Rang.\r\nNobody there. ',
  })
  expect(status).toBe(201)
  expect(body.data).toEqual({
    _id: expect.any(String),
    at: expect.any(String),
    by: 'editor',
    kind: 'note',
    text: 'Rang.\nNobody there.',
  })
  const record = (await editor.get(`/api/contacts/${id}`)).body.data
  expect(record).toMatchObject({ version: 1, activity: [{ kind: 'created' }, body.data] })
  expect((await editor.post(`/api/contacts/${id}/notes`, { text: 'x'.repeat(2_000) })).status).toBe(
    201,
  )
  for (const text of ['', '   ', 'x'.repeat(2_001), 'a\u0000b', '\ud800', 7, null, undefined])
    expect((await editor.post(`/api/contacts/${id}/notes`, { text })).status).toBe(400)
})

test('a kept record does not expire, until it is kept no more', async ({ api }) => {
  const admin = await staff(api, 'admin')
  const id = await submit(api, 'contacts')
  const kept = await admin.put(`/api/contacts/${id}/keep`, { keep: true })
  expect(kept.body.data).toMatchObject({ expiresAt: null, version: 2 })
  expect(kept.body.data.activity.at(-1).kind).toBe('keep')
  expect((await admin.put(`/api/contacts/${id}/keep`, { keep: true })).body.meta.event).toBeNull()
  const undone = await admin.post('/api/undo', { event: kept.body.meta.event })
  expect(undone.body.data.reverted).toEqual([id])
  expect((await admin.get(`/api/contacts/${id}`)).body.data.expiresAt).toEqual(expect.any(String))
  expect((await admin.put(`/api/contacts/${id}/keep`, { keep: 'yes' })).status).toBe(400)
})

testOnAll(
  'in bulk, what is there changes, what is not is named, what is so already is neither',
  async ({ api }) => {
    const admin = await staff(api, 'admin')
    const [a, b, c, gone] = [
      await submit(api),
      await submit(api),
      await submit(api),
      await submit(api),
    ]
    const foreign = await submit(api, 'consultations')
    await admin.delete(`/api/contacts/${gone}`)
    await admin.put(`/api/contacts/${b}`, { status: 'handled' })
    const bulk = (
      action: string,
      value?: unknown,
      ids = [a, b, a, 'x', unknownId, foreign, gone],
    ) => admin.post('/api/contacts/bulk', { ids, action, value })
    const missing = ['x', unknownId, foreign, gone]

    const handled = await bulk('status', 'handled')
    expect(handled.status).toBe(200)
    expect(handled.body).toEqual({
      success: true,
      data: { changed: [a], missing },
      meta: { event: expect.any(String) },
    })
    const assigned = (await bulk('assign', 'admin')).body
    expect([assigned.data.changed.toSorted(), assigned.data.missing]).toEqual([
      [a, b].toSorted(),
      missing,
    ])
    expect((await bulk('assign', 'admin')).body).toMatchObject({
      data: { changed: [], missing },
      meta: { event: null },
    })
    expect((await bulk('assign', null, [a])).body.data.changed).toEqual([a])
    expect((await bulk('spam', undefined, [a])).body.data.changed).toEqual([a])
    expect((await bulk('spam', true, [a])).body.data).toEqual({ changed: [], missing: [] })
    expect((await bulk('spam', false, [a, c])).body.data.changed).toEqual([a])
    expect((await bulk('delete', undefined, [a, c])).body.data.changed.toSorted()).toEqual(
      [a, c].toSorted(),
    )
    expect((await bulk('delete', undefined, [a, b])).body.data).toEqual({
      changed: [b],
      missing: [a],
    })
    expect((await bulk('restore', undefined, [a, c, 'x'])).body.data).toMatchObject({
      missing: ['x'],
    })
    expect((await bulk('restore', undefined, [a])).body).toMatchObject({
      data: { changed: [], missing: [] },
      meta: { event: null },
    })
    expect((await admin.get('/api/contacts')).body.meta.boxes).toEqual({
      inbox: 2,
      spam: 0,
      trash: 2,
    })
  },
)

test('a bulk change is refused as a whole where it means nothing', async ({ api, editor }) => {
  const id = await submit(api)
  const refused: [unknown, number, string][] = [
    [{ action: 'status', value: 'handled' }, 400, 'ids'],
    [{ ids: [], action: 'status', value: 'handled' }, 400, 'ids'],
    [{ ids: Array(201).fill(id), action: 'status', value: 'handled' }, 400, 'ids'],
    [{ ids: [id, 7], action: 'status', value: 'handled' }, 400, 'ids'],
    [{ ids: id, action: 'status', value: 'handled' }, 400, 'ids'],
    [{ ids: [id], action: 'explode' }, 400, 'action'],
    [{ ids: [id] }, 400, 'action'],
    [{ ids: [id], action: 'status' }, 400, 'value'],
    [{ ids: [id], action: 'status', value: 'pending' }, 400, 'value'],
    [{ ids: [id], action: 'status', value: true }, 400, 'value'],
    [{ ids: [id], action: 'assign' }, 400, 'value'],
    [{ ids: [id], action: 'assign', value: 'nobody' }, 400, 'value'],
    [{ ids: [id], action: 'assign', value: '\u0000' }, 400, 'value'],
    [{ ids: [id], action: 'spam', value: 'yes' }, 400, 'value'],
    [{ ids: [id], action: 'status', value: { a: 1 } }, 400, 'value'],
  ]
  for (const [body, status, field] of refused) {
    const answer = await editor.post('/api/contacts/bulk', body)
    expect([body, answer.status, Object.keys(answer.body.fields)]).toEqual([body, status, [field]])
  }
  expect((await editor.get(`/api/contacts/${id}`)).body.data.version).toBe(1)
})

test('an editor deletes and restores nothing, one by one or in bulk', async ({ api, editor }) => {
  const id = await submit(api)
  for (const action of ['delete', 'restore']) {
    for (const asked of [
      { ids: [id], action },
      { ids: [], action },
      { action, value: 7 },
    ]) {
      const { status, body } = await editor.post('/api/contacts/bulk', asked)
      expect([asked, status, body.code]).toEqual([asked, 403, 'forbidden'])
    }
  }
  expect((await editor.delete(`/api/contacts/${id}`)).status).toBe(403)
  expect((await editor.post(`/api/contacts/${id}/restore`)).status).toBe(403)
  expect((await editor.fetch('/api/contacts/export.csv')).status).toBe(403)
})

for (const call of [
  'PUT with one version',
  'bulk in opposite orders',
  'undo of one event',
] as const)
  testOnPostgres(`at once, ${call}: nothing is lost and nothing happens twice`, async ({ db }) => {
    const api = testApi(db)
    const [first, second] = [
      await staff(api, 'editor', 'first'),
      await staff(api, 'editor', 'second'),
    ]
    for (let round = 0; round < 25; round += 1) {
      const [a, b] = [await submit(api), await submit(api)]
      const path = `/api/contacts/${a}`
      if (call === 'PUT with one version') {
        const answers = await Promise.all([
          first.put(path, { status: 'handled', version: 1 }),
          second.put(path, { assignee: 'second', version: 1 }),
        ])
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
        const conflict = answers.find(({ status }) => status === 409)
        expect(conflict?.body.data.version).toBe(2)
      } else if (call === 'bulk in opposite orders') {
        const answers = await Promise.all([
          first.post('/api/contacts/bulk', { ids: [a, b], action: 'status', value: 'handled' }),
          second.post('/api/contacts/bulk', { ids: [b, a], action: 'assign', value: 'second' }),
        ])
        for (const { status, body } of answers)
          expect([status, body.data.changed.length]).toEqual([200, 2])
        for (const id of [a, b])
          expect((await first.get(`/api/contacts/${id}`)).body.data).toMatchObject({
            status: 'handled',
            handledBy: 'first',
            assignee: 'second',
            version: 3,
          })
      } else {
        const { meta } = (await first.put(path, { status: 'handled' })).body
        const answers = await Promise.all(
          [1, 2].map(() => first.post('/api/undo', { event: meta.event })),
        )
        expect(answers.flatMap(({ body }) => body.data.reverted)).toEqual([a])
        expect(answers.flatMap(({ body }) => body.data.conflicts)).toEqual([a])
        expect((await first.get(path)).body.data).toMatchObject({ status: 'new', version: 3 })
      }
    }
    const [sums] = await rows<{ same: boolean }>(
      db,
      sql`select coalesce(sum(n), 0) = (select count(*) from contacts) as same from record_counts where kind = 'contacts'`,
    )
    expect(sums?.same).toBe(true)
  })

testOnPostgres('a box is set while the record comes out of the trash', async ({ api, db }) => {
  const admin = await signInAs(api.deps, 'admin')
  const editor = await signInAs(api.deps, 'editor')
  const id = await submit(api)
  const path = `/api/contacts/${id}`
  await api.request(path, { method: 'DELETE', token: admin.token })
  const [restored, setApart] = await overlap(
    db,
    (first) => first.request(`${path}/restore`, { method: 'POST', token: admin.token }),
    () => api.request(path, { method: 'PUT', token: editor.token, body: { box: 'spam' } }),
  )
  expect([restored.status, setApart.status]).toEqual([200, 200])
  expect(((await setApart.json()) as Json).data).toMatchObject({ box: 'spam', version: 4 })
})

testOnPostgres('a claim by many at once makes one owner', async ({ api }) => {
  const editors = await Promise.all(
    Array.from({ length: 5 }, (_, n) => staff(api, 'editor', `editor-${n}`)),
  )
  const id = await submit(api, 'consultations')
  const path = `/api/consultations/${id}`
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => editors[n % 5]?.post(`${path}/claim`)),
  )
  const claimed = answers.filter((answer) => answer?.status === 200)
  expect(claimed).toHaveLength(1)
  const { data } = claimed[0]?.body ?? {}
  const refused = answers.filter((answer) => answer?.status === 409)
  expect(refused).toHaveLength(49)
  for (const answer of refused)
    expect(answer?.body).toMatchObject({
      code: 'conflict',
      message: `${data.assignee} has it already.`,
      data: { assignee: data.assignee, version: 2 },
    })
  expect(data.version).toBe(2)
  expect(data.activity.slice(1)).toMatchObject([
    { kind: 'assign', by: data.assignee, from: null, to: data.assignee },
  ])
})

test('a claim is undone and repeated like any change', async ({ api, editor, admin }) => {
  const id = await submit(api)
  const path = `/api/contacts/${id}`
  const first = await editor.post(`${path}/claim`)
  expect((await admin.post(`${path}/claim`)).status).toBe(409)
  expect((await editor.post('/api/undo', { event: first.body.meta.event })).status).toBe(200)
  expect((await admin.post(`${path}/claim`)).body.data.assignee).toBe('admin')
  await admin.delete(path)
  expect((await editor.post(`${path}/claim`)).status).toBe(404)
  expect((await editor.post(`/api/contacts/${unknownId}/claim`)).status).toBe(404)
})
