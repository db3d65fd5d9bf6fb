import { expect } from 'vitest'
import type { Database } from '#server/db/drizzle.ts'
import { test, testApi } from '#server/testing.ts'
import { content } from '#site/content.ts'
import { publishDocuments } from './publish.ts'
import { readLiveSite } from './store/releases.ts'
import { as, type Json, rendererThat } from './testing.ts'

const renderer = rendererThat(async () => ({ files: new Map(), problems: [], notices: [] }))

const seed = content()
const ids = seed.faq.map(({ id }) => id)

test('documents that are published stand in the order of their files', async ({ db }) => {
  const [first, ...others] = seed.faq
  if (!first) throw new Error('There is no question')
  const orders = [
    [{ ...first, id: 'own' }, ...seed.faq],
    [first, { ...first, id: 'own' }, ...others.toReversed()],
    [...others, first],
  ]
  for (const faq of orders) {
    const options = { note: 'From the files', via: 'command' as const }
    await publishDocuments({ db, log: () => {} }, renderer, { ...seed, faq }, options)
    expect((await readLiveSite(db, ''))?.documents.faq).toEqual(faq)
  }
})

/** The desk after its second question was removed and that was published. */
const withoutSecond = async (db: Database) => {
  const api = testApi(db, { renderer })
  const admin = await as(api, 'admin')
  await admin('DELETE', `/faq/${ids[1]}`)
  await admin('POST', '/publish', { release: 0 })
  await api.settled()
  const shown = async () => (await admin('GET', '/faq')).body.data.map(({ id }: Json) => id)
  expect(await shown()).toEqual(ids.toSpliced(1, 1))
  return { admin, shown }
}

test('an entry of a release that is brought back stands where it stood', async ({ db }) => {
  const { admin, shown } = await withoutSecond(db)
  await admin('POST', '/releases/0/bring-back')
  expect(await shown()).toEqual(ids)
})

test('an entry that is brought back alone follows the one that it followed, in an order of one’s own too', async ({
  db,
}) => {
  const { admin, shown } = await withoutSecond(db)
  const [first = '', second = '', third = '', ...others] = ids
  const back = () =>
    admin('POST', '/releases/0/bring-back', { entries: [{ collection: 'faq', id: second }] })
  await back()
  expect(await shown()).toEqual(ids)

  await admin('POST', `/faq/${second}/discard`)
  await admin('PUT', '/faq/order', { ids: [third, first, ...others] })
  await back()
  expect(await shown()).toEqual([third, first, second, ...others])
})
