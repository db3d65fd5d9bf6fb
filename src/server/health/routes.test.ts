import { expect } from 'vitest'
import { test, testApi } from '#server/testing.ts'

test('health reports the product, the database and the version', async ({ api }) => {
  const response = await api.request('/api/health')
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(await response.json()).toEqual({
    success: true,
    data: { status: 'ok', database: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  })
})

test('health is unavailable until the start is over', async ({ db }) => {
  let isReady = false
  const api = testApi(db, { isReady: () => isReady })
  const early = await api.request('/api/health')
  expect([early.status, early.headers.get('Retry-After')]).toEqual([503, '1'])
  isReady = true
  expect((await api.request('/api/health')).status).toBe(200)
})
