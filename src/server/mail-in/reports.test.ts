import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { signInAs } from '#server/auth/testing.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { samples } from '#server/intake/samples.ts'
import { test, testApi, testConfig } from '#server/testing.ts'

const secret = `whsec_${Buffer.from('a secret that only the provider knows').toString('base64')}`

const withReports = (db: Database) =>
  testApi(db, {
    config: { ...testConfig, mail: { ...testConfig.mail, resendWebhookSecret: secret } },
  })

const report = (type: string, at = new Date(), tags?: unknown) => {
  const body = JSON.stringify({ type, data: { email_id: 'provider-1', tags } })
  const id = 'msg_1'
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'svix-id': id,
      'svix-timestamp': String(Math.floor(at.getTime() / 1000)),
      'svix-signature': new Webhook(secret).sign(id, at, body),
    },
  }
}

const queueSent = (db: Database) =>
  db.execute(sql`insert into mail (kind, record_kind, record_id, recipient, subject, text, html, status, provider_id)
    values ('acknowledgement', 'contacts', uuid_v7(), 'a@b.example', '', '', '', 'sent', 'provider-1')`)

const delivery = async (db: Database) =>
  (await rows<{ delivery: string | null }>(db, sql`select delivery from mail`))[0]?.delivery

test('a bounce shows on its message, and a later or repeated report changes nothing', async ({
  db,
}) => {
  const api = withReports(db)
  await queueSent(db)
  for (const type of [
    'email.delivered',
    'email.bounced',
    'email.bounced',
    'email.delivered',
    'email.opened',
  ])
    expect((await api.request('/api/webhooks/resend', report(type))).status).toBe(200)
  expect(await delivery(db)).toBe('bounced')
})

test('a bounced acknowledgement shows on its record', async ({ db }) => {
  const api = withReports(db)
  const sent = await api.request('/api/contacts', { body: samples.contacts })
  const { data } = (await sent.json()) as { data: { _id: string } }
  await db.execute(
    sql`update mail set status = 'sent', sent_at = now(), provider_id = 'provider-1'`,
  )
  await api.request('/api/webhooks/resend', report('email.bounced'))
  const { token } = await signInAs(api.deps, 'reviewer')
  const read = await api.request(`/api/contacts/${data._id}`, { token })
  expect(((await read.json()) as { data: { mail: unknown } }).data.mail).toEqual([
    {
      _id: expect.any(String),
      kind: 'acknowledgement',
      status: 'sent',
      delivery: 'bounced',
      entry: null,
      at: expect.stringMatching(/Z$/),
    },
  ])
})

test('a report that arrives before the provider’s answer finds its message', async ({ db }) => {
  const api = withReports(db)
  await queueSent(db)
  const [message] = await rows<{ id: string }>(
    db,
    sql`update mail set provider_id = null returning id`,
  )
  for (const tags of [
    { message: message?.id },
    [{ name: 'campaign', value: 'x' }],
    { message: '1' },
  ]) {
    const answer = await api.request(
      '/api/webhooks/resend',
      report('email.bounced', new Date(), tags),
    )
    expect(answer.status).toBe(200)
  }
  expect(await delivery(db)).toBe('bounced')
})

test('a report with a wrong signature, of another body or of last week is refused', async ({
  db,
}) => {
  const api = withReports(db)
  await queueSent(db)
  const good = report('email.bounced')
  const lastWeek = report('email.bounced', new Date(Date.now() - 7 * 86_400_000))
  const tampered = { ...good, body: good.body.replace('provider-1', 'provider-2') }
  const unsigned = { body: good.body, headers: { 'Content-Type': 'application/json' } }
  const unread = { ...unsigned, body: '{x' }
  for (const bad of [lastWeek, tampered, unsigned, unread])
    expect((await api.request('/api/webhooks/resend', bad)).status).toBe(401)
  expect(await delivery(db)).toBeNull()
})

test('without a secret the path is unknown', async ({ api }) => {
  for (const sent of [report('email.bounced'), { body: '{}' }])
    expect((await api.request('/api/webhooks/resend', sent)).status).toBe(404)
})

test('a notice about a submission contains nothing about the person', async ({ db }) => {
  const api = testApi(db, {
    config: { ...testConfig, webhook: { url: 'https://hooks.example/x', secret: undefined } },
  })
  await api.request('/api/consultations', { body: samples.consultations })
  const [notice] = await rows<{ recipient: string; text: string; status: string }>(
    db,
    sql`select recipient, text, status from mail where kind = 'webhook'`,
  )
  expect(notice).toMatchObject({ recipient: 'https://hooks.example/x', status: 'waiting' })
  expect(JSON.parse(notice?.text ?? '')).toMatchObject({
    type: 'submission.created',
    data: { kind: 'consultations' },
  })
  expect(notice?.text).not.toContain('akery')
})

test('Slack and Discord get the format of their incoming webhooks', async ({ db }) => {
  const noticeFor = async (url: string): Promise<unknown> => {
    await rows(db, sql`delete from mail`)
    const config = { ...testConfig, webhook: { url, secret: undefined } }
    await testApi(db, { config }).request('/api/contacts', { body: samples.contacts })
    const [notice] = await rows<{ text: string }>(
      db,
      sql`select text from mail where kind = 'webhook'`,
    )
    return JSON.parse(notice?.text ?? '')
  }
  const sentence = expect.stringMatching(
    /^New message from the website\. https:\/\/fledge\.test\/admin\/contacts\?id=[\w-]+$/,
  )
  expect(await noticeFor('https://hooks.slack.com/services/T0/B0/x')).toEqual({ text: sentence })
  for (const host of ['discord.com', 'discordapp.com', 'canary.discord.com'])
    expect(await noticeFor(`https://${host}/api/webhooks/1/x`)).toEqual({ content: sentence })
})
