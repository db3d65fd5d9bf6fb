import { expect } from 'vitest'
import { type Json, staff } from '#server/inbox/testing.ts'
import { test } from '#server/testing.ts'

test('agents start off and visits on; a superuser changes either, and the log says so', async ({
  api,
}) => {
  const boss = await staff(api)
  const read = async () => (await boss.get('/api/settings')).body.data
  expect(await read()).toEqual({ agents: false, visits: true })
  const changed = await boss.put('/api/settings', { agents: true })
  expect(changed.body.data).toEqual({ agents: true, visits: true })
  await boss.put('/api/settings', { visits: false })
  expect(await read()).toEqual({ agents: true, visits: false })
  expect((await boss.put('/api/settings', { visits: 'no' })).status).toBe(400)
  for (const same of [{}, { visits: false }, { agents: true, visits: false }])
    expect((await boss.put('/api/settings', same)).status).toBe(200)
  await boss.put('/api/settings', { agents: false, visits: false })
  const log = (await boss.get('/api/audit?kind=settings.update')).body.data
  expect(log.map(({ fields }: Json) => fields)).toEqual([['agents'], ['visits'], ['agents']])
})
