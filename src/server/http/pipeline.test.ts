import { expect } from 'vitest'
import { routes } from '#server/app.ts'
import { signInAs } from '#server/auth/testing.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { openEmbeddedInMemory } from '#server/db/testing.ts'
import { withTimeLimit } from '#server/db/time-limit.ts'
import { samples } from '#server/intake/samples.ts'
import { test, testApi } from '#server/testing.ts'

test('an unknown path is a 404 with the request id of its log line', async ({ api }) => {
  const response = await api.request('/api/nothing')
  expect(response.status).toBe(404)
  const failure = (await response.json()) as { code: string; requestId: string }
  expect(failure.code).toBe('not_found')
  expect(response.headers.get('X-Request-Id')).toBe(failure.requestId)
  expect(api.logged.at(-1)).toMatchObject({ requestId: failure.requestId, status: 404 })
})

test('another method is a 405 that names the right ones', async ({ api }) => {
  for (const path of ['/api/health', '/status/of-nobody'])
    for (const method of ['POST', 'OPTIONS', 'DELETE']) {
      const response = await api.request(path, { method })
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

test('a path over 2,048 characters is a 414, whatever stands in its query', async ({ api }) => {
  for (const path of [
    `/status/${'/'.repeat(15_000)}a/`,
    `/api/status/${'a'.repeat(2_048)}`,
    `/api/${'%C3%BC'.repeat(400)}`,
  ]) {
    const response = await api.request(path)
    expect(response.status).toBe(414)
    expect(await response.json()).toMatchObject({ success: false, code: 'uri_too_long' })
  }
  const longest = `/api/${'a'.repeat(2_043)}`
  expect((await api.request(longest)).status).toBe(404)
  expect((await api.request(`/api/health?q=${'a'.repeat(3_000)}`)).status).toBe(200)
})

test('a sender’s page is sent to its address without slashes at the end', async ({ api }) => {
  const response = await api.request(`/status/abc${'/'.repeat(2_000)}`)
  expect(response.status).toBe(301)
  expect(response.headers.get('Location')).toBe('/status/abc')
})

test('a 401 names the way to sign in', async ({ api }) => {
  for (const [path, body] of [
    ['/api/users', undefined],
    ['/api/auth/login', { email: 'nobody@example.test', password: 'wrong' }],
  ] as const) {
    const response = await api.request(path, { body })
    expect(response.status, path).toBe(401)
    expect(response.headers.get('WWW-Authenticate'), path).toBe('Bearer')
  }
})

test('a body that breaks off is a client error and is not logged as ours', async ({ api }) => {
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

test('the log tells a database that is late from one that is away', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'reviewer')
  const response = await withTimeLimit(0, () => api.request('/api/contacts', { token }))
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5'])
  expect(api.logged).toContainEqual(
    expect.objectContaining({ event: 'database_unavailable', name: 'TimeoutError' }),
  )
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

test('a page that cannot be shown because the database is away is a 503 with headers', async () => {
  const { db, close } = await openEmbeddedInMemory()
  await close()
  const path = `/api/status/${'x'.repeat(32)}/messages`
  const body = new URLSearchParams({ text: 'x'.repeat(70_000) })
  const response = await testApi(db).request(path, { body })
  expect(response.status).toBe(503)
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('X-Request-Id')).toBeTruthy()
})

test('a body that is nested as deeply as it can be is a client error, under a key too', async ({
  api,
}) => {
  const body = `{"email": ${'['.repeat(32_000)}${']'.repeat(32_000)}}`
  for (const path of ['/api/status', '/api/contacts'])
    for (const key of [{}, { 'Idempotency-Key': 'deep' }]) {
      const headers = { 'Content-Type': 'application/json', ...key }
      expect((await api.request(path, { method: 'POST', body, headers })).status, path).toBe(400)
    }
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

test('values of a wrong type are refused with messages for people', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  for (const [path, body] of [
    ['/api/auth/login', []],
    ['/api/undo', 5],
    ['/api/privacy/export', []],
    ['/api/contacts/search', { from: 5 }],
    ['/api/contacts/bulk', { ids: ['x'], action: 'status', value: {} }],
  ] as const) {
    const response = await api.request(path, { token, body })
    expect(response.status).toBe(400)
    const text = await response.text()
    expect(text, path).not.toMatch(/invalid input|expected|received/i)
  }
})

test('a change from another site is refused, with any caller’s token', async ({ api, db }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  const crossSite = { 'Sec-Fetch-Site': 'cross-site' }
  for (const { endpoint } of routes.filter(({ endpoint }) => endpoint.method !== 'GET')) {
    const path = endpoint.path.replace(/:\w+/g, '018f0000-0000-7000-8000-000000000000')
    for (const method of [endpoint.method, endpoint.also ?? endpoint.method]) {
      const refused = await api.request(path, { method, token, headers: crossSite })
      expect(refused.status, `${method} ${path}`).toBe(403)
      expect(await refused.json()).toMatchObject({ code: 'forbidden' })
    }
  }
  const sent = await api.request('/api/contacts', { body: samples.contacts, headers: crossSite })
  expect(sent.status).toBe(403)
  expect(await rows(db, sql`select 1 from contacts`)).toEqual([])
})

test('a call from another site is refused after 404 and 405, and reading is not', async ({
  api,
}) => {
  const { token } = await signInAs(api.deps, 'reviewer')
  const headers = { 'Sec-Fetch-Site': 'cross-site' }
  const statusOf = async (path: string, init = {}) =>
    (await api.request(path, { headers, token, ...init })).status
  expect(await statusOf('/api/nothing', { method: 'POST' })).toBe(404)
  expect(await statusOf('/api/health', { method: 'POST' })).toBe(405)
  expect(await statusOf('/api/users')).toBe(200)
  expect(await statusOf('/api/contacts', { method: 'HEAD' })).toBe(200)
  const carriesBody = { ...headers, 'Content-Length': '2' }
  expect(await statusOf('/api/users', { headers: carriesBody })).toBe(403)
})

test('a call from this site, from the address bar or without the header goes on', async ({
  api,
}) => {
  for (const site of ['same-origin', 'same-site', 'none', '', undefined]) {
    const headers: Record<string, string> = site === undefined ? {} : { 'Sec-Fetch-Site': site }
    const body = { ...samples.contacts, message: `From ${site}` }
    expect((await api.request('/api/contacts', { body, headers })).status, site).toBe(201)
  }
})
