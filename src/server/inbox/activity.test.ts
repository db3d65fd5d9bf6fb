import { expect } from 'vitest'
import type { KindPath } from '#contract/inbox.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { submitAndOpen } from '#server/status-page/testing.ts'
import { testApi, testOnAll } from '#server/testing.ts'
import { type Json, staff, submit } from './testing.ts'

/** Replies to a record, a second apart. */
const addReplies = (
  db: Database,
  id: string,
  count: number,
  text: string,
  kind: KindPath = 'contacts',
): Promise<unknown> =>
  rows(
    db,
    sql`insert into events (change_id, kind, target_kind, target_id, text, after, version, at)
      select uuid_v7(), 'reply', ${kind}::text, ${id}::uuid, n || ${text}, '{}', n, now() + make_interval(secs => n)
      from generate_series(1, ${count}::int) as n`,
  )

const textsOf = (entries: Json[]): number[] =>
  entries.flatMap(({ text }) => (text ? [Number.parseInt(text, 10)] : []))

const MB = 1_048_576

testOnAll('a record answers its newest fifty entries, and older ones by cursor', async ({ db }) => {
  const api = testApi(db)
  const reviewer = await staff(api, 'reviewer')
  const id = await submit(api)
  await addReplies(db, id, 120, ' reply')
  const path = `/api/contacts/${id}`
  const { body } = await reviewer.get(path)
  expect(body.meta.activity).toEqual({ total: 121, cursor: expect.any(String) })
  expect(body.data.activity).toHaveLength(50)
  const newest = await reviewer.get(`${path}/activity`)
  expect(newest.body).toMatchObject({ data: body.data.activity, meta: body.meta })
  let seen = textsOf(newest.body.data)
  let { cursor } = newest.body.meta.activity
  const sizes: number[] = []
  while (cursor) {
    const page = await reviewer.get(`${path}/activity?cursor=${cursor}`)
    sizes.push(page.body.data.length)
    seen = [...textsOf(page.body.data), ...seen]
    cursor = page.body.meta.activity.cursor
  }
  expect(sizes).toEqual([50, 21])
  expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => n + 1))
  const other = await submit(api)
  const foreign = await reviewer.get(
    `/api/contacts/${other}/activity?cursor=${newest.body.meta.activity.cursor}`,
  )
  expect([foreign.status, (await reviewer.get(`${path}/activity?cursor=x`)).status]).toEqual([
    400, 400,
  ])
  expect((await reviewer.get(`/api/applications/${id}/activity`)).status).toBe(404)
})

testOnAll(
  'a long text is cut, whole on request, and no answer exceeds a megabyte',
  async ({ api, db }) => {
    const reviewer = await staff(api, 'reviewer')
    const sender = await submitAndOpen(api, 'contacts')
    await addReplies(db, sender.id, 60, '😀'.repeat(50_000))
    const path = `/api/contacts/${sender.id}`
    const response = await reviewer.fetch(path)
    const text = await response.text()
    expect(Buffer.byteLength(text)).toBeLessThan(MB)
    const { data, meta } = JSON.parse(text) as Json
    const last = data.activity.at(-1)
    expect([[...last.text].length, last.cut]).toEqual([5_000, true])
    const whole = await reviewer.get(`${path}/activity/${last._id}`)
    expect([[...whole.body.data.text].length, whole.body.data.cut]).toEqual([50_002, undefined])
    // A page that ends earlier goes on where it ended.
    const older = await reviewer.get(`${path}/activity?cursor=${meta.activity.cursor}`)
    expect(textsOf(older.body.data).at(-1)).toBe((textsOf(data.activity)[0] ?? 0) - 1)
    expect((await reviewer.get(`${path}/activity/${sender.id}`)).status).toBe(404)

    const page = await api.request(`/api/status/${sender.token}`)
    const own = await page.text()
    expect(Buffer.byteLength(own)).toBeLessThan(MB)
  },
)

testOnAll(
  'long offers and drafts of agents leave an answer about a record below a megabyte',
  async ({ api, db }) => {
    const editor = await staff(api, 'editor')
    const id = await submit(api, 'consultations')
    await addReplies(db, id, 50, '😀'.repeat(4_900), 'consultations')
    await rows(
      db,
      sql`insert into offers (record_id, state, by, title, text, lines, currency, valid_until, terms)
        select ${id}::uuid, 'draft', 'ada', n::text, ${'😀'.repeat(20_000)}, '[]', 'EUR', '2099-01-01', ${'😀'.repeat(20_000)}
        from generate_series(1, 12) as n`,
    )
    await rows(
      db,
      sql`insert into agent_drafts (record_kind, record_id, token_id, text, token, by)
        select 'consultations', ${id}::uuid, uuid_v7(), ${'😀'.repeat(10_000)}, n::text, 'ada'
        from generate_series(1, 5) as n`,
    )
    const text = await (await editor.fetch(`/api/consultations/${id}`)).text()
    expect(Buffer.byteLength(text)).toBeLessThan(MB)
    const { data, meta } = JSON.parse(text) as Json
    expect(data.offers).toHaveLength(3)
    let seen = textsOf(data.activity)
    let { cursor } = meta.activity
    while (cursor) {
      const older = await editor.get(`/api/consultations/${id}/activity?cursor=${cursor}`)
      seen = [...textsOf(older.body.data), ...seen]
      cursor = older.body.meta.activity.cursor
    }
    expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
  },
)

testOnAll(
  'a sender reads the newest fifty messages, and older ones before them',
  async ({ api, db }) => {
    const sender = await submitAndOpen(api, 'contacts')
    await addReplies(db, sender.id, 70, ' reply')
    const { data } = (await sender.get()).body
    expect(textsOf(data.messages)).toEqual(Array.from({ length: 50 }, (_, n) => n + 21))
    const older = (await sender.get(`?before=${data.older}`)).body.data
    expect(textsOf(older.messages)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    expect(older.older).toBeNull()
    expect((await sender.get('?before=x')).status).toBe(400)
  },
)
