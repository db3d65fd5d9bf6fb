import { expect } from 'vitest'
import { signInAs } from '#server/auth/testing.ts'
import { samples } from '#server/intake/samples.ts'
import { test } from '#server/testing.ts'

test('an unknown path is a 404 with the request id of its log line', async ({ api }) => {
  const response = await api.request('/api/nothing')
  expect(response.status).toBe(404)
  const failure = (await response.json()) as { code: string; requestId: string }
  expect(failure.code).toBe('not_found')
  expect(response.headers.get('X-Request-Id')).toBe(failure.requestId)
  expect(api.logged.at(-1)).toMatchObject({ requestId: failure.requestId, status: 404 })
})

test('another method is a 405 that names the right ones', async ({ api }) => {
  for (const method of ['POST', 'OPTIONS', 'DELETE']) {
    const response = await api.request('/api/health', { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('GET, HEAD')
  }
})

test('HEAD answers as GET without a body', async ({ api }) => {
  const response = await api.request('/api/health', { method: 'HEAD' })
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('')
})

test('a path with a trailing slash is not the path', async ({ api }) => {
  expect((await api.request('/api/health/')).status).toBe(404)
})

test('who is not signed in is told how to be', async ({ api }) => {
  for (const [path, body] of [
    ['/api/users', undefined],
    ['/api/auth/login', { email: 'nobody@example.test', password: 'wrong' }],
  ] as const) {
    const response = await api.request(path, { body })
    expect(response.status, path).toBe(401)
    expect(response.headers.get('WWW-Authenticate'), path).toBe('Bearer')
  }
})

test('a body that breaks off is the sender’s fault, not ours', async ({ api }) => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"name": "Ada"'))
      controller.error(new Error('aborted'))
    },
  })
  const headers = { 'Content-Type': 'application/json' }
  const response = await api.request('/api/contacts', { body, headers })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'bad_json' })
  expect(api.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('a body that says less of its length than it has is read no further than the limit', async ({
  api,
}) => {
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(16 * 1024).fill(0x20)),
  })
  const headers = { 'Content-Type': 'application/json', 'Content-Length': '2' }
  expect((await api.request('/api/contacts', { body, headers })).status).toBe(413)
})

test('JSON may begin with a byte order mark, name a charset and repeat a key', async ({ api }) => {
  const json = `\uFEFF${JSON.stringify(samples.contacts).replace('{', '{"name":"First",')}`
  const headers = { 'Content-Type': 'Application/JSON ; charset="utf-8"' }
  const answer = await api.request('/api/contacts', { body: json, headers })
  expect(answer.status).toBe(201)
  const { data } = (await answer.json()) as { data: { _id: string } }
  const { token } = await signInAs(api.deps, 'reviewer')
  const read = await api.request(`/api/contacts/${data._id}`, { token })
  expect(await read.json()).toMatchObject({ data: { name: samples.contacts.name } })
})
