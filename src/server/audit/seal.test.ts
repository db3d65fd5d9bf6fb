import { expect } from 'vitest'
import { signInAs } from '#server/auth/testing.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type Json, submit } from '#server/inbox/testing.ts'
import { runRetention } from '#server/privacy/retention.ts'
import { type TestApi, test, testOnAll, turnsDuring } from '#server/testing.ts'
import { CHAIN_START, firstFormHash } from './chain.ts'
import { checkAuditLog, sealAuditLog } from './seal.ts'
import { sealsAfter } from './store/seals.ts'

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
  async ({ api, db }) => {
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
      body: { email: 'somebody.else@staff.test', password: 'wrong' },
    })
    expect(await checkAuditLog(db)).toMatchObject({ sealed: 2, unsealed: 1 })
    await seal(db)
    expect(await checkAuditLog(db)).toMatchObject({ sealed: 3, unsealed: 0, problem: null })
  },
)

test('a long backlog is sealed in order, and calls are answered meanwhile', async ({ db }) => {
  await rows(
    db,
    sql`insert into events (change_id, by, kind, target_kind)
      select uuid_v7(), 'editor', 'status', 'contacts' from generate_series(1, 1000)`,
  )
  expect(await turnsDuring(() => seal(db))).toBeGreaterThan(2)
  expect(await checkAuditLog(db)).toMatchObject({ sealed: 1000, unsealed: 0, problem: null })
})

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
  [
    'changed in its details',
    sql`update events set details = '{"changes": {"role": ["user", "admin"]}}' where kind = 'status'`,
    /not what was sealed/,
  ],
  ['removed', sql`delete from events where kind = 'status'`, /is gone/],
  ['removed as a refused sign-in', sql`delete from events where kind = 'sign_in_refused'`, /gone/],
  [
    'removed as if it were a refused sign-in',
    sql`with gone as (delete from events where kind = 'status' returning id)
      update audit_seals set kind = 'sign_in_refused' where event_id in (select id from gone)`,
    /not what was sealed/,
  ],
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

/** The first sealed entry. */
const firstSealed = async (db: Database) => {
  const [sealed] = await sealsAfter(db, 0, 1)
  if (!sealed?.event) throw new Error('Nothing is sealed')
  return sealed.event
}

test('a seal of the first form is verified as it was made', async ({ api }) => {
  const { db } = api.deps
  await work(api)
  await seal(db)
  const event = await firstSealed(db)
  await rows(
    db,
    sql`update audit_seals set kind = null, content = null, hash = ${firstFormHash(CHAIN_START, event)}
      where position = 1`,
  )
  await rows(db, sql`delete from audit_seals where position > 1`)
  await seal(db)
  expect(await checkAuditLog(db)).toMatchObject({ sealed: 2, unsealed: 0, problem: null })
  await rows(db, sql`delete from events where kind = 'status'`)
  expect((await checkAuditLog(db)).problem).toMatch(/is gone/)
})

const refusedEntries = async (api: TestApi, token: string) =>
  ((await (await api.request('/api/audit?kind=sign_in_refused', { token })).json()) as Json).data

testOnAll('refused sign-ins are one entry an hour for each address and IP', async ({ api, db }) => {
  const boss = await signInAs(api.deps, 'superuser')
  const refuse = (email: string, ip: string) =>
    api.request('/api/auth/login', { body: { email, password: 'wrong' }, ip })
  await Promise.all([1, 2, 3].map(() => refuse('Grace@staff.test', '203.0.113.8')))
  await refuse('grace@STAFF.test', '203.0.113.9')
  await seal(db)
  await refuse('grace@staff.test', '203.0.113.8')
  const [other, first] = await refusedEntries(api, boss.token)
  expect(first).toMatchObject({ by: null, byId: null, target: null, count: 4 })
  expect(other).toMatchObject({ count: 1, emailHash: first.emailHash })
  expect(other.ipHash).not.toBe(first.ipHash)
  const text = await (await api.request('/api/audit', { token: boss.token })).text()
  expect(text.toLowerCase()).not.toMatch(/grace|203\.0\.113/)
  // An entry whose count grew after it was sealed breaks nothing.
  expect(await checkAuditLog(db)).toMatchObject({ sealed: 2, unsealed: 0, problem: null })

  await rows(db, sql`update events set at = at - interval '1 hour' where kind = 'sign_in_refused'`)
  await rows(db, sql`delete from rate_limits`)
  await refuse('grace@staff.test', '203.0.113.8')
  const entries = await refusedEntries(api, boss.token)
  expect(entries.map(({ count }: Json) => count)).toEqual([1, 1, 4])
})

testOnAll(
  'refused sign-ins are deleted after twelve months, and the chain stays whole',
  async ({ api, db }) => {
    const boss = await signInAs(api.deps, 'superuser')
    await rows(
      db,
      sql`insert into events (id, at, change_id, kind, details)
      select ('0190' || substr(uuid_v7()::text, 5))::uuid, '2024-06-01', uuid_v7(), 'sign_in_refused',
        '{"ipHash": "x", "count": 1}'`,
    )
    await api.request(`/api/contacts/${await submit(api)}/claim`, {
      method: 'POST',
      token: boss.token,
    })
    await seal(db)
    expect(await runRetention(api.deps)).toMatchObject({ refusedSignIns: 1 })
    expect(await refusedEntries(api, boss.token)).toEqual([])
    expect(await checkAuditLog(db)).toMatchObject({ sealed: 2, unsealed: 0, problem: null })
  },
)
