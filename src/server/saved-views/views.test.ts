import { expect } from 'vitest'
import { signInAs } from '#server/auth/testing.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type Answer, type Json, type Staff, staff, submit, test } from '#server/inbox/testing.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { eraseForSender } from '#server/privacy/erase.ts'
import { eraseAgain } from '#server/privacy/erase-again.ts'
import { erasureKey, remember } from '#server/privacy/store/erasures.ts'
import { correct } from '#server/status-page/store/correct.ts'
import { testApi, testOnAll, testOnPostgres, withPositions } from '#server/testing.ts'

const late = { name: 'Late', kind: 'consultations', filter: { status: 'pending', sort: 'due' } }

const pathOf = ({ body }: Answer): string => `/api/views/${body.data._id}`

const namesFor = async (person: Staff): Promise<string[]> =>
  (await person.get('/api/views')).body.data.map(({ name }: Json) => name)

const save = (person: Staff, changes: object = {}): Promise<Answer> =>
  person.post('/api/views', { ...late, ...changes })

test('a view is saved, listed, changed and deleted', async ({ api, reviewer }) => {
  const added = await save(reviewer, { name: '  Late ' })
  const view = { ...late, shared: false, own: true, by: 'reviewer' }
  expect(added).toMatchObject({ status: 201, body: { data: view } })
  expect(added.body.data.filter).toEqual(late.filter)
  const path = pathOf(added)
  expect((await reviewer.get(path)).body.data).toEqual(added.body.data)
  expect((await reviewer.get('/api/views')).body.data).toEqual([added.body.data])

  const changed = await reviewer.put(path, { filter: { q: ' Ada ', assignee: ' ', limit: 20 } })
  expect(changed.body.data).toMatchObject({ name: 'Late', filter: { q: 'Ada', limit: 20 } })
  expect(changed.body.data.filter).not.toHaveProperty('assignee')
  expect((await reviewer.delete(path)).status).toBe(200)
  for (const gone of [reviewer.get(path), reviewer.put(path, {}), reviewer.delete(path)])
    expect((await gone).status).toBe(404)
  expect(await namesFor(reviewer)).toEqual([])

  const superuser = await staff(api, 'superuser')
  const audit = (await superuser.get('/api/audit')).body.data
  expect(audit.filter(({ kind }: Json) => kind.startsWith('view.'))).toMatchObject([
    { kind: 'view.delete', by: 'reviewer', target: { kind: 'views' }, fields: [] },
    { kind: 'view.update', fields: ['filter'] },
    { kind: 'view.create', fields: ['name', 'kind', 'filter', 'shared'] },
  ])
  expect(JSON.stringify(audit)).not.toContain('Ada')
})

test('a filter is held to the rules of its kind’s list, also when the kind changes', async ({
  editor,
}) => {
  for (const filter of [
    { status: 'handled' },
    { box: 'attic' },
    { sort: 'size' },
    { from: '2026-02-30' },
    { q: 'x'.repeat(201) },
    { q: 'a\u0000b' },
    { assignee: 7 },
    { limit: 0 },
  ])
    expect(await save(editor, { filter }), JSON.stringify(filter)).toMatchObject({
      status: 400,
      body: { code: 'invalid', fields: { filter: [expect.any(String)] } },
    })
  for (const [field, value] of [
    ['name', ''],
    ['name', 'x'.repeat(101)],
    ['name', 'a\nb'],
    ['kind', 'users'],
    ['shared', 'yes'],
    ['filter', []],
    ['filter', 'status=pending'],
  ] as const)
    expect(await save(editor, { [field]: value }), field).toMatchObject({
      status: 400,
      body: { fields: { [field]: [expect.any(String)] } },
    })

  const added = await save(editor, { filter: { status: 'pending', cursor: 'x', page: 3 } })
  expect(added.body.data.filter).toEqual({ status: 'pending' })
  const path = pathOf(added)
  expect((await editor.put(path, { kind: 'contacts' })).body.fields).toHaveProperty('filter')
  expect((await editor.put(path, { filter: { status: 'new' } })).status).toBe(400)
  // Whether names are hidden is asked with each list: with a search it would be an error for good.
  for (const [given, kept] of [
    [{ q: 'Ada', blind: '1' }, { q: 'Ada' }],
    [{ sort: 'name', blind: 'auto' }, { sort: 'name' }],
    [{ blind: 'perhaps' }, {}],
  ])
    expect((await save(editor, { kind: 'applications', filter: given })).body.data.filter).toEqual(
      kept,
    )
  const moved = await editor.put(path, { kind: 'contacts', filter: { status: 'new' } })
  expect(moved.body.data).toMatchObject({ kind: 'contacts', filter: { status: 'new' } })
})

testOnAll(
  'a view that has changed meanwhile is not overwritten, and an equal one stays',
  async ({ api }) => {
    const ada = await staff(api, 'editor', 'ada')
    const ben = await staff(api, 'editor', 'ben')
    const saved = await save(ada, { shared: true })
    expect(saved.body.data.version).toBe(1)
    const path = pathOf(saved)
    const hers = await ada.put(path, { name: 'Hers', version: 1 })
    expect(hers.body.data).toMatchObject({ name: 'Hers', version: 2 })
    const stale = await ben.put(path, { name: 'His', version: 1 })
    expect(stale.status).toBe(409)
    expect(stale.body).toMatchObject({ code: 'conflict', data: { ...hers.body.data, own: false } })
    expect((await ben.put(path, { name: 'His', version: 2 ** 31 })).status).toBe(409)
    expect((await ben.put(path, { name: 'His', version: 2 })).body.data.version).toBe(3)
    expect((await ada.put(path, { name: 'Whose?' })).body.data.version).toBe(4)
    expect((await ada.put(path, { version: 'one' })).status).toBe(400)

    const same = { name: 'Whose?', kind: 'consultations', filter: late.filter, shared: true }
    for (const body of [{}, same, { ...same, version: 4 }])
      expect((await ada.put(path, body)).body.data).toMatchObject({ name: 'Whose?', version: 4 })
    expect((await ada.put(path, { ...same, version: 3 })).status).toBe(409)
    const superuser = await staff(api, 'superuser')
    expect((await superuser.get('/api/audit?kind=view.update')).body.data).toHaveLength(3)
  },
)

test('another’s own view is a 404, whatever is asked of it', async ({ api }) => {
  const owner = await staff(api, 'reviewer', 'owner')
  const superuser = await staff(api, 'superuser')
  const path = pathOf(await save(owner))
  const unknown = '/api/views/018f0000-0000-7000-8000-000000000000'
  for (const at of [path, unknown, '/api/views/late'])
    for (const asked of [
      superuser.get(at),
      superuser.put(at, { name: 'Mine' }),
      superuser.put(at, { name: '', shared: 'x' }),
      superuser.put(at, { shared: true }),
      superuser.delete(at),
    ])
      expect((await asked).status, at).toBe(404)
  expect(await namesFor(superuser)).toEqual([])
  expect(await namesFor(owner)).toEqual(['Late'])
})

test('sharing and changing what is shared needs an editor', async ({ api, reviewer, editor }) => {
  const other = await staff(api, 'editor', 'other')
  expect((await save(reviewer, { shared: true })).status).toBe(403)
  const own = pathOf(await save(reviewer))
  expect((await reviewer.put(own, { shared: true })).status).toBe(403)

  const path = pathOf(await save(editor, { shared: true }))
  expect((await reviewer.get(path)).body.data).toMatchObject({ own: false, by: 'editor' })
  expect((await reviewer.put(path, { name: 'x' })).status).toBe(403)
  expect((await reviewer.delete(path)).status).toBe(403)
  expect((await other.put(path, { name: 'Overdue' })).body.data).toMatchObject({
    name: 'Overdue',
    own: false,
  })
  // Only the owner stops sharing it or changes its place.
  expect((await other.put(path, { shared: false })).status).toBe(403)
  expect((await other.put(path, { place: 0 })).status).toBe(403)
  expect((await editor.put(path, { shared: false })).body.data.shared).toBe(false)
  expect((await other.get(path)).status).toBe(404)
  await editor.put(path, { shared: true })
  expect((await other.delete(path)).status).toBe(200)
  expect((await editor.get(path)).status).toBe(404)
})

test('a new view comes last, also after another one was deleted', async ({ editor }) => {
  const first = await save(editor, { name: 'C' })
  await save(editor, { name: 'B' })
  await editor.delete(pathOf(first))
  await save(editor, { name: 'A' })
  expect(await namesFor(editor)).toEqual(['B', 'A'])
})

test('own views stand in their order before those of others by name', async ({ api, editor }) => {
  const other = await staff(api, 'editor', 'other')
  const paths: Record<string, string> = {}
  for (const name of ['b', 'c', 'a']) paths[name] = pathOf(await save(editor, { name }))
  for (const name of ['z', 'Y']) await save(other, { name, shared: true })
  expect(await namesFor(editor)).toEqual(['b', 'c', 'a', 'Y', 'z'])
  const move = (name: string, place: number) => editor.put(paths[name] ?? '', { place })
  await move('a', 0)
  expect((await namesFor(editor)).slice(0, 3)).toEqual(['a', 'b', 'c'])
  await move('a', 1)
  expect((await namesFor(editor)).slice(0, 3)).toEqual(['b', 'a', 'c'])
  await move('b', 100)
  expect((await namesFor(editor)).slice(0, 3)).toEqual(['a', 'c', 'b'])
  for (const place of [-1, 0.5, '1', 3e9, null])
    expect((await editor.put(paths.a ?? '', { place })).status, String(place)).toBe(400)
})

test('what a deleted account shared stays, its own views go', async ({ db, superuser, editor }) => {
  await save(editor, { name: 'Own' })
  const path = pathOf(await save(editor, { name: 'Shared', shared: true }))
  expect((await superuser.delete(`/api/users/${editor.id}`)).status).toBe(200)
  expect((await superuser.get(path)).body.data).toMatchObject({ name: 'Shared', by: null })
  expect(await rows(db, sql`select name from views`)).toEqual([{ name: 'Shared' }])
  expect((await superuser.put(path, { name: 'Ours' })).body.data.name).toBe('Ours')
  expect((await superuser.delete(path)).status).toBe(200)
})

testOnPostgres(
  'a view that is saved while its account is deleted is no error',
  async ({ api, db }) => {
    const superuser = await staff(api, 'superuser')
    for (let round = 0; round < 10; round += 1) {
      const { id, token } = await signInAs(api.deps, 'editor', `editor${round}`)
      const body = { ...late, shared: true }
      const [deleted, ...saved] = await Promise.all([
        superuser.delete(`/api/users/${id}`),
        ...[1, 2, 3].map(() => api.request('/api/views', { body, token })),
      ])
      expect(deleted.status).toBe(200)
      for (const { status } of saved) expect([201, 401]).toContain(status)
    }
    expect(await rows(db, sql`select from views where user_id is null and not shared`)).toEqual([])
  },
)

testOnPostgres(
  'an account has at most a hundred views, also when two come at once',
  async ({ db }) => {
    const api = testApi(db)
    const reviewer = await staff(api, 'reviewer')
    const other = await staff(api, 'reviewer', 'other')
    await rows(
      db,
      sql`insert into views (user_id, name, kind, filter, shared, place)
      select ${reviewer.id}::uuid, 'View ' || n, 'contacts', '{}', false, n from generate_series(1, 98) n`,
    )
    const saved = await Promise.all(Array.from({ length: 8 }, () => save(reviewer)))
    expect(saved.map(({ status }) => status).sort()).toEqual([201, 201, ...Array(6).fill(409)])
    expect(await namesFor(reviewer)).toHaveLength(100)
    expect(await save(reviewer)).toMatchObject({
      status: 409,
      body: { message: 'You have 100 views. Delete one first.' },
    })
    expect((await save(other)).status).toBe(201)
  },
)

const searches = async (person: Staff): Promise<[name: string, filter: Json][]> =>
  (await person.get('/api/views')).body.data.map(({ name, filter }: Json) => [name, filter])

const erased = ['Search erased', {}]
const email = 'ada@lovelace.example'

testOnAll('erasing a person empties views that search for them, of everybody', async ({ db }) => {
  const api = testApi(db)
  const superuser = await staff(api, 'superuser')
  const reviewer = await staff(api, 'reviewer')
  for (const name of ['Ada Lovelace', '%']) await submit(api, 'contacts', { name, email })
  const keyed = await signInAs(api.deps, 'editor')
  const kept: [string, string][] = [
    ['Late', 'invoice'],
    ['Canada', 'example'],
    ['Organisation', 'lovelace.example'],
    ['Another', 'Adana'],
    ['Short', 'a'],
    ['Symbols', '%_%'],
  ]
  const gone: [string, string][] = [
    ['By address', email.toUpperCase()],
    ['By name', 'ada lovelace'],
    ['By surname', 'Lovel'],
    ['In a sentence', `from ${email}, urgent`],
    ['Ada Lovelace again', 'offer'],
    ['Without a letter', '%'],
  ]
  for (const [name, q] of [...kept, ...gone]) await save(reviewer, { name, filter: { q } })
  await api.request('/api/views', {
    body: { ...late, name: 'With a key', filter: { q: email } },
    token: keyed.token,
    headers: { 'Idempotency-Key': 'one' },
  })

  const held = (await superuser.post('/api/privacy/export', { email })).body.data
  expect(held.views.map(({ name }: Json) => name)).toEqual([
    ...gone.map(([name]) => name),
    'With a key',
  ])
  const { body } = await superuser.post('/api/privacy/erase', { email: email.toUpperCase() })
  expect(body.data).toMatchObject({ contacts: 2, views: 7 })
  expect(await searches(reviewer)).toEqual([
    ...kept.map(([name, q]) => [name, { q }]),
    ...gone.map(() => erased),
  ])
  for (const table of ['views', 'keyed_calls'])
    expect(
      await rows(
        db,
        sql`select from ${sql.identifier(table)} t where t::text ~* 'ada.lovelace\\M|ada lovelace'`,
      ),
      table,
    ).toEqual([])
})

test('a name that the person had before a correction goes from views and stored answers too', async ({
  db,
  api,
}) => {
  const superuser = await staff(api, 'superuser')
  const id = await submit(api, 'contacts', { name: 'Augusta Byron', email })
  const { token } = await signInAs(api.deps, 'editor')
  const saved = await api.request('/api/views', {
    body: { ...late, name: 'Augusta Byron', filter: { q: 'byron' } },
    token,
    headers: { 'Idempotency-Key': 'one' },
  })
  expect(saved.status).toBe(201)
  const record = { kind: kindByPath.contacts, id }
  const limit = { key: 'corrections', max: 2, windowSeconds: 60 }
  await correct(db, record, { corrected: { name: 'Ada Lovelace' }, limit })
  await superuser.post('/api/privacy/erase', { email })
  for (const table of ['views', 'keyed_calls', 'events'])
    expect(
      await rows(db, sql`select from ${sql.identifier(table)} t where t::text ~* 'byron|lovelace'`),
      table,
    ).toEqual([])
})

test('views are emptied by a sender’s own erasure and after a restore', async ({ db, api }) => {
  const reviewer = await staff(api, 'reviewer')
  const id = await submit(api, 'applications', { name: 'Ada Lovelace', email })
  await save(reviewer, { filter: { q: 'lovelace' } })
  await eraseForSender(api.deps, kindByPath.applications, id)
  expect(await searches(reviewer)).toEqual([erased])

  // As in a backup that is older than the erasure: once with the record, once with the search alone.
  await submit(api, 'contacts', { name: 'Ada Lovelace', email })
  await save(reviewer, { filter: { q: 'ada' } })
  await save(reviewer, { filter: { q: 'bob@mail.example' } })
  await save(reviewer, { filter: { q: 'offer' } })
  for (const address of [email, 'bob@mail.example'])
    await rows(db, remember(await erasureKey(db), 'address', address))
  await rows(db, sql`update erasures set erased_at = now() + interval '1 minute'`)
  expect(await eraseAgain(api.deps)).toMatchObject({ addresses: 2, records: 1 })
  expect(await searches(reviewer)).toEqual([erased, erased, erased, ['Late', { q: 'offer' }]])
})

test('a view of a position that the site has no more goes on selecting its applications', async ({
  db,
}) => {
  const gardener = withPositions({ gardener: {} })
  const api = testApi(db, { content: gardener })
  const reviewer = await staff(api, 'reviewer')
  await submit(api, 'applications', { position: 'gardener' })
  const filter = { position: 'gardener' }
  const saved = await save(reviewer, { kind: 'applications', filter })
  const later = testApi(db, { content: { ...gardener, positions: [] } })
  const { token } = await signInAs(later.deps, 'editor', 'later')
  const matching = async () => {
    const answer = await later.request('/api/applications?position=gardener', { token })
    return ((await answer.json()) as Json).meta.matching
  }
  expect(await matching()).toBe(1)
  const renamed = await reviewer.put(pathOf(saved), { name: 'Garden', filter })
  expect(renamed.status).toBe(200)
  await rows(db, sql`delete from applications`)
  expect(await matching()).toBe(0)
  const unknown = await later.request('/api/applications?position=of-nobody', { token })
  expect(unknown.status).toBe(400)
})
