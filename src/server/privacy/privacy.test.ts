import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { addRecords } from '#cli/store/samples.ts'
import { kindPaths } from '#contract/inbox.ts'
import { signInAs } from '#server/auth/testing.ts'
import { addReply } from '#server/conversation/store.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { vacuum } from '#server/db/vacuum.ts'
import { backdate, type Json, staff, submit, test } from '#server/inbox/testing.ts'
import { kindByPath, kinds } from '#server/kinds/kinds.ts'
import { createOutbox } from '#server/mail-out/outbox.ts'
import { createSender } from '#server/mail-out/sender.ts'
import { submitAndOpen } from '#server/status-page/testing.ts'
import {
  type TestApi,
  testApi,
  testConfig,
  testOnAll,
  testOnPostgres,
  turnsDuring,
} from '#server/testing.ts'
import { judging } from '#site/content.ts'
import { eraseAgain } from './erase-again.ts'
import { runRetention } from './retention.ts'
import { erasureKey, remember } from './store/erasures.ts'
import { expiredStatement, oldBodies } from './store/retention.ts'

/** The app with a mailbox on disk, and mail that is written there. */
const withMailbox = async (db: Database): Promise<TestApi & { mailbox: string }> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fledge-mailbox-'))
  const config = { ...testConfig, dataDir }
  const outbox = createOutbox(
    { db, send: createSender(config), log: () => {}, mailPerHour: 300 },
    0,
  )
  return {
    ...testApi(db, { config, deliver: () => outbox.wake() }),
    mailbox: join(dataDir, 'mail'),
  }
}

/** Every table with a row that contains the text. */
const tablesWith = async (db: Database, words: string): Promise<string[]> => {
  const tables = await rows<{ name: string }>(
    db,
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const [hit] = await rows(
      db,
      sql`select 1 from ${sql.identifier(name)} t where t::text ilike ${`%${words}%`} limit 1`,
    )
    if (hit) found.push(name)
  }
  return found
}

const canary = 'Canary-7351'
const email = `${canary}@Mail.Example`

const leaveTraces = async (api: TestApi): Promise<void> => {
  const admin = await staff(api, 'admin')
  const whole = { name: canary, email }
  const message = await submit(api, 'contacts', { ...whole, message: `I am ${canary}.` })
  const spam = await submit(api, 'consultations', {
    ...whole,
    email: email.toUpperCase(),
    message: canary,
    website: 'x',
  })
  const gone = await submit(api, 'applications', {
    ...whole,
    email: email.toLowerCase(),
    position: 'other',
  })
  const [first] = judging('other').criteria
  const score = { criteria: { [first?.key ?? '']: 2 }, comment: `${canary} shows little.` }
  await admin.put(`/api/applications/${gone}/score`, score)
  await admin.delete(`/api/applications/${gone}`)
  await admin.post(`/api/contacts/${message}/notes`, { text: `${canary} rang.` })
  await admin.put(`/api/contacts/${message}`, { status: 'handled', assignee: 'admin' })
  await admin.put(`/api/consultations/${spam}`, { assignee: 'admin' })
  await api.request('/api/contacts', {
    body: { name: canary, email, message: 'Sent with a key.' },
    headers: { 'Idempotency-Key': canary },
  })
  await api.settled()
}

testOnAll(
  'erasing an address leaves no trace of it in any table or in the mailbox',
  async ({ db }) => {
    const api = await withMailbox(db)
    const superuser = await staff(api, 'superuser')
    await leaveTraces(api)
    const other = await submit(api, 'contacts', { email: 'other@mail.example' })
    await api.settled()
    expect(await tablesWith(db, canary)).toEqual(
      expect.arrayContaining([
        ...kindPaths,
        'application_scores',
        'events',
        'idempotency_keys',
        'mail',
      ]),
    )
    const files = (await readdir(api.mailbox)).length
    expect(files).toBeGreaterThan(3)

    const { status, body } = await superuser.post('/api/privacy/erase', {
      email: email.toLowerCase(),
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      contacts: 2,
      consultations: 1,
      applications: 1,
      notes: 1,
      scores: 1,
      messages: 0,
      mail: expect.any(Number),
      idempotencyKeys: 1,
      rateLimits: 1,
    })
    expect(await tablesWith(db, canary)).toEqual([])
    // What is left belongs to the other sender, or tells superusers that somebody was erased.
    await api.settled()
    const left = await rows<{ id: string; record_id: string }>(
      db,
      sql`select id, record_id from mail where status = 'sent'`,
    )
    expect(new Set(left.map((m) => m.record_id ?? other))).toEqual(new Set([other]))
    expect((await readdir(api.mailbox)).toSorted()).toEqual(
      left.map((m) => `${m.id}.eml`).toSorted(),
    )
    expect((await superuser.get(`/api/contacts/${other}`)).status).toBe(200)

    const logged = await rows(
      db,
      sql`select "by", target_kind, target_id from events where kind = 'erase'`,
    )
    expect(logged).toEqual([{ by: 'superuser', target_kind: 'privacy', target_id: null }])
    const again = await superuser.post('/api/privacy/erase', { email })
    expect(Object.values(again.body.data)).toEqual(Object.values(body.data).map(() => 0))
  },
)

testOnPostgres('what staff write during an erasure does not outlive it', async ({ api, db }) => {
  const superuser = await staff(api, 'superuser')
  const editor = await staff(api, 'editor')
  for (let round = 0; round < 20; round += 1) {
    // Each round has its own address, so that a later erasure does not clean up after it.
    const address = `${round}-${email}`
    const id = await submit(api, 'contacts', { email: address })
    const [, ...written] = await Promise.all([
      superuser.post('/api/privacy/erase', { email: address }),
      editor.post(`/api/contacts/${id}/notes`, { text: canary }),
      editor.post(`/api/contacts/${id}/messages`, { text: canary }),
      editor.put(`/api/contacts/${id}`, { email: `new-${address}` }),
    ])
    for (const { status } of written) expect([200, 201, 404]).toContain(status)
    // A correction that came first has moved the record to another address.
    await superuser.post('/api/privacy/erase', { email: `new-${address}` })
  }
  expect(await tablesWith(db, canary)).toEqual([])
})

test('an erasure while mail is being written leaves no file', async ({ db }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fledge-mailbox-'))
  const config = { ...testConfig, dataDir }
  const write = createSender(config)
  const api = testApi(db, { config })
  const superuser = await staff(api, 'superuser')
  await submit(api, 'contacts', { email })
  const eraseFirst: typeof write = async (message) => {
    // The erasure itself sends mail, to the superusers.
    if (message.kind !== 'account') await superuser.post('/api/privacy/erase', { email })
    return write(message)
  }
  await createOutbox({ db, send: eraseFirst, log: () => {}, mailPerHour: 300 }, 0).wake()
  for (const file of await readdir(join(dataDir, 'mail')))
    expect(await readFile(join(dataDir, 'mail', file), 'utf8')).not.toContain(email)
})

test('an erasure changes no staff account and keeps the log of what staff did', async ({ api }) => {
  const superuser = await staff(api, 'superuser')
  const id = await submit(api, 'contacts', { email: 'superuser@staff.test' })
  const change = await superuser.put(`/api/contacts/${id}`, { status: 'handled' })
  await superuser.post('/api/privacy/erase', { email: 'Superuser@staff.test' })
  expect((await superuser.get('/api/auth/me')).body.data.email).toBe('superuser@staff.test')
  expect((await superuser.get(`/api/contacts/${id}`)).status).toBe(404)
  const { data } = (await superuser.get('/api/audit')).body
  expect(data.map((entry: Json) => entry.kind)).toEqual(expect.arrayContaining(['erase', 'status']))
  expect((await superuser.post('/api/undo', { event: change.body.meta.event })).status).toBe(404)
})

test('mail to an address without an account is exported and erased with it', async ({
  api,
  db,
}) => {
  const superuser = await staff(api, 'superuser')
  const { body } = await superuser.post('/api/users/invitations', { email, role: 'editor' })
  await superuser.delete(`/api/users/invitations/${body.data._id}`)
  const exported = await superuser.post('/api/privacy/export', { email })
  expect(exported.body.data.mail).toMatchObject([{ kind: 'account', to: email }])
  // The superuser’s own export holds no mail of the invited person.
  const own = await superuser.post('/api/privacy/export', { email: 'superuser@staff.test' })
  expect(own.body.data.mail).toEqual([])
  expect((await superuser.post('/api/privacy/erase', { email })).body.data.mail).toBe(1)
  expect(await tablesWith(db, canary)).toEqual([])
})

test('an open invitation is exported and erased with its address, no other one', async ({ db }) => {
  const api = testApi(db)
  const superuser = await staff(api, 'superuser')
  const invite = (to: string) =>
    superuser.post('/api/users/invitations', { email: to, role: 'editor', username: canary })
  const { body } = await invite(email)
  await superuser.post('/api/users/invitations', { email: 'other@mail.example', role: 'editor' })
  const exported = await superuser.post('/api/privacy/export', { email: email.toLowerCase() })
  const { link, ...invitation } = body.data
  expect(exported.body.data.invitations).toEqual([invitation])
  const erased = await superuser.post('/api/privacy/erase', { email: email.toLowerCase() })
  expect(erased.body.data.invitations).toBe(1)
  expect(await tablesWith(db, canary)).toEqual([])
  const token = link.split('#')[1]
  expect((await superuser.post('/api/auth/invitation', { token })).status).toBe(404)
  const left = (await superuser.get('/api/users/invitations')).body.data
  expect(left).toMatchObject([{ email: 'other@mail.example' }])
})

test('notes, mail and links without a record are deleted nightly, all others stay', async ({
  api,
  db,
}) => {
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'contacts')
  await editor.post(`/api/contacts/${id}/notes`, { text: 'Call back.' })
  const counted = () =>
    rows(
      db,
      sql`select (select count(*)::int from mail) as mail, (select count(*)::int from events) as events,
        (select count(*)::int from record_links) as links`,
    )
  await rows(
    db,
    sql`insert into record_links (record_kind, record_id, token_hash, reply_hash, sealed)
      values ('contacts', ${id}::uuid, 'a', 'b', '')`,
  )
  const before = await counted()
  await rows(
    db,
    sql`with m as (
        insert into mail (kind, record_kind, record_id, recipient, subject, text, html, status)
        values ('staff', 'contacts', uuid_v7(), 'a@b.test', '', '', '', 'sent')
      ), l as (
        insert into record_links (record_kind, record_id, token_hash, reply_hash, sealed)
        values ('contacts', uuid_v7(), 'c', 'd', '')
      )
      insert into events (change_id, kind, target_kind, target_id, "by") values
        (uuid_v7(), 'note', 'contacts', uuid_v7(), 'editor'), (uuid_v7(), 'reply', 'contacts', uuid_v7(), null)`,
  )
  const done = await runRetention(api.deps)
  expect(done).toMatchObject({ orphanMail: 1, orphanEntries: 2, orphanLinks: 1 })
  expect(await counted()).toEqual(before)
})

testOnAll('mail about accounts and digests is deleted after thirty days', async ({ api, db }) => {
  await rows(
    db,
    sql`insert into mail (kind, recipient, subject, text, html, status, created_at)
      select kind, 'a@b.test', '', '', '', 'sent', now() - make_interval(days => age)
      from unnest(array['account', 'digest']) as kind, unnest(array[29, 31]) as age`,
  )
  expect(await runRetention(api.deps)).toMatchObject({ accountMail: 2 })
  const left = await rows(db, sql`select from mail where created_at > now() - interval '30 days'`)
  expect(left).toHaveLength(2)
})

testOnAll('an export brings everything held on an address', async ({ api, db }) => {
  const superuser = await staff(api, 'superuser')
  await leaveTraces(api)
  await submit(api, 'contacts', { email: 'other@mail.example' })
  const { status, body } = await superuser.post('/api/privacy/export', { email })
  expect(status).toBe(200)
  expect(body.data.contacts).toHaveLength(2)
  expect(body.data.consultations).toMatchObject([{ box: 'spam', message: canary }])
  expect(body.data.applications).toMatchObject([{ box: 'trash', name: canary }])
  expect(body.data.contacts[0].activity.map((e: Json) => e.kind)).toEqual([
    'created',
    'note',
    'assign',
    'status',
  ])
  expect(body.data.idempotencyKeys).toMatchObject([{ key: canary }])
  expect(body.data.mail.length).toBeGreaterThan(3)
  expect(JSON.stringify(body.data)).not.toContain('other@mail.example')
  const logged = await rows<{ all: string }>(
    db,
    sql`select events::text as all from events where kind = 'export'`,
  )
  expect(logged).toHaveLength(1)
  expect(logged[0]?.all.toLowerCase()).not.toContain(canary.toLowerCase())
})

test('an export brings what a sender corrected, and what an agent proposes', async ({
  api,
  db,
}) => {
  const superuser = await staff(api)
  const sender = await submitAndOpen(api, 'contacts', { email, name: 'Typed' })
  expect((await sender.post('/correct', { name: canary })).status).toBe(200)
  await rows(
    db,
    sql`insert into agent_proposals (record_id, record_kind, status, why, token, "by")
        values (${sender.id}::uuid, 'contacts', 'handled', 'They say thanks.', 'Night reader', 'ada')`,
  )
  const { body } = await superuser.post('/api/privacy/export', { email })
  expect(body.data.contacts).toMatchObject([
    {
      name: canary,
      corrections: [{ before: { name: 'Typed' }, after: { name: canary } }],
      proposal: { status: 'handled', why: 'They say thanks.' },
    },
  ])
})

test('an export says of every mail where it had a link', async ({ api, superuser }) => {
  await submit(api, 'contacts', { email })
  await api.request('/api/status', { body: { email } })
  await api.settled()
  const { body } = await superuser.post('/api/privacy/export', { email })
  const mails = body.data.mail.filter(({ kind }: Json) => kind !== 'staff')
  expect(mails.map(({ kind }: Json) => kind)).toEqual(['acknowledgement', 'code'])
  for (const { text } of mails) {
    expect(text).toContain('{link}')
    expect(text).not.toMatch(/[^\P{Cc}\n]/u)
  }
})

test('an export and an erasure name the templates that hold the address, which stay', async ({
  superuser,
}) => {
  const add = (name: string, text: string) => superuser.post('/api/templates', { name, text })
  await add('Copy', `Dear {name}, ask (${email.toUpperCase()}).`)
  await add(`As for ${email}`, 'Dear {name}')
  await add('Other address', `Dear {name}, ask x${email} or ${email}x.`)
  await add('Name alone', `Ask ${canary}.`)
  const { data: templates } = (await superuser.get('/api/templates')).body
  const { body } = await superuser.post('/api/privacy/export', { email })
  expect(body.data.templates).toEqual([
    { _id: expect.any(String), name: `As for ${email}`, text: 'Dear {name}' },
    { _id: expect.any(String), name: 'Copy', text: `Dear {name}, ask (${email.toUpperCase()}).` },
  ])
  const erased = await superuser.post('/api/privacy/erase', { email })
  expect(erased.body.meta).toEqual({ templates: [`As for ${email}`, 'Copy'] })
  expect((await superuser.get('/api/templates')).body.data).toEqual(templates)
})

test('a staff notice about somebody else is neither exported nor erased with the address it went to', async ({
  db,
}) => {
  const base = await withMailbox(db)
  const webhook = { url: 'http://127.0.0.1:9/secret-path', secret: undefined }
  const api = testApi(db, { ...base.deps, config: { ...base.deps.config, webhook } })
  const superuser = await staff(api, 'superuser')
  const owner = 'superuser@staff.test'
  const stranger = await submit(api, 'contacts', { email: 'stranger@mail.example' })
  const own = await submit(api, 'contacts', { email: owner.toUpperCase() })
  await api.settled()
  const messages = () =>
    rows<{ id: string; record: string }>(
      db,
      sql`select id, record_id as record from mail where kind not in ('webhook', 'account') order by id`,
    )
  const before = await messages()
  expect(before).toHaveLength(4)

  const { body } = await superuser.post('/api/privacy/export', { email: owner })
  expect(
    body.data.mail.map((m: Json) => [m.record._id, m.kind, m.to.toLowerCase()]).toSorted(),
  ).toEqual([
    [own, 'acknowledgement', owner],
    [own, 'staff', owner],
    [own, 'webhook', 'webhook'],
  ])
  const text = JSON.stringify(body.data)
  for (const secret of ['stranger@mail.example', 'secret-path', '127.0.0.1'])
    expect(text).not.toContain(secret)

  const erased = await superuser.post('/api/privacy/erase', { email: owner })
  expect(erased.body.data).toMatchObject({ contacts: 1, mail: 3 })
  const left = before.filter(({ record }) => record === stranger)
  expect(await messages()).toEqual(left)
  const files = (await readdir(base.mailbox)).filter((file) =>
    before.some(({ id }) => file === `${id}.eml`),
  )
  expect(files.toSorted()).toEqual(left.map(({ id }) => `${id}.eml`))
})

test('mail to an address belongs to it, even after its record got another address', async ({
  api,
  db,
}) => {
  const superuser = await staff(api, 'superuser')
  const id = await submit(api, 'contacts', { email: 'typo@mail.example' })
  await rows(db, sql`update contacts set email = 'right@mail.example' where id = ${id}::uuid`)
  const { body } = await superuser.post('/api/privacy/export', { email: 'typo@mail.example' })
  expect(body.data.contacts).toEqual([])
  expect(body.data.mail).toMatchObject([{ kind: 'acknowledgement', to: 'typo@mail.example' }])
  await superuser.post('/api/privacy/erase', { email: 'Typo@mail.example' })
  expect(await rows(db, sql`select kind from mail where kind <> 'account'`)).toEqual([
    { kind: 'staff' },
  ])
})

test('an address that was corrected leaves nothing when it is erased', async ({ api, db }) => {
  const superuser = await staff(api)
  const typed = 'typed-4417@mail.example'
  const path = `/api/contacts/${await submit(api, 'contacts', { email: typed })}`
  const { token } = await signInAs(api.deps, 'editor')
  const headers = { 'Idempotency-Key': 'claimed' }
  const claimed = await api.request(`${path}/claim`, { method: 'POST', token, headers })
  expect(await claimed.text()).toContain(typed)
  const { body } = await superuser.put(path, { email: 'right@mail.example' })
  await superuser.post('/api/undo', { event: body.meta.event })
  await superuser.put(path, { email: 'right@mail.example' })
  expect(await tablesWith(db, typed)).toEqual(expect.arrayContaining(['events', 'keyed_calls']))

  const erased = await superuser.post('/api/privacy/erase', { email: typed.toUpperCase() })
  expect(erased.body.data).toMatchObject({ contacts: 0, mail: 1 })
  expect(await tablesWith(db, typed)).toEqual([])
  expect((await superuser.get(path)).body.data.email).toBe('right@mail.example')
  const { body: later } = await superuser.put(path, { status: 'handled' })
  expect((await superuser.post('/api/undo', { event: later.meta.event })).status).toBe(200)
})

test('the announcement of a reply from before a correction goes with the old address', async ({
  api,
  db,
}) => {
  const superuser = await staff(api)
  const typed = 'typed-4418@mail.example'
  const id = await submit(api, 'contacts', { email: typed })
  await addReply(api.deps, kindByPath.contacts, id, { kind: 'reply', text: 'One more thing.' })
  await rows(db, sql`update mail set status = 'sent', sent_at = now()`)
  await superuser.put(`/api/contacts/${id}`, { email: 'right@mail.example' })

  await superuser.post('/api/privacy/erase', { email: typed })
  expect(await tablesWith(db, typed)).toEqual([])
})

test('an erasure also removes a partly written file of the mailbox', async ({ db }) => {
  const api = await withMailbox(db)
  const superuser = await staff(api, 'superuser')
  await submit(api, 'contacts', { email })
  await api.settled()
  for (const { id } of await rows<{ id: string }>(db, sql`select id from mail`))
    await writeFile(join(api.mailbox, `${id}.eml.part`), canary)
  await superuser.post('/api/privacy/erase', { email })
  expect(await readdir(api.mailbox)).toEqual([])
})

test('an address is required', async ({ superuser, admin }) => {
  for (const call of ['export', 'erase']) {
    for (const body of [{}, { email: 'nobody' }, { email: 7 }])
      expect((await superuser.post(`/api/privacy/${call}`, body)).status).toBe(400)
    expect((await admin.post(`/api/privacy/${call}`, { email })).status).toBe(403)
  }
})

const fourDays = sql.raw(`interval '4 days'`)

/** The hours around the end of a period: adding and subtracting months may differ by days. */
const hoursAround = (span: SQL): SQL => sql`
  generate_series(now() - ${span} - ${fourDays}, now() - ${span} + ${fourDays}, interval '1 hour') as t`

/** The latest hour for which the period has ended. */
const justPast = (span: SQL): SQL =>
  sql`(select max(t) from ${hoursAround(span)} where t + ${span} <= now())`

/** The hour after it. */
const notYetPast = (span: SQL): SQL =>
  sql`(select min(t) from ${hoursAround(span)} where t + ${span} > now())`

const months = (n: number): SQL => sql.raw(`interval '${n} months'`)
const days = (n: number): SQL => sql.raw(`interval '${n} days'`)

/** Records on both sides of each rule's limit: those to erase, and those to keep. */
const rulesCases: [kind: 'contacts' | 'consultations' | 'applications', age: SQL, goes: boolean][] =
  [
    ['contacts', justPast(months(12)), true],
    ['contacts', notYetPast(months(12)), false],
    ['consultations', justPast(months(24)), true],
    ['consultations', notYetPast(months(24)), false],
    ['applications', justPast(months(24)), true],
    ['applications', notYetPast(months(24)), false],
  ]

testOnAll(
  'the clean-up erases what the rules say, to the hour, and nothing else',
  async ({ db }) => {
    const api = await withMailbox(db)
    const admin = await staff(api, 'admin')
    const going: string[] = []
    const staying: string[] = []
    for (const [kind, age, goes] of rulesCases) {
      const id = await submit(api, kind)
      await backdate(db, kind, id, age)
      ;(goes ? going : staying).push(`${kind}/${id}`)
    }
    const kept = await submit(api, 'contacts')
    await admin.put(`/api/contacts/${kept}/keep`, { keep: true })
    await backdate(db, 'contacts', kept, sql`now() - interval '5 years'`)
    staying.push(`contacts/${kept}`)
    for (const [age, list] of [
      [justPast(months(6)), going],
      [notYetPast(months(6)), staying],
    ] as const) {
      const id = await submit(api, 'applications')
      await admin.put(`/api/applications/${id}`, { status: 'rejected' })
      await rows(db, sql`update applications set acted_at = ${age} where id = ${id}::uuid`)
      list.push(`applications/${id}`)
    }
    for (const [age, list] of [
      [justPast(days(30)), going],
      [notYetPast(days(30)), staying],
    ] as const) {
      const id = await submit(api, 'contacts')
      await admin.put(`/api/contacts/${id}/keep`, { keep: true })
      await admin.delete(`/api/contacts/${id}`)
      await rows(db, sql`update contacts set trashed_at = ${age} where id = ${id}::uuid`)
      list.push(`contacts/${id}`)
    }
    for (const path of [...going, ...staying])
      expect((await admin.get(`/api/${path}`)).status).toBe(200)
    const soon = await admin.get('/api/privacy/retention')
    expect(soon.body.data.map((one: Json) => `${one.kind}/${one._id}`).toSorted()).toEqual(
      [...going, ...staying.filter((path) => path !== `contacts/${kept}`)].toSorted(),
    )
    for (const { kind, _id, expiresAt } of soon.body.data)
      expect((await admin.get(`/api/${kind}/${_id}`)).body.data.expiresAt).toBe(expiresAt)

    const done = await runRetention(api.deps)
    expect(done).toMatchObject({ contacts: 2, consultations: 1, applications: 2 })
    for (const path of going) expect((await admin.get(`/api/${path}`)).status).toBe(404)
    for (const path of staying) expect((await admin.get(`/api/${path}`)).status).toBe(200)
    const orphans = await rows(
      db,
      sql`select 1 from mail where not exists (
      select from contacts c where c.id = record_id union all
      select from consultations c where c.id = record_id union all
      select from applications c where c.id = record_id)`,
    )
    expect(orphans).toEqual([])
    expect(await runRetention(api.deps)).toMatchObject({
      contacts: 0,
      consultations: 0,
      applications: 0,
    })
    const boss = await staff(api, 'superuser')
    const { data: audit } = (await boss.get('/api/audit')).body
    expect(audit.filter(({ via }: { via?: string }) => via)).toEqual([
      {
        _id: expect.any(String),
        at: expect.any(String),
        by: null,
        byId: null,
        via: 'retention',
        kind: 'retention',
        target: null,
        fields: [],
        counts: { contacts: 2, consultations: 1, applications: 2 },
      },
    ])
    expect((await admin.get('/api/contacts')).body.meta.boxes).toEqual({
      inbox: 2,
      spam: 0,
      trash: 1,
    })
  },
)

testOnAll(
  'the clean-up ends keys, sign-ins, links, devices, counters and the texts of old mail',
  async ({ db }) => {
    const api = await withMailbox(db)
    const admin = await staff(api, 'admin')
    await mkdir(api.mailbox, { recursive: true })
    await rows(
      db,
      sql`insert into idempotency_keys (kind, key, body_hash, record_id, created_at) values
      ('contacts', 'old', '', uuid_v7(), now() - interval '1 day'),
      ('contacts', 'young', '', uuid_v7(), now() - interval '23 hours')`,
    )
    await rows(
      db,
      sql`insert into rate_limits (key, hits, max, updated_at) values
      ('old', '{}', 1, now() - interval '30 days'), ('young', '{}', 1, now() - interval '29 days')`,
    )
    await rows(
      db,
      sql`insert into sessions (user_id, token_hash, expires_at) values
      (${admin.id}::uuid, 'old', now() - interval '30 days'),
      (${admin.id}::uuid, 'young', now() - interval '29 days')`,
    )
    await rows(
      db,
      sql`insert into devices (user_id, hash, last_used_at) values
      (${admin.id}::uuid, 'old', now() - interval '12 months'),
      (${admin.id}::uuid, 'young', now() - interval '11 months')`,
    )
    await rows(
      db,
      sql`insert into challenges (purpose, hash, expires_at) values
      ('passkey', 'old', now()), ('passkey', 'young', now() + interval '1 minute')`,
    )
    await rows(
      db,
      sql`insert into account_links (kind, hash, email, expires_at) values
      ('invitation', 'old', 'old@mail.example', now()),
      ('invitation', 'young', 'young@mail.example', now() + interval '1 minute')`,
    )
    await rows(
      db,
      sql`insert into mail (kind, recipient, subject, text, html, sealed, expires_at, status) values
      ('account', 'link-old@mail.example', '', '', '', 'sealed', now(), 'failed'),
      ('account', 'link-young@mail.example', '', '', '', 'sealed', now() + interval '1 minute', 'failed')`,
    )
    await rows(
      db,
      sql`insert into mail (kind, record_kind, record_id, recipient, subject, text, html, status, created_at, sent_at)
      select 'staff', null, null::uuid, name || '@mail.example', '', 'text', 'html', status, created, sent
      from (values
        ('sent-old', 'sent', now() - interval '40 days', now() - interval '30 days'),
        ('sent-young', 'sent', now() - interval '40 days', now() - interval '29 days'),
        ('failed-old', 'failed', now() - interval '30 days', null),
        ('waiting-old', 'waiting', now() - interval '30 days', null)
      ) as v (name, status, created, sent)`,
    )
    await rows(
      db,
      sql`insert into mail (kind, recipient, subject, text, html, status, created_at) values
      ('code', 'asked-old@mail.example', '', 'text', 'html', 'sent', now() - interval '30 days'),
      ('code', 'asked-young@mail.example', '', 'text', 'html', 'sent', now() - interval '29 days')`,
    )
    const old = join(api.mailbox, 'old.eml')
    const young = join(api.mailbox, 'young.eml')
    for (const file of [old, young]) await writeFile(file, 'text')
    const longAgo = new Date(Date.now() - 31 * 86_400_000)
    await utimes(old, longAgo, longAgo)
    // Listed, but missing when it is read, like a file that is being written.
    await symlink(join(api.mailbox, 'nowhere'), join(api.mailbox, 'fleeting.eml.part'))

    expect(await runRetention(api.deps)).toMatchObject({
      idempotencyKeys: 1,
      limits: 1,
      sessions: 1,
      devices: 1,
      challenges: 1,
      accountLinks: 1,
      endedLinks: 1,
      linkMail: 1,
      mailBodies: 2,
      emlFiles: 1,
    })
    const [left] = await rows(
      db,
      sql`select (select array_agg(hash) from devices) || (select array_agg(hash) from challenges)
        || (select array_agg(hash) from account_links)
        || (select array_agg(recipient) from mail where sealed is not null) as left`,
    )
    expect(left?.left).toEqual(['young', 'young', 'young', 'link-young@mail.example'])
    expect([existsSync(old), existsSync(young)]).toEqual([false, true])
    const emptied = await rows<{ recipient: string }>(
      db,
      sql`select recipient from mail where kind = 'staff' and text = '' and html = '' order by 1`,
    )
    expect(emptied.map((m) => m.recipient)).toEqual([
      'failed-old@mail.example',
      'sent-old@mail.example',
    ])
    const asked = await rows(db, sql`select recipient from mail where kind = 'code'`)
    expect(asked).toEqual([{ recipient: 'asked-young@mail.example' }])
    const { body } = await admin.get('/api/mail?status=failed')
    const failed = body.data.find(({ kind }: { kind: string }) => kind === 'staff')
    expect((await admin.post(`/api/mail/${failed._id}/retry`)).status).toBe(409)
    expect(api.logged.find(({ event }) => event === 'retention')).toMatchObject({ mailBodies: 2 })
  },
)

/** Old rows of two kinds, more than one batch of each. */
const fillWithOld = async (db: Database, count: number): Promise<void> => {
  await rows(
    db,
    sql`insert into idempotency_keys (kind, key, body_hash, record_id, created_at)
      select 'contacts', 'old' || n, '', uuid_v7(), now() - interval '2 days'
      from generate_series(1, ${count}::int) as n`,
  )
  await rows(
    db,
    sql`insert into mail (kind, record_kind, record_id, recipient, subject, text, html, status, sent_at)
      select 'staff', null, null::uuid, 'a@mail.example', '', 'text', 'html', 'sent', now() - interval '31 days'
      from generate_series(1, ${count}::int)`,
  )
}

test('the clean-up works in batches, and an interrupted one is continued', async ({ db }) => {
  const api = await withMailbox(db)
  const steps = Object.keys(await runRetention(api.deps)).length
  await fillWithOld(db, 1_200)
  await rows(db, sql`delete from markers`)
  // Each step is called once, so that this run ends after the first batch of each.
  let asked = 0
  const first = await runRetention(api.deps, () => {
    asked += 1
    return asked > steps + 1
  })
  expect(first).toMatchObject({ idempotencyKeys: 500, mailBodies: 500 })
  expect(api.logged.at(-1)).toMatchObject({ unfinished: ['idempotencyKeys', 'mailBodies'] })
  expect(await rows(db, sql`select from markers`)).toEqual([])
  expect(await runRetention(api.deps)).toMatchObject({ idempotencyKeys: 700, mailBodies: 700 })
  expect(await rows(db, sql`select name from markers`)).toEqual([{ name: 'retention' }])
})

test('calls are answered while much is cleaned up', async ({ db }) => {
  const api = await withMailbox(db)
  await fillWithOld(db, 5_000)
  expect(await turnsDuring(() => runRetention(api.deps))).toBeGreaterThan(20)
})

testOnAll('a failing step does not stop the others and is reported', async ({ db }) => {
  const api = await withMailbox(db)
  const reviewer = await staff(api, 'reviewer')
  const warnings = async () => (await reviewer.get('/api/stats')).body.data.warnings
  await runRetention(api.deps)
  await rows(db, sql`update markers set at = now() - interval '49 hours' where name = 'retention'`)
  expect(await warnings()).toEqual(['retention_overdue'])

  const old = await submit(api, 'applications')
  await backdate(db, 'applications', old, sql`now() - interval '3 years'`)
  await fillWithOld(db, 3)
  await rows(db, sql`alter table consultations rename to hidden`)
  try {
    expect(await runRetention(api.deps)).toMatchObject({
      applications: 1,
      consultations: 0,
      idempotencyKeys: 3,
      mailBodies: 3,
    })
  } finally {
    await rows(db, sql`alter table hidden rename to consultations`)
  }
  expect(api.logged.filter(({ level }) => level === 'error')).toMatchObject([
    { event: 'retention_failed', step: 'consultations', code: '42P01' },
    { event: 'retention_failed', step: 'orphanMail', code: '42P01' },
    { event: 'retention_failed', step: 'orphanEntries', code: '42P01' },
    { event: 'retention_failed', step: 'orphanLinks', code: '42P01' },
  ])
  expect(await warnings()).toEqual(['retention_overdue'])
  await runRetention(api.deps)
  expect(await warnings()).toEqual([])
})

testOnAll('due records are found by an index among many', async ({ db }) => {
  for (const kind of kinds) await addRecords(db, kind, 1_500)
  await rows(
    db,
    sql`insert into mail (kind, record_kind, record_id, recipient, subject, text, html, status, sent_at)
      select 'staff', null, null::uuid, 'a@mail.example', '', 'text', 'html', 'sent', now()
      from generate_series(1, 1500)`,
  )
  await vacuum(db)
  const planOf = async (statement: SQL) => {
    const lines = await rows<{ 'QUERY PLAN': string }>(db, sql`explain ${statement}`)
    return lines.map((line) => line['QUERY PLAN']).join('\n')
  }
  for (const kind of kinds) {
    const plan = await planOf(expiredStatement(kind))
    expect(plan, kind.path).toContain(`${kind.path}_trashed_idx`)
    expect(plan, kind.path).toContain(`${kind.path}_newest_idx`)
    expect(plan, kind.path).not.toContain('Seq Scan')
  }
  expect(await planOf(expiredStatement(kindByPath.applications))).toContain(
    'applications_rejected_idx',
  )
  const bodies = await planOf(sql`select from mail where ${oldBodies()} limit 500`)
  expect(bodies).toContain('mail_body_idx')
})

test('the mailbox keeps no message that the database does not have', async ({ db }) => {
  const api = await withMailbox(db)
  await submit(api, 'contacts')
  await api.settled()
  const known = await readdir(api.mailbox)
  expect(known.length).toBeGreaterThan(0)
  await writeFile(join(api.mailbox, '01890000-0000-7000-8000-000000000000.eml'), canary)
  await writeFile(join(api.mailbox, '01890000-0000-7000-8000-000000000001.eml.part'), canary)
  expect(await runRetention(api.deps)).toMatchObject({ emlFiles: 2 })
  expect(await readdir(api.mailbox)).toEqual(known)
})

test('replaced databases are deleted after seven days, nothing else is', async ({ db }) => {
  const api = await withMailbox(db)
  const { dataDir } = api.deps.config
  const named = (days: number) => {
    const at = new Date(Date.now() - days * 86_400_000).toISOString().replace(/[:.]/g, '-')
    return `db.replaced-${at}`
  }
  const [old, young] = [named(7), named(6.9)]
  const others = ['db', 'db.replaced-by-hand', young]
  for (const name of [...others, old]) {
    await mkdir(join(dataDir, name))
    await writeFile(join(dataDir, name, 'PG_VERSION'), '18')
  }
  expect(await runRetention(api.deps)).toMatchObject({ replacedDatabases: 1 })
  expect((await readdir(dataDir)).toSorted()).toEqual(others.toSorted())
})

testOnAll('listed erasures are repeated, and later data stays', async ({ db }) => {
  const api = await withMailbox(db)
  const superuser = await staff(api, 'superuser')
  const key = await erasureKey(db)
  const erased = await submit(api, 'contacts', { email })
  const single = await submit(api, 'applications', { email: 'one@mail.example' })
  const other = await submit(api, 'applications', { email: 'one@mail.example' })
  await superuser.post(`/api/contacts/${erased}/notes`, { text: canary })
  const invite = (to: string) =>
    superuser.post('/api/users/invitations', { email: to, role: 'editor' })
  await invite(email)
  await invite('late@mail.example')
  await api.settled()
  await rows(db, remember(key, 'address', email.toUpperCase()))
  await rows(db, remember(key, 'record', single))
  await rows(db, sql`update erasures set erased_at = now() + interval '1 minute'`)
  const later = await submit(api, 'contacts', { email, name: 'Later' })
  await api.settled()
  await backdate(db, 'contacts', later, sql`now() + interval '1 hour'`)
  await rows(
    db,
    sql`update mail set created_at = now() + interval '1 hour' where record_id = ${later}::uuid`,
  )

  expect(await eraseAgain(api.deps)).toMatchObject({ addresses: 1, records: 2 })
  for (const path of [`contacts/${erased}`, `applications/${single}`])
    expect((await superuser.get(`/api/${path}`)).status).toBe(404)
  for (const path of [`contacts/${later}`, `applications/${other}`])
    expect((await superuser.get(`/api/${path}`)).status).toBe(200)
  expect((await superuser.get('/api/users/invitations')).body.data).toMatchObject([
    { email: 'late@mail.example' },
  ])
  const files = await rows<{ id: string }>(db, sql`select id from mail where status = 'sent'`)
  expect((await readdir(api.mailbox)).toSorted()).toEqual(
    files.map(({ id }) => `${id}.eml`).toSorted(),
  )
  expect(await eraseAgain(api.deps)).toEqual({ addresses: 0, records: 0, links: 0, unmatched: 0 })
})
