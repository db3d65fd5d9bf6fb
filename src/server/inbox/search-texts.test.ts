import { expect } from 'vitest'
import { addReply } from '#server/conversation/store.ts'
import { testOnAll } from '#server/db/testing.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { newOffer } from '#server/offers/testing.ts'
import { leaveNow, submitAndOpen } from '#server/status-page/testing.ts'
import { test, testApi } from '#server/testing.ts'
import { host, inDays } from '#server/times/testing.ts'
import { idsOf, staff, submit } from './testing.ts'

testOnAll('a search finds words of messages, replies and notes, and shows them', async ({ db }) => {
  const api = testApi(db)
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'contacts', {
    message: 'A page about Ölmühle wheels.',
    name: 'Ada Mill',
  })
  await submit(api)
  const path = `/api/contacts/${id}`
  await editor.post(`${path}/messages`, { text: 'We could begin with the pump.' })
  await addReply(api.deps, kindByPath.contacts, id, { kind: 'reply', text: 'The valve is next.' })
  await editor.post(`${path}/notes`, { text: `${'x '.repeat(60)}Knows the mayor.` })
  const search = (q: string) => editor.post('/api/contacts/search', { q })
  for (const [q, where, text] of [
    ['PUMP', 'message', 'We could begin with the pump.'],
    ['valve', 'reply', 'The valve is next.'],
    ['the mayor', 'note', 'Knows the mayor.'],
    ['ölmühle', 'text', 'A page about Ölmühle wheels.'],
  ] as const) {
    const found = await search(q)
    expect([q, idsOf(found)]).toEqual([q, [id]])
    expect(found.body.meta).toMatchObject({ matching: 1 })
    expect(found.body.data[0].match).toEqual({ in: where, text: expect.stringContaining(text) })
    expect(found.body.data[0].match.text.length).toBeLessThan(140)
  }
  expect((await search('ada mill')).body.data[0].match).toBeNull()
  expect((await editor.get('/api/contacts')).body.data[0]).not.toHaveProperty('match')
  expect((await search('nowhere')).body.data).toEqual([])
})

testOnAll(
  'a search finds letters whose lower case depends on the language or the place',
  async ({ db }) => {
    const api = testApi(db)
    const editor = await staff(api, 'editor')
    const search = async (q: string) => idsOf(await editor.post('/api/contacts/search', { q }))
    for (const [text, queries] of [
      ['ΟΔΟΣΑΣ', ['ΟΔΟΣΑΣ', 'ΟΔΟΣ', 'ΔΟΣ', 'οδοσας']],
      ['Οδός Αθηνάς', ['Οδός', 'ΟΔΌΣ', 'οδός αθην', 'ΑΘΗΝΆΣ']],
      ['İstanbul', ['İstanbul', 'İst']],
    ] as const) {
      const named = await submit(api, 'contacts', { name: text })
      const noted = await submit(api, 'contacts')
      await editor.post(`/api/contacts/${noted}/notes`, { text: `She lives at ${text}.` })
      for (const q of queries)
        expect([q, (await search(q)).toSorted()]).toEqual([q, [named, noted].toSorted()])
    }
  },
)

testOnAll(
  'a search finds words that go with times, offers and a cancelled talk',
  async ({ db }) => {
    const api = testApi(db)
    const eli = await host(api)
    const sender = await submitAndOpen(api)
    const path = `/api/consultations/${sender.id}`
    await eli.post(`${path}/times`, { slots: [inDays(3)], text: 'A first talk about the pump.' })
    await leaveNow(api)
    await sender.post('/times', { start: inDays(3) })
    await sender.post('/times/cancel', { text: 'The valve broke.' })
    await sender.post('/times', { start: inDays(3) })
    await eli.put(`${path}/appointment`, { state: 'cancelled', text: 'I am at the harbour.' })
    const drafted = await eli.post(`${path}/offers`, newOffer)
    const offer = `/offers/${drafted.body.data._id}`
    const sent = await eli.post(`/api${offer}/send`, { text: 'With the anchor included.' })
    await leaveNow(api)
    await sender.post(offer, { answer: 'decline', hash: sent.body.data.hash, text: 'Too rusty.' })
    for (const [q, where] of [
      ['PUMP', 'message'],
      ['valve', 'reply'],
      ['harbour', 'message'],
      ['anchor', 'message'],
      ['rusty', 'reply'],
    ]) {
      const found = await eli.post('/api/consultations/search', { q })
      expect([q, idsOf(found), found.body.data[0]?.match.in]).toEqual([q, [sender.id], where])
    }
  },
)

test('the words around a match hold it, whichever its spelling', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const id = await submit(api, 'contacts')
  const text = `${'x '.repeat(200)}Μεγάλη οδος${' x'.repeat(200)}`
  await editor.post(`/api/contacts/${id}/notes`, { text })
  const { body } = await editor.post('/api/contacts/search', { q: 'ΟΔΟΣ' })
  expect(body.data[0].match.text).toContain('οδος')
})

test('the words around a match are cut between characters', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const smiles = '\u{1F642}'.repeat(40)
  await submit(api, 'contacts', { message: `${smiles} pump ${smiles}` })
  const { body } = await editor.post('/api/contacts/search', { q: 'pump' })
  const { text } = body.data[0].match
  expect(text).toMatch(/^(?:\u{1F642})+ pump (?:\u{1F642})+$/u)
})
