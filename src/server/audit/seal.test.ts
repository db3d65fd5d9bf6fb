import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { signInAs } from '#server/auth/testing.ts'
import type { Database } from '#server/db/database.ts'
import { rows } from '#server/db/rows.ts'
import { testOnAll } from '#server/db/testing.ts'
import { submit } from '#server/inbox/testing.ts'
import { type TestApi, test, testApi } from '#server/testing.ts'
import { checkAuditLog, sealAuditLog } from './seal.ts'

/** Work of the staff on a record, with a note, and a refused sign-in. */
const work = async (api: TestApi): Promise<void> => {
  const boss = await signInAs(api.deps, 'superuser')
  const id = await submit(api)
  const path = `/api/contacts/${id}`
  const { token } = boss
  await api.request(path, { method: 'PUT', token, body: { status: 'handled' } })
  await api.request(`${path}/notes`, { token, body: { text: 'Called back.' } })
  await api.request('/api/auth/login', { body: { email: boss.email, password: 'wrong' } })
}

const seal = (db: Database) => sealAuditLog({ db, log: () => {} })

testOnAll(
  'the audit log is sealed in order, by many at once, and says what is not yet',
  async ({ db }) => {
    const api = testApi(db)
    await work(api)
    expect(await checkAuditLog(db)).toEqual({ sealed: 0, unsealed: 2, head: null, problem: null })
    await Promise.all([seal(db), seal(db), seal(db)])
    await seal(db)
    const checked = await checkAuditLog(db)
    expect(checked).toEqual({
      sealed: 2,
      unsealed: 0,
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
      problem: null,
    })
    await api.request('/api/auth/login', {
      body: { email: 'superuser@staff.test', password: 'wrong' },
    })
    expect(await checkAuditLog(db)).toMatchObject({ sealed: 2, unsealed: 1 })
    await seal(db)
    expect(await checkAuditLog(db)).toMatchObject({ sealed: 3, unsealed: 0, problem: null })
  },
)

test('erasing a person leaves the chain whole', async ({ api }) => {
  const { db } = api.deps
  await work(api)
  const { token } = await signInAs(api.deps, 'superuser', 'boss')
  const [contact] = await rows<{ id: string; email: string }>(
    db,
    sql`select id, email from contacts`,
  )
  await api.request(`/api/contacts/${contact?.id}/messages`, { token, body: { text: 'Hello.' } })
  await seal(db)
  const erased = await api.request('/api/privacy/erase', { token, body: { email: contact?.email } })
  expect(await erased.json()).toMatchObject({ data: { contacts: 1, notes: 1, messages: 1 } })
  await seal(db)
  expect(await checkAuditLog(db)).toMatchObject({ sealed: 4, unsealed: 0, problem: null })
})

for (const [what, statement, problem] of [
  ['changed', sql`update events set by = 'somebody' where kind = 'status'`, /not what was sealed/],
  [
    'dated back',
    sql`update events set at = at - interval '1 day' where kind = 'status'`,
    /not what was/,
  ],
  ['removed', sql`delete from events where kind = 'status'`, /is gone/],
  ['removed with its seal', sql`delete from audit_seals where position = 1`, /is missing/],
  [
    'resealed',
    sql`update audit_seals set hash = repeat('a', 64) where position = 1`,
    /not what was sealed/,
  ],
] as const)
  test(`an entry that was ${what} shows`, async ({ api }) => {
    const { db } = api.deps
    await work(api)
    await seal(db)
    await rows(db, statement)
    expect((await checkAuditLog(db)).problem).toMatch(problem)
  })

test('a refused sign-in is in the audit log, without e-mail and IP', async ({ api }) => {
  const boss = await signInAs(api.deps, 'superuser')
  const wrong = { email: 'Grace@staff.test', password: 'wrong' }
  await api.request('/api/auth/login', { body: wrong })
  await api.request('/api/auth/login', {
    body: { ...wrong, email: 'grace@STAFF.test' },
    ip: '203.0.113.9',
  })
  const response = await api.request('/api/audit', { token: boss.token })
  const text = await response.text()
  const [second, first] = JSON.parse(text).data
  expect(first).toMatchObject({ kind: 'sign_in_refused', by: null, byId: null, target: null })
  expect(first.emailHash).toBe(second.emailHash)
  expect(first.ipHash).not.toBe(second.ipHash)
  expect(text.toLowerCase()).not.toContain('grace')
  expect(text).not.toContain('203.0.113')
})
