import { expect } from 'vitest'
import { test } from '#server/testing.ts'

test('health reports the product, the database and the version', async ({ api }) => {
  const response = await api.request('/api/health')
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(await response.json()).toEqual({
    success: true,
    data: { status: 'ok', database: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  })
})
