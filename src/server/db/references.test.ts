import { expect } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { staff } from '#server/inbox/testing.ts'
import { testApi } from '#server/testing.ts'
import { rows } from './rows.ts'
import { testOnAll, testOnPostgres } from './testing.ts'

const EVENTS = 100_000
const BATCH = 5_000

testOnPostgres('deleting an account with 100,000 events touches none of them', async ({ db }) => {
  const api = testApi(db)
  const superuser = await staff(api, 'superuser')
  const editor = await staff(api, 'editor')
  for (let count = 0; count < EVENTS; count += BATCH)
    await rows(
      db,
      sql`insert into events (change_id, by_id, by, kind, target_kind, target_id, fields)
          select uuid_v7(), ${editor.id}::uuid, 'editor', 'status', 'contacts', uuid_v7(), '{status}'
          from generate_series(1, ${BATCH})`,
    )
  const places = () =>
    rows(
      db,
      sql`select count(*) as n, md5(string_agg(ctid::text, '' order by ctid)) as places
          from events where by_id = ${editor.id}::uuid and kind = 'status'`,
    )
  const before = await places()
  expect(before).toMatchObject([{ n: EVENTS }])
  expect((await superuser.delete(`/api/users/${editor.id}`)).status).toBe(200)
  // A changed row moves to another place.
  expect(await places()).toEqual(before)
})

testOnAll('every table that refers to an account finds its rows by an index', async ({ db }) => {
  const references = await rows<{ column: string; indexed: boolean }>(
    db,
    sql`select c.conrelid::regclass || '.' || a.attname as column, exists (
          select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]
        ) as indexed
        from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        where c.contype = 'f' and c.confrelid = 'users'::regclass`,
  )
  expect(references.length).toBeGreaterThan(3)
  expect(references.filter(({ indexed }) => !indexed)).toEqual([])
  expect(references.map(({ column }) => column)).not.toContain('events.by_id')
})
