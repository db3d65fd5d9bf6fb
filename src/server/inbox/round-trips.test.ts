import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { expect } from 'vitest'
import { signInAs } from '#server/auth/testing.ts'
import type { Database } from '#server/db/database.ts'
import { test, testApi } from '#server/testing.ts'
import { type Answer, staff, submit } from './testing.ts'

/** Counts statements on their way to the database: over Neon's driver each is a request of its own. */
const counting = (db: Database): { db: Database; taken: () => number } => {
  if (!('$client' in db && db.$client instanceof PGlite))
    throw new Error('Not the embedded database')
  let count = 0
  const logQuery = () => {
    count += 1
  }
  return {
    db: drizzle(db.$client, { logger: { logQuery } }),
    taken() {
      const taken = count
      count = 0
      return taken
    },
  }
}

test('a key costs its look-up and the storing of the answer, and a repetition no more', async ({
  db,
}) => {
  const { db: counted, taken } = counting(db)
  const api = testApi(counted)
  const { token } = await signInAs(api.deps, 'editor')
  const path = `/api/contacts/${await submit(api)}/notes`
  const headers = { 'Idempotency-Key': 'a-key' }
  const SESSION = 1
  for (const trips of [3, 1]) {
    taken()
    const answer = await api.request(path, { body: { text: 'A note' }, token, headers })
    expect(answer.status).toBe(201)
    expect(taken() - SESSION).toBe(trips)
  }
})

test('the calls of staff take as many round trips as they need, and one for the session', async ({
  db,
}) => {
  const { db: counted, taken } = counting(db)
  const api = testApi(counted)
  const admin = await staff(api, 'superuser')
  const id = await submit(api)
  const spam = await submit(api, 'contacts', { website: 'x' })
  const SESSION = 1
  const trips = async (
    answer: Promise<Answer>,
  ): Promise<{ trips: number; body: Answer['body'] }> => {
    taken()
    const { status, body } = await answer
    expect(status).toBeLessThan(300)
    return { trips: taken() - SESSION, body }
  }
  const path = `/api/contacts/${id}`
  const ids = [id]

  expect((await trips(admin.get('/api/contacts'))).trips).toBe(1)
  expect((await trips(admin.get('/api/contacts?q=text&status=new&assignee=superuser'))).trips).toBe(
    1,
  )
  expect((await trips(admin.get(path))).trips).toBe(1)
  // The change, then the record as it is.
  const change = await trips(
    admin.put(path, { status: 'handled', assignee: 'superuser', version: 1 }),
  )
  expect(change.trips).toBe(2)
  // Whose change it is, then the undoing.
  expect((await trips(admin.post('/api/undo', { event: change.body.meta.event }))).trips).toBe(2)
  expect((await trips(admin.post(`${path}/notes`, { text: 'A note' }))).trips).toBe(1)
  expect(
    (await trips(admin.post('/api/contacts/bulk', { ids, action: 'assign', value: null }))).trips,
  ).toBe(1)
  // Which acknowledgements it holds back, the release, the record.
  expect((await trips(admin.put(`/api/contacts/${spam}`, { box: 'inbox' }))).trips).toBe(3)
  expect((await trips(admin.delete(path))).trips).toBe(1)
  expect((await trips(admin.post(`${path}/restore`))).trips).toBe(2)
  // The figures and, beside them, the time of the last clean-up: its table may not be there yet.
  expect((await trips(admin.get('/api/stats'))).trips).toBe(2)
  expect((await trips(admin.get('/api/mail'))).trips).toBe(1)
  expect((await trips(admin.post('/api/privacy/erase', { email: 'x@mail.example' }))).trips).toBe(1)
  expect((await trips(admin.post('/api/privacy/export', { email: 'x@mail.example' }))).trips).toBe(
    1,
  )
})
