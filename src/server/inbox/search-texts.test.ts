import { expect } from 'vitest'
import { addReply } from '#server/conversation/store.ts'
import { testOnAll } from '#server/db/testing.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { test, testApi } from '#server/testing.ts'
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

test('the words around a match are cut between characters', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const smiles = '\u{1F642}'.repeat(40)
  await submit(api, 'contacts', { message: `${smiles} pump ${smiles}` })
  const { body } = await editor.post('/api/contacts/search', { q: 'pump' })
  const { text } = body.data[0].match
  expect(text).toMatch(/^(?:\u{1F642})+ pump (?:\u{1F642})+$/u)
})
