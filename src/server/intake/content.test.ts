import { expect } from 'vitest'
import { money } from '#contract/content/brand.ts'
import type { Value } from '#contract/content/collections.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { staff, submit, test } from '#server/inbox/testing.ts'
import { testApi, withPositions } from '#server/testing.ts'
import {
  brand,
  content,
  entries,
  entry,
  serviceLabel as labelOfService,
  packageServices,
} from '#site/content.ts'
import { samples } from './samples.ts'

const sent = async (answer: Response): Promise<string> => {
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { data: { _id: string } }).data._id
}

const gardener = withPositions({ gardener: {} })

test('a position that the content adds is taken at once, is closed without an opening, and is judged as other', async ({
  db,
}) => {
  const body = { ...samples.applications, position: 'gardener' }
  const without = testApi(db, { content: { ...gardener, openings: [] } })
  expect((await without.request('/api/applications', { body })).status).toBe(400)
  const other = gardener.hiring.filter(({ id }) => id === 'other')
  const api = testApi(db, { content: { ...gardener, hiring: other } })
  const id = await sent(await api.request('/api/applications', { body }))
  const reviewer = await staff(api, 'reviewer')
  const { data } = (await reviewer.get(`/api/applications/${id}`)).body
  expect(data).toMatchObject({ position: 'gardener', positionLabel: 'The gardener' })
  expect(data.criteria).toEqual(entry('hiring', 'other')?.data.criteria)
  expect((await reviewer.get('/api/applications?position=gardener')).body.data).toHaveLength(1)
  expect((await reviewer.get('/api/stats')).body.data.byPosition).toMatchObject({ gardener: 1 })
})

test('a record keeps the label and the price that its sender saw', async ({ db }) => {
  const [offered] = entries('consultation-services')
  const priced = (monthly: number) => [
    {
      id: 'own-care',
      data: {
        ...offered?.data,
        label: 'Care ({price}/month)',
        monthly,
      } as Value<'consultation-services'>,
    },
  ]
  const before = testApi(db, { content: { ...gardener, 'consultation-services': priced(299) } })
  const { applications, consultations } = samples
  const asked = await sent(
    await before.request('/api/consultations', { body: { ...consultations, service: 'own-care' } }),
  )
  const body = { ...applications, position: 'gardener' }
  const applied = await sent(await before.request('/api/applications', { body }))
  const after = testApi(db, {
    content: { ...gardener, 'consultation-services': priced(12_345), positions: [] },
  })
  const reviewer = await staff(after, 'reviewer')
  const { serviceLabel } = (await reviewer.get(`/api/consultations/${asked}`)).body.data
  expect(serviceLabel).toBe(`Care (${money(brand(), 299)}/month)`)
  const { positionLabel } = (await reviewer.get(`/api/applications/${applied}`)).body.data
  expect(positionLabel).toBe('The gardener')
  const unknown = await sent(await after.request('/api/applications', { body }))
  expect((await reviewer.get(`/api/applications/${unknown}`)).body.data.position).toBe('other')
})

test('a choice is trimmed as other texts are', async ({ db }) => {
  const api = testApi(db, { content: withPositions({ open: {} }) })
  const [service = ''] = packageServices()
  const reviewer = await staff(api, 'reviewer')
  for (const [kind, choice] of [
    ['applications', { position: 'open' }],
    ['consultations', { service }],
  ] as const) {
    const [[field, value] = ['', '']] = Object.entries<string>(choice)
    const body = { ...samples[kind], [field]: ` ${value}\n` }
    const id = await sent(await api.request(`/api/${kind}`, { body }))
    expect((await reviewer.get(`/api/${kind}/${id}`)).body.data).toMatchObject(choice)
  }
})

test('without careers no call of theirs is left', async ({ db }) => {
  const features = { ...brand().features, careers: false }
  const api = testApi(db, { content: { ...content(), brand: { ...brand(), features } } })
  const reviewer = await staff(api, 'reviewer')
  const { applications, contacts } = samples
  expect((await api.request('/api/applications', { body: applications })).status).toBe(404)
  expect((await reviewer.get('/api/applications')).status).toBe(404)
  expect((await reviewer.get('/api/applications/export.csv')).status).toBe(404)
  expect((await api.request('/api/contacts', { body: contacts })).status).toBe(201)
})

test('a record from before labels were kept has the present one', async ({ api, reviewer }) => {
  const id = await submit(api, 'consultations')
  await rows(api.deps.db, sql`update consultations set service_label = null`)
  const { service, serviceLabel } = (await reviewer.get(`/api/consultations/${id}`)).body.data
  expect(serviceLabel).toBe(labelOfService(service))
  await rows(api.deps.db, sql`update consultations set service = 'no-longer-offered'`)
  const gone = (await reviewer.get(`/api/consultations/${id}`)).body.data
  expect(gone.serviceLabel).toBe('no-longer-offered')
})
