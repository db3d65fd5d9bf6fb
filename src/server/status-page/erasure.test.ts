import { expect } from 'vitest'
import { shortReference } from '#contract/reference.ts'
import { checkAuditLog, sealAuditLog } from '#server/audit/seal.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type Json, type Staff, staff, test } from '#server/inbox/testing.ts'
import { type TestApi, testOnAll } from '#server/testing.ts'
import { leaveNow, mailedCode, sendDue, submitAndOpen, tokensIn } from './testing.ts'

const auditOf = async (superuser: Staff): Promise<Json[]> =>
  (await superuser.get('/api/audit')).body.data

/** The page of a record by the link in its newest mail. */
const newPage = async (api: TestApi, editor: Staff, id: string): Promise<string> => {
  await editor.post(`/api/contacts/${id}/messages`, { text: 'Hello.' })
  const sent = await leaveNow(api)
  const [token = ''] = tokensIn(sent.find(({ kind }) => kind === 'message')?.text ?? '')
  return `/api/status/${token}`
}

test('correcting an address ends the links; the next mail carries a new one', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const sender = await submitAndOpen(api, 'contacts')
  const { body } = await editor.put(`/api/contacts/${sender.id}`, { email: 'right@people.test' })
  expect((await sender.get()).status).toBe(404)
  const page = await newPage(api, editor, sender.id)
  expect(page).not.toContain(sender.token)
  expect((await api.request(page)).status).toBe(200)

  // Undoing it gives the record its old address, and ends the link that went to the other.
  await editor.put(`/api/contacts/${sender.id}`, { email: 'third@people.test' })
  const link = await newPage(api, editor, sender.id)
  expect((await editor.post('/api/undo', { event: body.meta.event })).body.data.conflicts).toEqual([
    sender.id,
  ])
  expect((await api.request(link)).status).toBe(200)
})

testOnAll(
  'an erasure by the sender is in the chained audit log and told to superusers',
  async ({ api, db }) => {
    const superuser = await staff(api, 'superuser')
    const sender = await submitAndOpen(api, 'contacts', { name: 'Grace Example' })
    await sender.post('/code')
    const code = await mailedCode(api)
    expect((await sender.post('/erase', { code })).status).toBe(200)
    expect((await superuser.get(`/api/contacts/${sender.id}`)).status).toBe(404)
    const audit = await auditOf(superuser)
    expect(audit.filter(({ kind }) => kind === 'erased_by_sender')).toMatchObject([
      { by: null, target: { kind: 'contacts', _id: sender.id }, fields: [] },
    ])
    const [told] = await sendDue(api)
    expect(told).toMatchObject({ kind: 'account', to: 'superuser@staff.test' })
    expect(told?.text).toContain(shortReference(sender.id))
    expect(JSON.stringify([told, audit])).not.toContain('Grace')

    await sealAuditLog({ db, log: () => {} })
    expect(await checkAuditLog(db)).toMatchObject({ unsealed: 0, problem: null })
    await rows(db, sql`delete from events where kind = 'erased_by_sender'`)
    expect((await checkAuditLog(db)).problem).toMatch(/is gone/)
  },
)

testOnAll(
  'an erasure within a week of a corrected address moves the record to the trash',
  async ({ api, db }) => {
    const superuser = await staff(api, 'superuser')
    const editor = await staff(api, 'editor')
    const sender = await submitAndOpen(api, 'contacts', { name: 'Grace Example' })
    const path = `/api/contacts/${sender.id}`
    await editor.put(path, { email: 'editor@staff.test' })
    const page = await newPage(api, editor, sender.id)
    const erase = async (link = page) => {
      await rows(db, sql`delete from rate_limits`)
      await api.request(`${link}/code`, { method: 'POST' })
      const code = await mailedCode(api)
      return (await api.request(`${link}/erase`, { body: { code } })).status
    }
    expect(await erase()).toBe(200)
    expect((await api.request(page)).status).toBe(404)
    const { body } = await superuser.get(path)
    expect(body.data).toMatchObject({ box: 'trash', name: 'Grace Example' })
    expect(body.data.activity.at(-1)).toMatchObject({ kind: 'erasure_asked', by: null })
    const audit = await auditOf(superuser)
    expect(audit.map(({ kind }) => kind)).not.toContain('erased_by_sender')
    expect(audit.filter(({ kind }) => kind === 'erasure_asked')).toMatchObject([
      { by: null, via: 'sender', target: { kind: 'contacts', _id: sender.id, name: null } },
    ])
    const told = (await sendDue(api)).filter(({ kind }) => kind === 'account')
    expect(told.map(({ to }) => to)).toEqual(['superuser@staff.test'])
    expect(told[0]?.text).toContain(shortReference(sender.id))
    expect(JSON.stringify(told)).not.toContain('Grace')

    await superuser.post(`${path}/restore`)
    await rows(db, sql`update events set at = at - interval '7 days' where kind = 'corrected'`)
    expect(await erase()).toBe(200)
    expect((await superuser.get(path)).status).toBe(404)
  },
)

test('a superuser erases at once what a sender may not', async ({ api, superuser }) => {
  const sender = await submitAndOpen(api, 'contacts')
  await superuser.put(`/api/contacts/${sender.id}`, { email: 'right@people.test' })
  await superuser.post('/api/privacy/erase', { email: 'right@people.test' })
  expect((await superuser.get(`/api/contacts/${sender.id}`)).status).toBe(404)
})

testOnAll(
  'a used code exports again under its key for the code’s ten minutes alone',
  async ({ api, db }) => {
    const sender = await submitAndOpen(api)
    await sender.post('/code')
    const code = await mailedCode(api)
    const again = () => sender.post('/export', { code }, { 'Idempotency-Key': 'export-1' })
    const first = await again()
    expect(first.status).toBe(200)
    expect(await again()).toEqual(first)
    const [kept] = await rows<{ ends: boolean }>(
      db,
      sql`select expires_at between now() and now() + interval '10 minutes' as ends from keyed_calls`,
    )
    expect(kept?.ends).toBe(true)
    await rows(db, sql`update keyed_calls set expires_at = expires_at - interval '10 minutes'`)
    expect((await again()).status).toBe(400)
  },
)
