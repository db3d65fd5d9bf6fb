import { expect } from 'vitest'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { test, testOnAll } from '#server/db/testing.ts'
import { backdate, staff, submit } from '#server/inbox/testing.ts'
import {
  type TestApi,
  testApi,
  testConfig,
  withoutCareers,
  withPositions,
} from '#server/testing.ts'
import { withContent } from '#site/content.ts'
import { createDigests } from './digest.ts'
import type { Message } from './message.ts'
import { drain } from './outbox.ts'
import { openText } from './sealed-text.ts'
import { outboxWorker } from './sender.ts'

const SETTINGS = '/api/me/settings'

/** The hour of the digest is far away, so that none passes during a test. */
const config = { ...testConfig, digestHour: (new Date().getUTCHours() + 12) % 24 }

/** Somebody who wants the digest and got yesterday's. */
const subscriber = async (api: TestApi, username: string) => {
  const person = await staff(api, 'reviewer', username)
  expect((await person.put(SETTINGS, { digest: 'daily' })).status).toBe(200)
  return person
}

/** Something that a digest has to tell, at whatever hour the test runs. */
const submitLate = async (api: TestApi, changes: Record<string, unknown> = {}) => {
  const id = await submit(api, 'consultations', changes)
  await backdate(api.deps.db, 'consultations', id, sql`now() - interval '2 days'`)
  return id
}

const nextDay = (db: Database) =>
  rows(db, sql`update staff_settings set digest_day = digest_day - 1`)

/** What a worker sends right after its start. */
const sentBy = async (api: TestApi): Promise<Message[]> => {
  const sent: Message[] = []
  const { send: _, ...worker } = outboxWorker(api.deps)
  const send = async (message: Message) => {
    sent.push(message)
    return { outcome: 'sent' as const, providerId: null }
  }
  await drain({ ...worker, send }, { batchMs: 1 })
  return sent
    .filter(({ kind }) => kind === 'digest')
    .map((message) => ({
      ...message,
      ...openText(api.deps.config.authSecret, message.sealed ?? ''),
    }))
}

testOnAll(
  'each who wants it gets one digest a day, from any number of processes',
  async ({ db }) => {
    const api = testApi(db, { config })
    await submitLate(api)
    const ada = await subscriber(api, 'ada')
    await subscriber(api, 'grace')
    await staff(api, 'reviewer', 'nobody')
    const run = async () => {
      const processes = Array.from({ length: 8 }, () => createDigests(api.deps))
      await Promise.all(processes.map((digests) => digests.queue()))
    }
    const recipients = async () =>
      (
        await rows<{ recipient: string }>(
          db,
          sql`select recipient from mail where kind = 'digest' order by 1`,
        )
      ).map(({ recipient }) => recipient)
    await run()
    // Who has just asked for it waits until tomorrow.
    expect(await recipients()).toEqual([])
    const seconds = await createDigests(api.deps).secondsUntilDue()
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(86_400)
    await nextDay(db)
    expect(await createDigests(api.deps).secondsUntilDue()).toBe(0)
    await run()
    await run()
    expect(await recipients()).toEqual(['ada@staff.test', 'grace@staff.test'])
    await ada.put(SETTINGS, { digest: 'off' })
    await nextDay(db)
    await run()
    expect(await recipients()).toEqual(['ada@staff.test', 'grace@staff.test', 'grace@staff.test'])
  },
)

test('a digest says what is owed, what came and what failed, with first names alone', async ({
  db,
}) => {
  const content = withPositions({ hidden: { blind: true } })
  const api = testApi(db, { config, content })
  await subscriber(api, 'ada')
  const editor = await staff(api, 'editor', 'grace')
  const late = await submitLate(api, { name: 'Émile <b>Zola</b>' })
  await submit(api, 'applications', { name: 'Grace Hopper', position: 'hidden' })
  await rows(db, sql`update applications set due_at = now() - interval '1 hour'`)
  await submit(api, 'contacts', { name: 'Robot', website: 'https://spam.example' })
  const answered = await submit(api, 'consultations', { name: 'Answered Already' })
  await editor.put(`/api/consultations/${answered}`, { status: 'contacted' })
  await editor.post(`/api/consultations/${late}/claim`)
  await rows(db, sql`update mail set status = 'failed'`)
  await nextDay(db)
  const [digest, ...others] = await withContent(content, () => sentBy(api))
  expect(others).toEqual([])
  expect(digest).toMatchObject({ to: 'ada@staff.test', record: null })
  expect(digest?.subject).toMatch(/^Owed: 2 late/)
  for (const body of [digest?.text, digest?.html]) {
    expect(body).toMatch(/Émile, consultation: late since \w{3} \d\d:\d\d UTC, grace has it/)
    expect(body).toMatch(/(- |>)application: late since .*, nobody has it/)
    expect(body).toContain(`https://fledge.test/admin/consultations?id=${late}`)
    expect(body).toMatch(/\d mails?/)
    expect(body).not.toMatch(/Zola|Grace|Hopper|Answered|Robot|@example/)
  }
  const stored = await rows(db, sql`select text, html, sealed from mail where kind = 'digest'`)
  expect(stored).toEqual([{ text: '', html: '', sealed: null }])
})

test('an erasure takes back the digests that wait, which may name the person', async ({ db }) => {
  const api = testApi(db, { config })
  await subscriber(api, 'ada')
  await submitLate(api, { name: 'Émile Zola', email: 'emile@people.test' })
  await nextDay(db)
  await createDigests(api.deps).queue()
  const admin = await staff(api, 'superuser')
  const waiting = () => rows(db, sql`select status from mail where kind = 'digest'`)
  await admin.post('/api/privacy/erase', { email: 'somebody@people.test' })
  expect(await waiting()).toHaveLength(1)
  expect((await admin.post('/api/privacy/erase', { email: 'emile@people.test' })).status).toBe(200)
  expect(await waiting()).toEqual([])
})

test('a day with nothing to say has no digest', async ({ db }) => {
  const api = testApi(db, { config })
  const ada = await subscriber(api, 'ada')
  await nextDay(db)
  expect(await sentBy(api)).toEqual([])
  await submitLate(api)
  expect(await sentBy(api)).toEqual([])
  await nextDay(db)
  expect(await sentBy(api)).toHaveLength(1)
  // Who may read nothing any more gets nothing.
  const superuser = await staff(api, 'superuser')
  await superuser.put(`/api/users/${ada.id}`, { role: 'user' })
  await nextDay(db)
  expect(await sentBy(api)).toEqual([])
  expect(await createDigests(api.deps).secondsUntilDue()).toBeNull()
})

test('a digest leaves out what is switched off', async ({ db }) => {
  const api = testApi(db, { config })
  const application = await submit(api, 'applications')
  await submitLate(api)
  await rows(
    db,
    sql`update applications set due_at = now() - interval '1 day' where id = ${application}::uuid`,
  )
  await subscriber(api, 'ada')
  await nextDay(db)
  const [digest] = await withContent(withoutCareers(), () => sentBy(api))
  expect(digest?.text).toContain('1 consultation late')
  expect(digest?.text).not.toContain('application')
})
