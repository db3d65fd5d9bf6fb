import { expect } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { idsOf, staff, submit, test } from '#server/inbox/testing.ts'
import { testOnAll } from '#server/testing.ts'

testOnAll(
  'staff see mail that waits or failed, without its text, and retry what failed',
  async ({ api, db }) => {
    const editor = await staff(api, 'editor')
    const contact = await submit(api, 'contacts', { email: 'a@mail.example' })
    await submit(api, 'contacts', { email: 'spam@mail.example', website: 'x' })
    const sent = await submit(api, 'contacts', { email: 'sent@mail.example' })
    await rows(
      db,
      sql`update mail set status = 'failed', attempts = 7, last_error = 'the provider refused it'
      where recipient = 'a@mail.example'`,
    )
    await rows(db, sql`update mail set status = 'sent' where record_id = ${sent}::uuid`)

    const { status, body } = await editor.get('/api/mail?status=failed')
    expect(status).toBe(200)
    expect(body.data).toEqual([
      {
        _id: expect.any(String),
        kind: 'acknowledgement',
        to: 'a@mail.example',
        status: 'failed',
        attempts: 7,
        nextAttemptAt: null,
        sentAt: null,
        lastError: 'the provider refused it',
        record: { kind: 'contacts', _id: contact },
      },
    ])
    expect(body.meta).toEqual({ nextCursor: null })
    expect((await editor.get('/api/mail?status=waiting')).body.data).toEqual([])

    const id = body.data[0]._id
    const retried = await editor.post(`/api/mail/${id}/retry`)
    expect(retried.status).toBe(200)
    expect(retried.body.data).toMatchObject({ _id: id, status: 'waiting', attempts: 0 })
    expect(Date.parse(retried.body.data.nextAttemptAt)).toBeLessThanOrEqual(Date.now() + 1_000)
    expect((await editor.post(`/api/mail/${id}/retry`)).status).toBe(200)
    expect(idsOf(await editor.get('/api/mail'))).toEqual([id])
    const logged = await rows(db, sql`select by, target_id from events where kind = 'retry'`)
    expect(logged).toEqual([{ by: 'editor', target_id: id }])
  },
)

test('a message that was sent, or whose record is spam, cannot be retried', async ({ api, db }) => {
  const editor = await staff(api, 'editor')
  await submit(api, 'contacts', { website: 'x' })
  const [held] = await rows<{ id: string }>(db, sql`select id from mail where status = 'held'`)
  const refused = await editor.post(`/api/mail/${held?.id}/retry`)
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  await rows(db, sql`update mail set status = 'sent'`)
  const sent = await editor.post(`/api/mail/${held?.id}/retry`)
  expect([sent.status, sent.body.message]).toEqual([409, 'This message has been sent already.'])
  await rows(db, sql`update mail set delivery = 'bounced'`)
  const bounced = await editor.post(`/api/mail/${held?.id}/retry`)
  expect(bounced.body.message).toBe('Release its record from spam first.')
  expect((await editor.post('/api/mail/01890000-0000-7000-8000-000000000000/retry')).status).toBe(
    404,
  )
  expect((await editor.post('/api/mail/x/retry')).status).toBe(404)
})

test('mail is listed in pages, newest first', async ({ db, reviewer }) => {
  await rows(
    db,
    sql`insert into mail (kind, record_kind, record_id, recipient, subject, text, html, status)
      select 'staff', 'contacts', uuid_v7(), 'x@mail.example', '', '', '', 'waiting'
      from generate_series(1, 120)`,
  )
  const seen: string[] = []
  let cursor = ''
  for (const size of [50, 50, 20]) {
    const page = await reviewer.get(`/api/mail?${cursor ? `cursor=${cursor}` : ''}`)
    expect(page.body.data).toHaveLength(size)
    seen.push(...idsOf(page))
    cursor = page.body.meta.nextCursor
  }
  expect(cursor).toBeNull()
  expect(seen).toEqual([...new Set(seen)].sort().reverse())
  expect((await reviewer.get('/api/mail?status=lost')).status).toBe(400)
  expect((await reviewer.get('/api/mail?cursor=x')).status).toBe(400)
})

test('a webhook shows its host only, since its path may be a secret', async ({ db, reviewer }) => {
  await rows(
    db,
    sql`insert into mail (kind, record_kind, record_id, recipient, subject, text, html, status)
      values ('webhook', 'contacts', uuid_v7(), 'https://hooks.example/secret/path', '', '{}', '', 'failed')`,
  )
  const { body } = await reviewer.get('/api/mail')
  expect(body.data[0]).toMatchObject({ kind: 'webhook', to: 'https://hooks.example' })
})
