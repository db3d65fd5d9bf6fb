import { expect } from 'vitest'
import type { AuditEntry } from '#contract/audit.ts'
import { ensureFirstSuperuser } from '#server/auth/first-superuser.ts'
import { signInAs, testPassword, tokenOf } from '#server/auth/testing.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type TestApi, test, testOnAll } from '#server/testing.ts'

interface Page {
  data: AuditEntry[]
  meta: { nextCursor: string | null }
}

const read = async (api: TestApi, token: string, cursor?: string): Promise<Page> => {
  const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`
  const response = await api.request(`/api/audit${query}`, { token })
  expect(response.status).toBe(200)
  return (await response.json()) as Page
}

const addEntries = (api: TestApi, kind: string, count: number): Promise<unknown> =>
  rows(
    api.deps.db,
    sql`insert into events (change_id, by, kind, target_kind, target_id)
      select uuid_v7(), 'ada', ${kind}, 'contacts', uuid_v7() from generate_series(1, ${count}::int)`,
  )

test('a sign-in and a sign-out are in the log, and what nobody did is not', async ({ api }) => {
  const boss = await signInAs(api.deps, 'superuser')
  const login = await api.request('/api/auth/login', {
    body: { email: boss.email, password: testPassword },
  })
  const { token } = (await login.json()) as { token: string }
  await api.request('/api/contacts', {
    body: { name: 'Visitor', email: 'visitor@example.com', message: 'Hello there.' },
  })
  await api.request('/api/auth/logout', { method: 'POST', token })
  const { data, meta } = await read(api, boss.token)
  expect(meta).toEqual({ nextCursor: null })
  const target = { kind: 'sessions', _id: expect.any(String) }
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/)
  const _id = expect.any(String)
  expect(data).toEqual([
    { _id, at, by: 'superuser', byId: boss.id, kind: 'sign_out', target, fields: [] },
    { _id, at, by: 'superuser', byId: boss.id, kind: 'sign_in', target, fields: [] },
  ])
})

test('a refused sign-in names the account, a change its record while that exists', async ({
  api,
}) => {
  const boss = await signInAs(api.deps, 'superuser')
  await api.request('/api/auth/login', { body: { email: boss.email, password: 'wrong' } })
  const sent = await api.request('/api/contacts', {
    body: { name: 'Visitor', email: 'visitor@example.com', message: 'Hello there.' },
  })
  const { data: contact } = (await sent.json()) as { data: { _id: string } }
  const snoozedUntil = new Date(Date.now() + 86_400_000).toISOString()
  await api.request(`/api/contacts/${contact._id}`, {
    method: 'PUT',
    token: boss.token,
    body: { snoozedUntil },
  })
  const { data } = await read(api, boss.token)
  expect(data).toMatchObject([
    {
      kind: 'snooze',
      target: { kind: 'contacts', _id: contact._id, name: 'Visitor' },
      changes: { snoozedUntil: [null, expect.any(String)] },
    },
    { kind: 'sign_in_refused', by: null, target: { kind: 'users', _id: boss.id } },
  ])
})

test('an entry still says who it was after they were renamed', async ({ api }) => {
  const ada = await signInAs(api.deps, 'superuser', 'ada')
  const body = { username: 'lovelace' }
  await api.request(`/api/users/${ada.id}`, { method: 'PUT', token: ada.token, body })
  const { data } = await read(api, ada.token)
  expect(data).toMatchObject([{ by: 'ada', byId: ada.id }])
})

testOnAll('what the program does at its start is listed', async ({ api, db }) => {
  await ensureFirstSuperuser(api.deps)
  await rows(db, sql`update users set role = 'admin'`)
  await ensureFirstSuperuser(api.deps)
  const [admin] = await rows<{ id: string }>(db, sql`select id from users`)
  const { data } = await read(api, await tokenOf(api.deps, { id: admin?.id ?? '' }))
  const entry = {
    _id: expect.any(String),
    at: expect.any(String),
    by: null,
    byId: null,
    via: 'start',
    target: { kind: 'users', _id: admin?.id },
  }
  expect(data).toEqual([
    {
      ...entry,
      kind: 'user.update',
      fields: ['role'],
      changes: { role: ['admin', 'superuser'] },
    },
    {
      ...entry,
      kind: 'user.create',
      fields: ['username', 'email', 'role', 'password'],
      changes: { username: [null, 'admin'], role: [null, 'superuser'] },
    },
  ])
})

test('pages follow each other without gap or repetition while entries come', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  await addEntries(api, 'note', 120)
  const seen: AuditEntry[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page: Page = await read(api, token, cursor)
    expect(page.data.length).toBeLessThanOrEqual(50)
    seen.push(...page.data)
    cursor = page.meta.nextCursor
    await addEntries(api, 'status', 3)
  }
  expect(seen.filter(({ kind }) => kind === 'note')).toHaveLength(120)
  expect(new Set(seen.map(({ _id }) => _id)).size).toBe(seen.length)
  expect(seen.map(({ _id }) => _id)).toEqual(
    seen
      .map(({ _id }) => _id)
      .sort()
      .reverse(),
  )
})

test('a full last page ends the log', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  await addEntries(api, 'note', 50)
  expect((await read(api, token)).meta.nextCursor).toBeNull()
})

test('a cursor that the log did not hand out is refused', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  await addEntries(api, 'note', 51)
  const { meta } = await read(api, token)
  const good = meta.nextCursor ?? ''
  const foreign = Buffer.from(
    JSON.stringify(['contacts', '2026-01-01', '018f0000-0000-7000-8000-000000000000']),
  ).toString('base64url')
  for (const cursor of [
    'x',
    `${good}x`,
    `${good}=`,
    good.slice(1),
    foreign,
    'YXVkaXQ6',
    '\u0000',
  ]) {
    const response = await api.request(`/api/audit?cursor=${encodeURIComponent(cursor)}`, { token })
    expect(response.status, cursor).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 'invalid',
      fields: { cursor: [expect.any(String)] },
    })
  }
})

testOnAll('the log is filtered by kind, account and day', async ({ api, db }) => {
  const ada = await signInAs(api.deps, 'superuser', 'ada')
  await addEntries(api, 'note', 2)
  await addEntries(api, 'status', 1)
  await rows(
    db,
    sql`insert into events (change_id, at, by, by_id, kind, target_kind)
      values (uuid_v7(), '2026-03-01T00:00:00Z', 'grace', ${ada.id}::uuid, 'status', 'contacts'),
        (uuid_v7(), '2026-03-01T23:59:59.999Z', 'ben', null, 'status', 'contacts'),
        (uuid_v7(), '2026-03-02T00:00:00Z', 'ben', null, 'note', 'contacts')`,
  )
  const found = async (query: string): Promise<string[]> => {
    const response = await api.request(`/api/audit?${query}`, { token: ada.token })
    expect(response.status, query).toBe(200)
    return ((await response.json()) as Page).data.map(({ kind, by }) => `${kind} ${by}`).sort()
  }
  expect(await found('kind=note&day=')).toEqual(['note ada', 'note ada', 'note ben'])
  expect(await found('day=2026-03-01')).toEqual(['status ben', 'status grace'])
  expect(await found('by=ben')).toEqual(['note ben', 'status ben'])
  // Under today's name also what was done under an older one.
  expect(await found('by=ada&kind=status')).toEqual(['status ada', 'status grace'])
  expect(await found('by=grace')).toEqual(['status grace'])
  expect(await found('by=ADA&kind=status')).toEqual(['status ada', 'status grace'])
  expect(await found('by=Grace')).toEqual(['status grace'])
  expect(await found('by=nobody')).toEqual([])
  expect(await found('kind=sign_in_refused')).toEqual([])
  for (const query of ['kind=king', 'day=today', 'day=2026-02-30', 'day=2026-03-01T00:00:00Z']) {
    const response = await api.request(`/api/audit?${query}`, { token: ada.token })
    expect([query, response.status]).toEqual([query, 400])
  }
})

test('a cursor belongs to its filter', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  await addEntries(api, 'note', 60)
  const first = await api.request('/api/audit?kind=note', { token })
  const { meta } = (await first.json()) as Page
  const next = (query: string) =>
    api.request(`/api/audit?${query}cursor=${meta.nextCursor}`, { token })
  expect(((await (await next('kind=note&')).json()) as Page).data).toHaveLength(10)
  expect((await next('')).status).toBe(400)
  expect((await next('kind=status&')).status).toBe(400)
})

testOnAll('a change of a record is listed with what it was and is', async ({ api }) => {
  const boss = await signInAs(api.deps, 'superuser', 'ada')
  const created = await api.request('/api/contacts', {
    body: { name: 'Visitor', email: 'visitor@example.com', message: 'Hello there.' },
  })
  const { data: record } = (await created.json()) as { data: { _id: string } }
  for (const body of [{ assignee: 'ada' }, { status: 'handled' }])
    await api.request(`/api/contacts/${record._id}`, { method: 'PUT', token: boss.token, body })
  const { data } = await read(api, boss.token)
  expect(data.map(({ kind, changes }) => ({ kind, changes }))).toEqual([
    { kind: 'status', changes: { status: ['new', 'handled'] } },
    { kind: 'assign', changes: { assignee: [null, 'ada'] } },
  ])
})
