import { expect } from 'vitest'
import { type SQL, sql } from '#server/db/drizzle.ts'
import { rows } from './rows.ts'
import { test } from './testing.ts'
import { vacuum } from './vacuum.ts'

test('a table is vacuumed when a tenth of it is new or has changed, and left alone otherwise', async ({
  db,
}) => {
  const change = async (statement: SQL) => {
    await rows(db, statement)
    // Otherwise the changes of a session are counted once a second.
    await rows(db, sql`select pg_stat_force_next_flush()`)
  }
  const isVacuumed = async () => (await vacuum(db)).includes('rate_limits')
  await change(
    sql`insert into rate_limits (key, hits, max) select 'key ' || i, '{}', 1 from generate_series(1, 5000) as i`,
  )
  expect(await isVacuumed()).toBe(true)
  const [known] = await rows(db, sql`select reltuples from pg_class where relname = 'rate_limits'`)
  expect(known).toEqual({ reltuples: 5000 })
  expect(await isVacuumed()).toBe(false)
  await change(sql`update rate_limits set max = 2 where key like 'key 1__'`)
  expect(await isVacuumed()).toBe(false)
  await change(sql`update rate_limits set max = 2 where key like 'key 1___'`)
  expect(await isVacuumed()).toBe(true)
  // As after a restart, which forgets what has changed: the size remains.
  await change(sql`update rate_limits set max = 3`)
  await rows(db, sql`select pg_stat_reset()`)
  expect(await isVacuumed()).toBe(true)
  expect(await isVacuumed()).toBe(false)
})
