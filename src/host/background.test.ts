import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { rows } from '#server/db/rows.ts'
import { staff, submit } from '#server/inbox/testing.ts'
import { test as apiTest, testApi, testConfig } from '#server/testing.ts'
import { startBackground } from './background.ts'

const test = apiTest.extend('dataDir', async ({}, { onCleanup }) => {
  const directory = await mkdtemp(join(tmpdir(), 'fledge-background-'))
  onCleanup(() => rm(directory, { recursive: true }))
  return directory
})

test('a message leaves when its ten seconds are over, not with the next round of the timer', async ({
  db,
  dataDir,
}) => {
  const delays: (number | undefined)[] = []
  const api = testApi(db, { deliver: async (seconds) => void delays.push(seconds) })
  const editor = await staff(api, 'editor')
  const id = await submit(api)
  await editor.post(`/api/contacts/${id}/messages`, { text: 'Hello!' })
  await editor.post('/api/contacts/bulk', {
    ids: [id],
    action: 'message',
    value: { text: 'Hello again!' },
  })
  expect(delays).toEqual([undefined, 10, 10])

  const delay = 0.3
  await rows(
    db,
    sql`update mail set next_attempt_at = now() + make_interval(secs => ${delay}::float) where kind = 'message'`,
  )
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const sent = new Set<unknown>()
  const background = startBackground({
    config: { ...testConfig, dataDir },
    db,
    log: ({ event, mailId }) => {
      if (event === 'mail_sent') sent.add(mailId)
    },
  })
  try {
    await background.deliver(delay)
    const messages = await rows<{ id: string }>(db, sql`select id from mail where kind = 'message'`)
    expect(messages).toHaveLength(2)
    await vi.waitUntil(() => messages.every((message) => sent.has(message.id)), 20_000)
  } finally {
    await background.stop()
    vi.useRealTimers()
  }
})
