import { expect, onTestFinished } from 'vitest'
import { blank, placeholderProblem } from '#contract/mail/placeholders.ts'
import { sql } from '#server/db/drizzle.ts'
import { connectRemote } from '#server/db/remote.ts'
import { rows } from '#server/db/rows.ts'
import { newPostgres } from '#server/db/testing.ts'
import { samples } from '#server/intake/samples.ts'
import { runRetention } from '#server/privacy/retention.ts'
import { test, testOnAll } from '#server/testing.ts'
import { idsOf, staff, submit } from './testing.ts'

testOnAll(
  'a draft is kept on the record for its author alone, until the message goes',
  async ({ api }) => {
    const [ada, grace] = [await staff(api, 'editor', 'ada'), await staff(api, 'editor', 'grace')]
    const reviewer = await staff(api, 'reviewer')
    const path = `/api/contacts/${await submit(api)}`
    await submit(api)
    const kept = await ada.put(`${path}/draft`, { text: 'Dear', subject: 'Your question' })
    expect(kept.body.data).toEqual({
      text: 'Dear',
      subject: 'Your question',
      at: expect.any(String),
      by: 'ada',
    })
    const later = await ada.put(`${path}/draft`, { text: 'Dear Sir,' })
    expect(later.body.data).toMatchObject({ text: 'Dear Sir,', subject: null })
    const { data } = (await ada.get(path)).body
    expect(data).toMatchObject({ draft: later.body.data, version: 1 })
    expect(data.activity).toHaveLength(1)
    expect((await grace.get(path)).body.data.draft).toBeNull()
    expect((await reviewer.put(`${path}/draft`, { text: 'No' })).status).toBe(403)

    const listed = await ada.get('/api/contacts?drafts=1')
    expect(idsOf(listed)).toEqual([data._id])
    expect(listed.body.meta).toMatchObject({ matching: 1, drafts: 1, total: 2 })
    expect((await grace.get('/api/contacts')).body.meta.drafts).toBe(0)
    expect((await ada.get('/api/contacts?drafts=2')).status).toBe(400)

    await grace.post(`${path}/messages`, { text: 'Hello!' })
    expect((await ada.get(path)).body.data.draft).not.toBeNull()
    await ada.post(`${path}/messages`, { text: 'Hello again!' })
    expect((await ada.get(path)).body.data.draft).toBeNull()

    await ada.put(`${path}/draft`, { text: 'Later' })
    expect((await ada.put(`${path}/draft`, { text: '' })).body.data).toBeNull()
    expect((await ada.get(path)).body.data.draft).toBeNull()
    for (const body of [{ text: 'x'.repeat(10_001) }, { subject: 'No text' }, {}])
      expect((await ada.put(`${path}/draft`, body)).body.fields).toHaveProperty('text')
    const unknown = '/api/contacts/01890000-0000-7000-8000-000000000000/draft'
    for (const text of ['Hello', '']) expect((await ada.put(unknown, { text })).status).toBe(404)
  },
)

test('a draft is in the export, ends with an erasure, and after 30 days', async ({ api, db }) => {
  const boss = await staff(api)
  const { email } = samples.contacts
  const path = `/api/contacts/${await submit(api)}`
  await boss.put(`${path}/draft`, { text: 'What I mean to say' })
  const { body } = await boss.post('/api/privacy/export', { email })
  expect(body.data.contacts[0].drafts).toEqual([
    { text: 'What I mean to say', subject: null, at: expect.any(String) },
  ])
  await boss.post('/api/privacy/erase', { email })
  expect(await rows(db, sql`select text from drafts`)).toEqual([])

  await boss.put(`/api/contacts/${await submit(api)}/draft`, { text: 'Old' })
  await rows(db, sql`update drafts set at = now() - interval '31 days'`)
  await runRetention(api.deps)
  expect(await rows(db, sql`select text from drafts`)).toEqual([])
})

test('nothing leaves with a placeholder that nobody fills in, or with a blank', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const id = await submit(api)
  const path = `/api/contacts/${id}/messages`
  for (const [text, named] of [
    ['Hello {nmae}', '{nmae}'],
    ['Hello {Name}', '{Name}'],
    ['On {?day and hour}', '{?day and hour}'],
  ] as const) {
    const one = await editor.post(path, { text })
    expect([text, one.status, one.body.fields.text[0]]).toEqual([
      text,
      400,
      expect.stringContaining(named),
    ])
    const value = { text }
    const many = await editor.post('/api/contacts/bulk', { ids: [id], action: 'message', value })
    expect([many.status, many.body.fields.text[0]]).toEqual([400, expect.stringContaining(named)])
  }
  const subject = await editor.post(path, { text: 'Hello', subject: 'For {name}' })
  expect(subject.body.fields.subject[0]).toContain('{name}')
  const template = { name: 'First', text: 'Hello {nmae}' }
  expect((await editor.post('/api/templates', template)).body.fields.text[0]).toContain('{nmae}')
  const blank = await editor.post('/api/templates', { name: 'First', text: 'On {?day}' })
  expect(blank.status).toBe(201)
  const changed = await editor.put(`/api/templates/${blank.body.data._id}`, { text: '{day}' })
  expect(changed.status).toBe(400)
  // Other braces are text.
  const text = `Hello {name}, {} {two words} {1} {?${'x'.repeat(61)}}`
  expect((await editor.post(path, { text })).status).toBe(201)
})

test('a message has a subject, the name of who writes and their signature', async ({ api, db }) => {
  const editor = await staff(api, 'editor')
  const id = await submit(api)
  const path = `/api/contacts/${id}/messages`
  const stored = () =>
    rows<Record<string, string | null>>(
      db,
      sql`select subject, from_name, text from mail where kind = 'message' order by id desc limit 1`,
    )
  await editor.post(path, { text: 'First' })
  const reference = id.replaceAll('-', '').slice(-8).toUpperCase()
  expect(await stored()).toMatchObject([
    { subject: expect.stringMatching(new RegExp(`^Re: .*${reference}`, 'i')), from_name: null },
  ])
  const settings = { displayName: 'Ada "The" Lovelace', signature: 'Ada\nThird floor' }
  expect((await editor.put('/api/me/settings', settings)).body.data).toMatchObject(settings)
  const { data } = (await editor.post(path, { text: 'Second', subject: 'About the pump' })).body
  expect(data).toMatchObject({ text: 'Second', subject: 'About the pump' })
  const [mail] = await stored()
  expect(mail).toMatchObject({ subject: 'About the pump', from_name: settings.displayName })
  expect(mail?.text).toContain('Second\n\nAda\nThird floor')
  expect((await editor.put('/api/me/settings', { displayName: null })).body.data).toMatchObject({
    displayName: null,
    signature: settings.signature,
  })
  expect((await editor.put('/api/me/settings', { displayName: 'x'.repeat(61) })).status).toBe(400)
  expect((await editor.post(path, { text: 'Third', subject: 'x'.repeat(201) })).status).toBe(400)
})

test('a new database has four templates to begin with', async () => {
  const { url } = await newPostgres('migrated')
  const { db, close } = await connectRemote({ kind: 'pg', url })
  onTestFinished(close)
  const found = await rows<{ name: string; text: string }>(
    db,
    sql`select name, text from templates order by name`,
  )
  expect(found.map(({ text }) => placeholderProblem(text))).toEqual([null, null, null, null])
  expect(found.map(({ name }) => name)).toEqual([
    'First answer',
    'Invitation to talk',
    'Kind refusal',
    'Two times',
  ])
  expect(found[0]?.text.match(blank)).toHaveLength(1)
})
