import { expect } from 'vitest'
import { test, testApi, withPositions } from '#server/testing.ts'
import { content } from '#site/content.ts'
import { as, type Json, rendererThat } from './testing.ts'

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

test('what is put back while a release is drawn is a draft once the release is live', async ({
  db,
}) => {
  const drawing = Promise.withResolvers<void>()
  const renderer = rendererThat(async () => {
    await drawing.promise
    return { files: new Map(), problems: [], notices: [] }
  })
  const api = testApi(db, { renderer })
  const admin = await as(api, 'admin')
  const { faq } = content()
  const [changed, removed, ...others] = faq
  const value = { ...changed?.data, question: 'Is this another question?' }
  await admin('PUT', `/faq/${changed?.id}`, { value })
  await admin('DELETE', `/faq/${removed?.id}`)
  await admin('POST', '/faq', { id: 'added', value: changed?.data })
  await admin('PUT', '/faq/order', {
    ids: ['added', ...others.map(({ id }) => id), changed?.id],
  })
  await admin('POST', '/publish', { release: 0 })
  await admin('PUT', `/faq/${changed?.id}`, { value: changed?.data })
  await admin('POST', `/faq/${removed?.id}/discard`)
  await admin('DELETE', '/faq/added')
  await admin('POST', '/faq/order/discard')
  const changes = async () =>
    (await admin('GET', '/changes')).body.data.map(({ id, state }: Json) => [id, state])
  expect(await changes()).toEqual([])
  drawing.resolve()
  await api.settled()
  expect((await changes()).sort()).toEqual(
    [
      [changed?.id, 'changed'],
      [removed?.id, 'new'],
      ['added', 'removed'],
      ['order', 'changed'],
    ].sort(),
  )
  await admin('POST', '/publish', { release: 1 })
  await api.settled()
  const { data } = (await admin('GET', '/faq')).body
  expect(data.map(({ id, state }: Json) => [id, state])).toEqual(faq.map(({ id }) => [id, 'same']))
})
