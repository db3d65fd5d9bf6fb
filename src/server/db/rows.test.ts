import { expect } from 'vitest'
import { count, sql } from '#server/db/drizzle.ts'
import { connectRemote } from '#server/db/remote.ts'
import { DatabaseUnavailable, databaseError, rows, run } from '#server/db/rows.ts'
import { events } from '#server/db/schema/events.ts'
import { newPostgres, openEmbeddedInMemory, test, testOnEveryDriver } from '#server/db/testing.ts'

testOnEveryDriver('rows look the same over every driver', async ({ db }) => {
  const found = await rows(
    db,
    sql`select ${'Zoë'}::text as name, ${2}::int as small, ${'9'}::bigint as big, true as yes,
      null::timestamptz as never, '2026-02-03 04:05:06.789+02'::timestamptz(3) as at,
      '2026-02-03'::date as day, '{"a": [1, null]}'::jsonb as json, array['a', 'b'] as list`,
  )
  expect(found).toEqual([
    {
      name: 'Zoë',
      small: 2,
      big: 9,
      yes: true,
      never: null,
      at: '2026-02-03T02:05:06.789Z',
      day: '2026-02-03',
      json: { a: [1, null] },
      list: ['a', 'b'],
    },
  ])
})

testOnEveryDriver('a query of the builder answers the types of the schema', async ({ db }) => {
  const [written] = await run(
    db
      .insert(events)
      .values({
        at: '2026-02-03T04:05:06.789Z',
        changeId: '0190b0a0-0000-7000-8000-000000000001',
        kind: 'note',
        fields: ['x', 'y,"z"'],
        before: { a: [1, null] },
        version: 2,
      })
      .returning(),
  )
  const found = await run(db.select().from(events))
  expect(found).toEqual([written])
  expect(found).toMatchObject([
    {
      at: '2026-02-03T04:05:06.789Z',
      byId: null,
      fields: ['x', 'y,"z"'],
      before: { a: [1, null] },
      version: 2,
    },
  ])
  expect(await run(db.select({ n: count() }).from(events))).toEqual([{ n: 1 }])
  await expect(run(db.select({ x: sql`1 / 0` }).from(events))).rejects.toMatchObject({
    code: '22012',
  })
})

testOnEveryDriver('the SQLSTATE of a failed statement can be read', async ({ db }) => {
  await expect(rows(db, sql`select 1 / 0`)).rejects.toMatchObject({ code: '22012' })
})

testOnEveryDriver(
  'a statement that lost a deadlock is run again, three times in all',
  async ({ db }) => {
    await db.execute(sql`create sequence attempts`)
    await db.execute(sql`
    create function lose_deadlocks(losses bigint) returns bigint language plpgsql as $$
      declare attempt bigint := nextval('attempts');
      begin
        if attempt <= losses then raise exception 'lost' using errcode = '40P01'; end if;
        return attempt;
      end $$`)
    expect(await rows(db, sql`select lose_deadlocks(2) as attempt`)).toEqual([{ attempt: 3 }])
    await expect(rows(db, sql`select lose_deadlocks(9)`)).rejects.toMatchObject({ code: '40P01' })
    expect(await rows(db, sql`select last_value from attempts`)).toEqual([{ last_value: 6 }])
    await db.execute(sql`drop function lose_deadlocks`)
    await db.execute(sql`drop sequence attempts`)
  },
)

testOnEveryDriver('a list and an object are parameters like any other', async ({ db }) => {
  const found = await rows(
    db,
    sql`select ${sql.param(['x', 'y,"z"'])}::text[] as list, ${JSON.stringify({ a: 1 })}::jsonb as json`,
  )
  expect(found).toEqual([{ list: ['x', 'y,"z"'], json: { a: 1 } }])
})

test('a closed database counts as out of reach', async () => {
  const { url } = await newPostgres('migrated')
  for (const connection of [openEmbeddedInMemory(), connectRemote({ kind: 'pg', url })]) {
    const { db, close } = await connection
    await close()
    await expect(rows(db, sql`select 1`)).rejects.toThrow(DatabaseUnavailable)
    await expect(run(db.select().from(events))).rejects.toThrow(DatabaseUnavailable)
  }
})

test('errors that the database’s operator must fix count as out of reach, our own do not', () => {
  for (const code of ['EPIPE', 'ECONNRESET', 'ETIMEDOUT', '57P01', '08006', '28P01', '53100'])
    expect(databaseError(Object.assign(new Error('write'), { code })), code).toBeInstanceOf(
      DatabaseUnavailable,
    )
  const violation = Object.assign(new Error('check'), { code: '23514' })
  expect(databaseError(violation)).toBe(violation)
})
