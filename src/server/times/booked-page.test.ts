import { expect } from 'vitest'
import { longMoment } from '#contract/times/moments.ts'
import { test } from '#server/inbox/testing.ts'
import {
  leaveNow,
  type SenderOf,
  sendDue,
  submitAndOpen,
  tokensIn,
} from '#server/status-page/testing.ts'
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

test('the pages that end a request name the talk that ends with it', async ({ api }) => {
  const eli = await host(api)
  const sender = await submitAndOpen(api, 'consultations', { source: { timeZone: 'UTC' } })
  const named = async () =>
    Promise.all(
      ['withdraw', 'erase'].map(async (screen) => {
        const page = await (await api.request(`/status/${sender.token}/${screen}`)).text()
        return /Your talk on (.+?) is cancelled\.(.*?)<\/span>/.exec(page)?.slice(1)
      }),
    )
  expect(await named()).toEqual([undefined, undefined])
  await eli.post(`/api/consultations/${sender.id}/times`, { slots: [inDays(3)] })
  await leaveNow(api)
  await sender.post('/times', { start: inDays(3) })
  const when = `${longMoment(new Date(inDays(3)), 'UTC')} (UTC)`
  expect(await named()).toEqual([
    [when, ''],
    [when, ' Remove it from your calendar yourself.'],
  ])
})

test('mail about a cancelled talk leads to the sender’s page only where it opens', async ({
  api,
  superuser,
}) => {
  const eli = await host(api)
  const endings = {
    trash: ({ id }: SenderOf) => superuser.delete(`/api/consultations/${id}`),
    sender: ({ post }: SenderOf) => post('/times/cancel'),
  }
  for (const [how, end] of Object.entries(endings)) {
    const sender = await submitAndOpen(api)
    await eli.post(`/api/consultations/${sender.id}/times`, { slots: [inDays(3)] })
    await leaveNow(api)
    await sender.post('/times', { start: inDays(3) })
    await sendDue(api)
    expect((await end(sender)).status, how).toBe(200)
    const told = (await sendDue(api)).find(({ kind }) => kind === 'message')
    expect(told?.subject, how).toContain('Your talk is cancelled')
    expect(tokensIn(told?.text ?? ''), how).toEqual(how === 'trash' ? [] : [sender.token])
  }
})
