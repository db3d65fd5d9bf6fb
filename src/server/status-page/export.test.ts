import { expect } from 'vitest'
import { limits } from '#contract/limits.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type Json, test } from '#server/inbox/testing.ts'
import { mailedCode, submitAndOpen } from './testing.ts'

test('a sender’s download holds all messages, also those for which the page has a link', async ({
  api,
  db,
}) => {
  const sender = await submitAndOpen(api, 'contacts')
  const texts = Array.from({ length: limits.activity.page + 1 }, (_, n) => `Reply ${n}`)
  for (const text of texts) {
    await rows(db, sql`delete from rate_limits`)
    expect((await sender.post('/messages', { text })).status).toBe(201)
  }
  expect((await sender.get()).body.data.messages).toHaveLength(limits.activity.page)
  await sender.post('/code')
  const { data } = (await sender.post('/export', { code: await mailedCode(api) })).body
  expect(data.messages.map(({ text }: Json) => text)).toEqual(texts)
  expect(data.messages[0]).toMatchObject({ at: expect.any(String), from: 'you', name: null })
  expect(data.older).toBeNull()
})

test('an answer stays below its size where messages are long, and the file holds them all', async ({
  api,
  db,
}) => {
  const sender = await submitAndOpen(api, 'contacts')
  const texts = Array.from({ length: 60 }, (_, n) => `${n}${'😀'.repeat(4_900)}`)
  for (const text of texts) {
    await rows(db, sql`delete from rate_limits`)
    expect((await sender.post('/messages', { text })).status).toBe(201)
  }
  await sender.post('/code')
  const { data } = (await sender.post('/export', { code: await mailedCode(api) })).body
  expect(JSON.stringify(data).length).toBeLessThan(2 ** 20)
  expect([data.messages.length < 60, data.older]).toEqual([true, expect.any(String)])
  await sender.post('/code')
  const file = await sender.postForm('/export', { code: await mailedCode(api) })
  const { messages, older } = JSON.parse(await file.text())
  expect([messages.length, older]).toEqual([60, null])
})
