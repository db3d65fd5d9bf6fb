import { expect } from 'vitest'
import { test } from '#server/inbox/testing.ts'
import { leaveNow, submitAndOpen } from '#server/status-page/testing.ts'
import { host, inDays } from './testing.ts'

test('the page of a booked talk names its host, whoever has offered times since', async ({
  api,
  superuser,
}) => {
  const [eli, mia] = [await host(api, 'eli'), await host(api, 'mia')]
  await eli.put('/api/me/settings', { displayName: 'Zoë Ash' })
  await mia.put('/api/me/settings', { displayName: 'Uma Oak' })
  const sender = await submitAndOpen(api)
  const times = `/api/consultations/${sender.id}/times`
  await eli.post(times, { slots: [inDays(3)] })
  await leaveNow(api)
  expect((await sender.post('/times', { start: inDays(3) })).status).toBe(201)
  const page = async () => (await api.request(`/status/${sender.token}/times`)).text()
  const named = '<dd>Zoë, '
  expect(await page()).toContain(named)

  await mia.post(times, { slots: [inDays(4)] })
  await leaveNow(api)
  const offered = await page()
  expect(offered).toContain(named)
  expect(offered).not.toContain('Uma')

  await superuser.put(`/api/users/${eli.id}`, { role: 'reviewer' })
  expect(await page()).toContain(named)
})
