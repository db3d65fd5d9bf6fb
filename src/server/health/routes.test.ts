import { expect } from 'vitest'
import { test } from '#server/testing.ts'

test('health says that product and database answer, and which version runs', async ({ api }) => {
  const response = await api.request('/api/health')
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(await response.json()).toEqual({
    success: true,
    data: { status: 'ok', database: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  })
})

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
