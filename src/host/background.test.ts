import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { staff, submit } from '#server/inbox/testing.ts'
import { test as apiTest, testApi, testConfig } from '#server/testing.ts'
import { visitsInMemory } from '#server/visits/counts.ts'
import { startReceiver as startHttpsReceiver } from '#tests/webhook-receiver.ts'
import { startBackground } from './background.ts'

const test = apiTest.extend('dataDir', async ({}, { onCleanup }) => {
  const directory = await mkdtemp(join(tmpdir(), 'fledge-background-'))
  onCleanup(() => rm(directory, { recursive: true }))
  return directory
})

/** A background whose timers for rounds never fire, with the ids of the mails that it has sent. */
const withoutRounds = (db: Database, dataDir: string, config: object = {}) => {
  // Not Vitest's timers, whose time goes on while `waitUntil` waits.
  const intervals = vi.spyOn(globalThis, 'setInterval').mockReturnValue(setTimeout(() => {}))
  const sent = new Set<unknown>()
  const background = startBackground({
    config: { ...testConfig, dataDir, ...config },
    db,
    visits: visitsInMemory({ db, publicPage: async () => undefined }),
    log: ({ event, mailId }) => {
      if (event === 'mail_sent') sent.add(mailId)
    },
  })
  onTestFinished(async () => {
    await background.stop()
    intervals.mockRestore()
  })
  return { background, sent }
}

/** Receives one webhook and answers when it is told to. */
const startReceiver = async () => {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const server = createServer(async (_request, response) => {
    asked.resolve()
    await answered.promise
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked: asked.promise, answer: answered.resolve }
}

const leavesIn = (db: Database, seconds: number) =>
  rows<{ id: string }>(
    db,
    sql`update mail set next_attempt_at = now() + make_interval(secs => ${seconds}::float)
      where kind = 'message' returning id`,
  )

test('a message that an ended process left behind leaves when its ten seconds are over', async ({
  api,
  db,
  dataDir,
}) => {
  const editor = await staff(api, 'editor')
  await editor.post(`/api/contacts/${await submit(api)}/messages`, { text: 'Hello!' })
  // Nothing else, which would keep the first round going until the message is due.
  await rows(db, sql`delete from mail where kind <> 'message'`)
  const [message] = await leavesIn(db, 1)
  const { sent } = withoutRounds(db, dataDir)
  await vi.waitUntil(() => sent.has(message?.id), 20_000)
})

test('a message left behind leaves in time also where it falls due while a webhook is on its way', async ({
  api,
  db,
  dataDir,
}) => {
  const editor = await staff(api, 'editor')
  await editor.post(`/api/contacts/${await submit(api)}/messages`, { text: 'Hello!' })
  const receiver = await startReceiver()
  await rows(db, sql`delete from mail where kind <> 'message'`)
  await rows(
    db,
    sql`insert into mail (kind, record_kind, record_id, recipient, subject, text, html, status)
      values ('webhook', 'contacts', uuid_v7(), ${receiver.url}, '', '{}', '', 'waiting')`,
  )
  const [message] = await leavesIn(db, 1)
  const { sent } = withoutRounds(db, dataDir, { webhook: { url: receiver.url } })
  await receiver.asked
  const due = sql`select from mail where kind = 'message' and next_attempt_at < now()`
  await vi.waitUntil(async () => (await rows(db, due)).length > 0, 20_000)
  receiver.answer()
  await vi.waitUntil(() => sent.has(message?.id), 20_000)
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
  // Later than the start, which looks for what is soon due.
  await leavesIn(db, 3_600)
  const { background, sent } = withoutRounds(db, dataDir)
  await background.deliver()
  const messages = await leavesIn(db, delay)
  await background.deliver(delay)
  expect(messages).toHaveLength(2)
  await vi.waitUntil(() => messages.every((message) => sent.has(message.id)), 20_000)
})

test('a webhook that failed is tried again after five seconds, not with the next round of the timer', async ({
  db,
  dataDir,
}) => {
  const receiver = await startHttpsReceiver(() => (receiver.received.length === 1 ? 500 : 204))
  const config = { privateHosts: [receiver.host] }
  const { background } = withoutRounds(db, dataDir, config)
  const api = testApi(db, { config: { ...testConfig, ...config } })
  const boss = await staff(api)
  const { body } = await boss.post('/api/endpoints', { url: receiver.url, events: ['test'] })
  await boss.post(`/api/endpoints/${body.data._id}/test`)
  await background.deliver()
  await vi.waitUntil(() => receiver.received.length === 2, 60_000)
})
