import { expect } from 'vitest'
import { test, testApi, withPositions } from '#server/testing.ts'
import { samples } from './samples.ts'

const apply = (changes: Record<string, unknown> = {}) => ({
  body: { ...samples.applications, ...changes },
})

const withClosed = withPositions({
  closed: { opening: { open: false } },
  past: { opening: { open: true, closesAt: '2020-01-31' } },
  upcoming: { opening: { open: true, opensAt: '2999-01-01' } },
  open: {},
})

test('a closed position takes no application, and its field says so', async ({ db }) => {
  const api = testApi(db, { content: withClosed })
  for (const position of ['closed', 'past', 'upcoming']) {
    const answer = await api.request('/api/applications', apply({ position }))
    expect([position, answer.status]).toEqual([position, 400])
    expect(await answer.json()).toMatchObject({
      code: 'invalid',
      fields: { position: [expect.stringMatching(/ is not taking applications at the moment\.$/)] },
    })
  }
  expect((await api.request('/api/applications', apply({ position: 'other' }))).status).toBe(201)
  expect((await api.request('/api/applications', apply({ position: '' }))).status).toBe(201)
  const open = await api.request('/api/applications', apply({ position: 'open' }))
  expect(open.status).toBe(201)
})

test('an application sent again after its position closed gets its first answer', async ({
  db,
}) => {
  const position = 'closed'
  const init = { ...apply({ position }), headers: { 'Idempotency-Key': 'sent-while-open' } }
  const before = testApi(db, { content: withPositions({ closed: {} }) })
  const first = await before.request('/api/applications', init)
  expect(first.status).toBe(201)
  const api = testApi(db, { content: withClosed })
  const again = await api.request('/api/applications', init)
  expect([again.status, await again.json()]).toEqual([201, await first.json()])
  const other = await api.request('/api/applications', {
    ...init,
    ...apply({ position, major: 'Physics' }),
  })
  expect(other.status).toBe(400)
})
