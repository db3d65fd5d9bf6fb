import { expect } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { iso } from '#server/db/json.ts'
import { rows } from '#server/db/rows.ts'
import { backdate, type Json, staff, submit } from '#server/inbox/testing.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { test, testApi, testOnAll } from '#server/testing.ts'
import { addReply, type NewReply } from './store.ts'

const { consultations } = kindByPath

testOnAll('a reply owes an answer anew, is announced, and leaves undo possible', async ({ db }) => {
  const api = testApi(db)
  const editor = await staff(api, 'editor', 'ada')
  await staff(api, 'superuser')
  const id = await submit(api, 'consultations')
  const path = `/api/consultations/${id}`
  const reply = (changes: Partial<NewReply> = {}) =>
    addReply(api.deps, consultations, id, { kind: 'reply', text: 'A reply', ...changes })
  const read = async () => (await editor.get(path)).body.data
  const announcedTo = async () =>
    (
      await rows<{ recipient: string }>(
        db,
        sql`select recipient from mail where kind = 'staff' and subject like '%: reply, %' order by id`,
      )
    ).map(({ recipient }) => recipient)

  const first = await read()
  await reply()
  // Still owed: writing again does not move the promised time.
  expect(await read()).toMatchObject({ dueAt: first.dueAt, waitingFor: 'us', version: 2 })
  expect(await announcedTo()).toEqual(['superuser@staff.test'])

  await editor.put(path, { assignee: 'ada' })
  const written = await editor.post(`${path}/messages`, { text: 'Hello!', status: 'contacted' })
  await reply()
  // The message has not left: what was owed before it is owed still, and it can be taken back.
  expect(await read()).toMatchObject({ dueAt: first.dueAt, waitingFor: 'us', status: 'contacted' })
  expect(await announcedTo()).toEqual(['superuser@staff.test', 'ada@staff.test'])
  const undone = await editor.post('/api/undo', { event: written.body.meta.event })
  expect(undone.body.data.reverted).toEqual([id])
  expect(await read()).toMatchObject({ status: 'pending', waitingFor: 'us', dueAt: first.dueAt })

  await editor.post(`${path}/messages`, { text: 'Hello again!' })
  await rows(db, sql`update mail set status = 'sent' where kind = 'message'`)
  await reply({ kind: 'auto' })
  await reply({ from: 'else@people.test' })
  expect(await read()).toMatchObject({ waitingFor: 'them', dueAt: null })
  await editor.put(path, { snoozedUntil: '2099-01-01T00:00:00Z' })
  const { at } = (await reply()) ?? {}
  const [due] = await rows<{ at: string }>(
    db,
    sql`select ${iso(sql`${at}::timestamptz + interval '24 hours'`)} as at`,
  )
  const { activity, ...record } = await read()
  expect(record).toMatchObject({
    waitingFor: 'us',
    dueAt: due?.at,
    snoozedUntil: null,
    lastMessageAt: at,
  })
  expect(activity.map(({ kind, from }: Json) => [kind, from]).slice(-4)).toEqual([
    ['auto', null],
    ['reply', 'else@people.test'],
    ['snooze', undefined],
    ['reply', null],
  ])

  await editor.put(path, { box: 'spam' })
  await reply()
  expect(await announcedTo()).toHaveLength(5)
  const held = await rows(db, sql`select from mail where kind = 'staff' and status = 'held'`)
  expect(held.length).toBeGreaterThan(0)
  const claim = sql`select 1 from target where false`
  expect(await reply({ claim })).toBeUndefined()
})

test('a reply is not announced to an assignee who may not read records any more', async ({
  api,
}) => {
  const boss = await staff(api, 'superuser')
  const editor = await staff(api, 'editor')
  const id = await submit(api)
  const announcedTo = async () => {
    await addReply(api.deps, kindByPath.contacts, id, { kind: 'reply', text: 'A reply' })
    const [last] = await rows<{ recipient: string }>(
      api.deps.db,
      sql`select recipient from mail where kind = 'staff' order by id desc limit 1`,
    )
    return last?.recipient
  }
  await boss.put(`/api/contacts/${id}`, { assignee: 'editor' })
  await boss.put(`/api/users/${editor.id}`, { role: 'reviewer' })
  expect(await announcedTo()).toBe('editor@staff.test')
  await boss.put(`/api/users/${editor.id}`, { role: 'user' })
  expect(await announcedTo()).toBe('superuser@staff.test')
})

test('an announcement that waits follows its account, and goes with the right to read records', async ({
  api,
}) => {
  const { db, config } = api.deps
  const team = { ...config, mail: { ...config.mail, to: 'Shared@staff.test' } }
  const boss = await staff(testApi(db, { config: team }), 'superuser')
  const ids: Record<string, string> = {}
  for (const name of ['deleted', 'demoted', 'moved', 'shared'])
    ids[name] = (await staff(api, 'superuser', name)).id
  await submit(api, 'contacts', { website: 'https://spam.example' })
  const heldFor = async () =>
    (
      await rows<{ recipient: string }>(
        db,
        sql`select recipient from mail where kind = 'staff' and status = 'held' order by recipient`,
      )
    ).map(({ recipient }) => recipient.replace('@staff.test', ''))
  expect(await heldFor()).toEqual(['deleted', 'demoted', 'moved', 'shared', 'superuser'])
  await boss.put(`/api/users/${ids.moved}`, { email: 'new@staff.test', role: 'reviewer' })
  await boss.put(`/api/users/${ids.demoted}`, { role: 'user' })
  await boss.delete(`/api/users/${ids.deleted}`)
  // An address in `MAIL_TO` gets this mail whether or not an account has it.
  await boss.delete(`/api/users/${ids.shared}`)
  expect(await heldFor()).toEqual(['new', 'shared', 'superuser'])
})

test('mail from another address changes nothing of what undo brings back', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'consultations')
  const path = `/api/consultations/${id}`
  const { dueAt } = (await editor.get(path)).body.data
  for (const change of [
    () => editor.post(`${path}/messages`, { text: 'Hello!' }),
    () => editor.put(path, { status: 'contacted' }),
  ]) {
    const { meta } = (await change()).body
    const other: NewReply = { kind: 'reply', text: 'A remark', from: 'else@people.test' }
    await addReply(api.deps, consultations, id, other)
    const undone = await editor.post('/api/undo', { event: meta.event })
    expect(undone.body.data.reverted).toEqual([id])
    expect((await editor.get(path)).body.data).toMatchObject({ waitingFor: 'us', dueAt })
  }
})

test('a reply owes its own answer while a message waits that answered nothing', async ({
  api,
  db,
}) => {
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'consultations')
  const path = `/api/consultations/${id}`
  await backdate(db, 'consultations', id, sql`now() - interval '21 days'`)
  await editor.post(`${path}/messages`, { text: 'The answer' })
  await rows(db, sql`update mail set status = 'sent' where kind = 'message'`)
  await editor.post(`${path}/messages`, { text: 'One more thing' })
  const { at = '' } =
    (await addReply(api.deps, consultations, id, { kind: 'reply', text: 'Thank you' })) ?? {}
  const { dueAt } = (await editor.get(path)).body.data
  expect(Date.parse(dueAt) - Date.parse(at)).toBe(24 * 3_600_000)
})
