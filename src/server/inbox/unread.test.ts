import { expect } from 'vitest'
import { addReply } from '#server/conversation/store.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { testOnAll } from '#server/testing.ts'
import { type Json, type Staff, staff, submit } from './testing.ts'

testOnAll(
  'what is unread is each person’s own, and a reply makes it unread again',
  async ({ api, db }) => {
    const [ada, grace] = [await staff(api, 'reviewer', 'ada'), await staff(api, 'editor', 'grace')]
    const [first, second] = [await submit(api), await submit(api)]
    const request = await submit(api, 'consultations')
    await submit(api, 'contacts', { website: 'filled by a robot' })
    const unread = async (one: Staff) => (await one.get('/api/me/unread')).body.data
    const rowsOf = async (one: Staff) =>
      Object.fromEntries(
        (await one.get('/api/contacts')).body.data.map((row: Json) => [row._id, row.unread]),
      )
    expect(await unread(ada)).toEqual({ consultations: 1, applications: 0, contacts: 2 })
    await ada.post(`/api/contacts/${first}/seen`)
    expect(await unread(ada)).toEqual({ consultations: 1, applications: 0, contacts: 1 })
    expect(await rowsOf(ada)).toEqual({ [first]: false, [second]: true })
    expect(await rowsOf(grace)).toEqual({ [first]: true, [second]: true })
    expect((await ada.get(`/api/contacts/${first}`)).body.data.unread).toBe(false)

    await addReply(api.deps, kindByPath.contacts, first, { kind: 'reply', text: 'One more thing.' })
    expect(await rowsOf(ada)).toEqual({ [first]: true, [second]: true })
    const all = await ada.post('/api/me/unread', { kind: 'contacts' })
    expect(all.body.data).toEqual({ consultations: 1, applications: 0, contacts: 0 })
    expect(await unread(ada)).toEqual(all.body.data)
    expect(await unread(grace)).toEqual({ consultations: 1, applications: 0, contacts: 2 })
    expect((await ada.post('/api/me/unread', { kind: 'letters' })).status).toBe(400)

    // Only what came in the 30 days before the account.
    await rows(
      db,
      sql`update contacts set heard_at = now() - interval '31 days' where id = ${second}::uuid`,
    )
    await grace.delete(`/api/consultations/${request}`)
    const mary = await staff(api, 'superuser', 'mary')
    expect(await unread(mary)).toEqual({ consultations: 1, applications: 0, contacts: 1 })
    await mary.delete(`/api/consultations/${request}`)
    expect(await unread(mary)).toEqual({ consultations: 0, applications: 0, contacts: 1 })
  },
)
