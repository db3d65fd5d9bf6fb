import { expect } from 'vitest'
import { staff } from '#server/inbox/testing.ts'
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
  const [entry] = (await boss.get('/api/audit')).body.data
  expect(entry).toMatchObject({ kind: 'settings.update', fields: ['visits'] })
})
