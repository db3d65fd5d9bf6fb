import { expect } from 'vitest'
import { test, testApi, withPositions } from '#server/testing.ts'
import { as, type Json } from './testing.ts'

test('a removed position that is kept has its dates and criteria again', async ({ db }) => {
  const editor = await as(testApi(db, { content: withPositions({ gardener: {} }) }), 'editor')
  const changed = async () =>
    (await editor('GET', '/changes')).body.data.map(({ collection }: Json) => collection).sort()
  await editor('DELETE', '/positions/gardener')
  expect(await changed()).toEqual(['hiring', 'openings', 'positions'])
  const kept = await editor('POST', '/positions/gardener/discard')
  expect(kept.body.data.state).toBe('same')
  expect(await changed()).toEqual([])

  // Dates that were removed alone are no part of a draft of the position.
  await editor('DELETE', '/openings/gardener')
  await editor('PUT', '/positions/gardener', { value: { title: 'Another' } })
  await editor('POST', '/positions/gardener/discard')
  expect(await changed()).toEqual(['openings'])
})
