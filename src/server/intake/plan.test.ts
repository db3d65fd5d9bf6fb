import { expect } from 'vitest'
import { staff, submit } from '#server/inbox/testing.ts'
import { test, testOnAll } from '#server/testing.ts'
import { samples } from './samples.ts'

const plan = { goal: 'shop', size: 'm', content: 'some', when: 'day', by: '2027-02-15' }

testOnAll('a plan is stored beside the message, shown and exported', async ({ api }) => {
  const reviewer = await staff(api)
  const id = await submit(api, 'consultations', { plan, message: 'We sell bread.' })
  const { body } = await reviewer.get(`/api/consultations/${id}`)
  expect(body.data).toMatchObject({ plan, message: 'We sell bread.' })
  const csv = await (await reviewer.fetch('/api/consultations/export.csv')).text()
  expect(csv).toContain('2027-02-15')
  const person = await reviewer.post('/api/privacy/export', { email: body.data.email })
  expect(person.body.data.consultations[0].plan).toEqual(plan)
})

test('unknown answers of a plan count as absent, and so does a plan without any answer', async ({
  api,
}) => {
  const reviewer = await staff(api)
  const planOf = async (given: unknown) => {
    const id = await submit(api, 'consultations', { plan: given })
    return (await reviewer.get(`/api/consultations/${id}`)).body.data.plan
  }
  expect(await planOf({ ...plan, size: 'xxl', by: '2027-02-31', more: 1 })).toEqual({
    ...plan,
    size: null,
    by: null,
  })
  for (const none of [undefined, null, 'shop', [], { goal: 'castle' }, { goal: ['shop'] }, {}])
    expect(await planOf(none)).toBeNull()
})

test('a form without JavaScript sends its plan as plan_goal and so on', async ({ api }) => {
  const reviewer = await staff(api)
  const answers = Object.entries(plan).map(([name, value]) => [`plan_${name}`, value])
  const form = new URLSearchParams({
    ...(samples.consultations as Record<string, string>),
    ...Object.fromEntries(answers),
    agree: 'on',
  })
  const response = await api.request('/api/consultations', {
    method: 'POST',
    body: form,
  })
  expect(response.status).toBe(303)
  const list = await reviewer.get('/api/consultations')
  expect(list.body.data[0].plan).toEqual(plan)
})
