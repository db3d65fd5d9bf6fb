import { expect } from 'vitest'
import { seedWith, test, testApi } from '#server/testing.ts'
import { samples } from './samples.ts'

const apply = (changes: Record<string, unknown> = {}) => ({
  body: { ...samples.applications, ...changes },
})

const withClosed = seedWith('openings', {
  'backend-intern': { open: false },
  'frontend-intern': { open: true, closesAt: '2020-01-31' },
  'ui-ux-intern': { open: true, opensAt: '2999-01-01' },
})

test('a closed position takes no application, and its field says so', async ({ db }) => {
  const api = testApi(db, { content: withClosed })
  for (const position of ['backend-intern', 'frontend-intern', 'ui-ux-intern']) {
    const answer = await api.request('/api/applications', apply({ position }))
    expect([position, answer.status]).toEqual([position, 400])
    expect(await answer.json()).toMatchObject({
      code: 'invalid',
      fields: { position: [expect.stringMatching(/ is not taking applications at the moment\.$/)] },
    })
  }
  expect((await api.request('/api/applications', apply({ position: 'other' }))).status).toBe(201)
  expect((await api.request('/api/applications', apply({ position: '' }))).status).toBe(201)
  const open = await api.request(
    '/api/applications',
    apply({ position: 'digital-marketing-intern' }),
  )
  expect(open.status).toBe(201)
})

test('an application sent again after its position closed gets its first answer', async ({
  db,
}) => {
  const init = { ...apply(), headers: { 'Idempotency-Key': 'sent-while-open' } }
  const first = await testApi(db).request('/api/applications', init)
  expect(first.status).toBe(201)
  const api = testApi(db, { content: withClosed })
  const again = await api.request('/api/applications', init)
  expect([again.status, await again.json()]).toEqual([201, await first.json()])
  const other = await api.request('/api/applications', { ...init, ...apply({ major: 'Physics' }) })
  expect(other.status).toBe(400)
})
