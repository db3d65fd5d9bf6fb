import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { rows } from '#server/db/rows.ts'
import { staff, submit } from '#server/inbox/testing.ts'
import { seedWith, test, testApi } from '#server/testing.ts'
import { content, entry, serviceLabel as labelOfService, positionLabel } from '#site/content.ts'
import { samples } from './samples.ts'

const position = content().positions[0]?.data
const service = entry('consultation-services', 'basic-package')?.data
if (!position || !service) throw new Error('The seed has no position or no basic package')

const withGardener = seedWith('positions', { gardener: { ...position, title: 'Gardener' } })

const sent = async (answer: Response): Promise<string> => {
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { data: { _id: string } }).data._id
}

test('a position that the content adds is taken at once, is closed without an opening, and is judged as other', async ({
  db,
}) => {
  const body = { ...samples.applications, position: 'gardener' }
  const closed = await testApi(db, { content: withGardener }).request('/api/applications', { body })
  expect(closed.status).toBe(400)
  const api = testApi(db, {
    content: {
      ...withGardener,
      openings: [...withGardener.openings, { id: 'gardener', data: { open: true } }],
    },
  })
  const id = await sent(await api.request('/api/applications', { body }))
  const reviewer = await staff(api, 'reviewer')
  const { data } = (await reviewer.get(`/api/applications/${id}`)).body
  expect(data).toMatchObject({ position: 'gardener', positionLabel: 'Gardener' })
  expect(data.criteria).toEqual(entry('hiring', 'other')?.data.criteria)
  expect((await reviewer.get('/api/applications?position=gardener')).body.data).toHaveLength(1)
  expect((await reviewer.get('/api/stats')).body.data.byPosition).toMatchObject({ gardener: 1 })
})

test('a record keeps the label and the price that its sender saw', async ({ db }) => {
  const before = testApi(db)
  const { applications, consultations } = samples
  const first = content().positions[0]?.id ?? ''
  const asked = await sent(
    await before.request('/api/consultations', {
      body: { ...consultations, service: 'basic-package' },
    }),
  )
  const applied = await sent(
    await before.request('/api/applications', { body: { ...applications, position: first } }),
  )
  const { 'consultation-services': dearer } = seedWith('consultation-services', {
    'basic-package': { ...service, monthly: 12_345 },
  })
  const after = testApi(db, {
    content: { ...content(), 'consultation-services': dearer, positions: [] },
  })
  const reviewer = await staff(after, 'reviewer')
  const { serviceLabel } = (await reviewer.get(`/api/consultations/${asked}`)).body.data
  expect(serviceLabel).toBe(service.label.replace('{price}', '$299'))
  const { positionLabel: label } = (await reviewer.get(`/api/applications/${applied}`)).body.data
  expect(label).toBe(positionLabel(first))
  const unknown = await sent(
    await after.request('/api/applications', { body: { ...applications, position: first } }),
  )
  expect((await reviewer.get(`/api/applications/${unknown}`)).body.data.position).toBe('other')
})

test('without careers no call of theirs is left', async ({ db }) => {
  const { brand } = content()
  const features = { ...brand.features, careers: false }
  const api = testApi(db, { content: { ...content(), brand: { ...brand, features } } })
  const reviewer = await staff(api, 'reviewer')
  const { applications, contacts } = samples
  expect((await api.request('/api/applications', { body: applications })).status).toBe(404)
  expect((await reviewer.get('/api/applications')).status).toBe(404)
  expect((await reviewer.get('/api/applications/export.csv')).status).toBe(404)
  expect((await api.request('/api/contacts', { body: contacts })).status).toBe(201)
})

test('a record from before labels were kept has the present one', async ({ api }) => {
  const reviewer = await staff(api, 'reviewer')
  const id = await submit(api, 'consultations')
  await rows(api.deps.db, sql`update consultations set service_label = null`)
  const { service, serviceLabel } = (await reviewer.get(`/api/consultations/${id}`)).body.data
  expect(serviceLabel).toBe(labelOfService(service))
  await rows(api.deps.db, sql`update consultations set service = 'no-longer-offered'`)
  const gone = (await reviewer.get(`/api/consultations/${id}`)).body.data
  expect(gone.serviceLabel).toBe('no-longer-offered')
})
