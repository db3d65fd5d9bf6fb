import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { test as base, expect } from 'vitest'
import { testConfig } from '#server/testing.ts'
import type { Message } from './message.ts'
import { sealText } from './sealed-text.ts'
import { createSender } from './sender.ts'

const message: Message = {
  kind: 'staff',
  id: '01900000-0000-7000-8000-000000000001',
  to: 'reader@fledge.test',
  replyTo: 'zoe@mail.example',
  subject: 'Zoë: “message”',
  text: 'Two cafés\n',
  html: '<p>Two cafés</p>',
}

interface Seen {
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}

/** A local HTTP server in place of the provider, with configurable answers. */
const test = base
  .extend('provider', async ({}, { onCleanup }) => {
    const seen: Seen[] = []
    const provider = {
      seen,
      address: '',
      answer: (response: ServerResponse) => {
        response.setHeader('Content-Type', 'application/json').end('{"id":"provider-1"}')
      },
    }
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      seen.push({ headers: request.headers, body: JSON.parse(body) })
      provider.answer(response)
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    provider.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    onCleanup(() => {
      server.closeAllConnections()
      server.close()
    })
    return provider
  })
  .extend('dataDir', async ({}, { onCleanup }) => {
    const directory = await mkdtemp(join(tmpdir(), 'fledge-mail-'))
    onCleanup(() => rm(directory, { recursive: true }))
    return directory
  })

const senderTo = (address: string) =>
  createSender({
    ...testConfig,
    webhook: { url: address, secret: undefined },
    mail: {
      ...testConfig.mail,
      resendApiKey: 're_test',
      resendBaseUrl: address,
      from: 'no-reply@fledge.test',
    },
  })

test('Resend gets the message with its id as the idempotency key', async ({ provider }) => {
  const delivery = await senderTo(provider.address)(message)
  expect(delivery).toEqual({ outcome: 'sent', providerId: 'provider-1' })
  expect(provider.seen[0]?.headers['idempotency-key']).toBe(message.id)
  expect(provider.seen[0]?.body).toMatchObject({
    from: 'no-reply@fledge.test',
    to: 'reader@fledge.test',
    reply_to: 'zoe@mail.example',
    subject: message.subject,
    tags: [{ name: 'message', value: message.id }],
  })
})

test('the pause that Resend or a webhook asks for is passed on', async ({ provider }) => {
  provider.answer = (response) => {
    response
      .writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '90' })
      .end(JSON.stringify({ statusCode: 429, name: 'rate_limit_exceeded', message: 'no' }))
  }
  const asked = { outcome: 'temporary', retryAfter: 90 }
  expect(await senderTo(provider.address)(message)).toMatchObject(asked)
  const notice: Message = { ...message, kind: 'webhook', to: provider.address, text: '{}' }
  expect(await senderTo(provider.address)(notice)).toMatchObject(asked)
})

const answers: [name: string, status: number, error: string, outcome: string][] = [
  ['too many requests', 429, 'rate_limit_exceeded', 'temporary'],
  ['a fault of the provider', 500, 'internal_server_error', 'temporary'],
  ['two tries at once', 409, 'concurrent_idempotent_requests', 'temporary'],
  ['a refused address', 422, 'validation_error', 'permanent'],
  ['a wrong key', 401, 'missing_api_key', 'permanent'],
]

test('what waits for an announcement elsewhere ends once none is wanted any more', async ({
  provider,
}) => {
  const send = createSender({ ...testConfig, webhook: undefined })
  const notice: Message = { ...message, kind: 'webhook', to: provider.address, text: '{}' }
  expect(await send(notice)).toEqual({
    outcome: 'permanent',
    error: 'WEBHOOK_URL is not set any more',
  })
  expect(provider.seen).toEqual([])
})

test('an answer of a gateway, without a status in its body, is tried again', async ({
  provider,
}) => {
  for (const body of ['{"message":"Internal Server Error"}', '<h1>Bad gateway</h1>']) {
    provider.answer = (response) => response.writeHead(502).end(body)
    expect(await senderTo(provider.address)(message)).toMatchObject({ outcome: 'temporary' })
  }
})

for (const [name, status, error, outcome] of answers)
  test(`${name} is a ${outcome} failure`, async ({ provider }) => {
    provider.answer = (response) => {
      response
        .writeHead(status, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ statusCode: status, name: error, message: 'no' }))
    }
    expect(await senderTo(provider.address)(message)).toEqual({
      outcome,
      error: `${status} ${error}`,
    })
  })

test('a message whose address was corrected since an attempt goes out under another key', async ({
  provider,
}) => {
  provider.answer = (response) => {
    const isKnown = provider.seen.at(-1)?.headers['idempotency-key'] === message.id
    const error = { statusCode: 409, name: 'invalid_idempotent_request', message: 'no' }
    response
      .writeHead(isKnown ? 409 : 200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(isKnown ? error : { id: 'provider-2' }))
  }
  const send = senderTo(provider.address)
  for (const to of ['right@mail.example', 'right@mail.example', 'other@mail.example'])
    expect(await send({ ...message, to })).toEqual({ outcome: 'sent', providerId: 'provider-2' })
  const [, first, , again, , other] = provider.seen.map(({ headers }) => headers['idempotency-key'])
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

test('a mail that another key of a rotation has encrypted is tried again', async () => {
  const bodies = { text: 'Your link', html: '<p>Your link</p>' }
  const sealed = sealText('the next secret of a rotation, long enough', bodies)
  expect(await createSender(testConfig)({ ...message, text: '', html: '', sealed })).toMatchObject({
    outcome: 'temporary',
    error: 'AUTH_SECRET does not read it',
  })
})

test('a broken connection and an unreadable answer are temporary failures', async ({
  provider,
}) => {
  provider.answer = (response) => response.destroy()
  expect((await senderTo(provider.address)(message)).outcome).toBe('temporary')
  provider.answer = (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":')
  }
  expect((await senderTo(provider.address)(message)).outcome).toBe('temporary')
  expect((await senderTo('http://127.0.0.1:9')(message)).outcome).toBe('temporary')
})

test('a notice is posted unchanged, with a signature that the receiver can verify', async ({
  provider,
}) => {
  const secret = `whsec_${Buffer.from('shared with the reader').toString('base64')}`
  const send = createSender({ ...testConfig, webhook: { url: provider.address, secret } })
  const text = JSON.stringify({ text: 'New message' })
  const notice: Message = { ...message, kind: 'webhook', to: provider.address, text }
  expect(await send(notice)).toEqual({ outcome: 'sent', providerId: null })
  const [seen] = provider.seen
  expect(new Webhook(secret).verify(text, seen?.headers as Record<string, string>)).toEqual({
    text: 'New message',
  })
  provider.answer = (response) => response.writeHead(404).end()
  expect(await send(notice)).toEqual({ outcome: 'permanent', error: '404' })
})

test('without a key a message becomes one .eml file, even when it is sent twice', async ({
  dataDir,
}) => {
  const send = createSender({ ...testConfig, dataDir })
  await send(message)
  expect(await send(message)).toMatchObject({ outcome: 'sent', providerId: null })
  const files = await readdir(join(dataDir, 'mail'))
  expect(files).toEqual([`${message.id}.eml`])
  const eml = await readFile(join(dataDir, 'mail', files[0] ?? ''), 'utf8')
  expect(eml).toMatch(/^To: reader@fledge\.test\r$/m)
  expect(eml).toMatch(/^Reply-To: zoe@mail\.example\r$/m)
  expect(eml).toMatch(/^Subject: =\?UTF-8\?/m)
})

test('a message that cannot be written whole leaves no part of it', async ({ dataDir }) => {
  // Something that no file can replace stands under its name.
  const taken = `${message.id}.eml`
  await mkdir(join(dataDir, 'mail', taken), { recursive: true })
  const send = createSender({ ...testConfig, dataDir })
  expect(await send(message)).toMatchObject({ outcome: 'temporary' })
  expect(await readdir(join(dataDir, 'mail'))).toEqual([taken])
})
