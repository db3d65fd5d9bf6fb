import { expect } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { connectRemote } from '#server/db/remote.ts'
import { preparedRows, rows } from '#server/db/rows.ts'
import { newPostgres, test, testOnEveryDriver } from '#server/db/testing.ts'
import { prepare } from './prepared.ts'

const echo = prepare<{ text: string | null; list: string; n: number; isOn: boolean }>(
  (value) => sql`
    select ${value('text')}::text as text, ${value('list')}::text[] as list, ${value('n')}::int as n,
      ${value('isOn')}::boolean as "isOn", '2026-02-03 04:05:06.789+02'::timestamptz(3) as at
    where ${value('n')}::int > 0`,
)

testOnEveryDriver('a prepared statement answers each run by its own values', async ({ db }) => {
  const at = '2026-02-03T02:05:06.789Z'
  for (const [text, n] of [
    ['Zoë', 1],
    [null, 2],
    ['quoted "\\', 3],
  ] as const)
    expect(await preparedRows(db, echo, { text, list: '{a,b}', n, isOn: n === 2 })).toEqual([
      { text, list: ['a', 'b'], n, isOn: n === 2, at },
    ])
  expect(await preparedRows(db, echo, { text: null, list: '{}', n: 0, isOn: false })).toEqual([])
})

testOnEveryDriver(
  'a prepared statement that fails says why, and can be run again',
  async ({ db }) => {
    const divide = prepare<{ by: number }>((value) => sql`select 6 / ${value('by')}::int as result`)
    for (let run = 0; run < 2; run += 1) {
      await expect(preparedRows(db, divide, { by: 0 })).rejects.toMatchObject({ code: '22012' })
      expect(await preparedRows(db, divide, { by: 3 })).toEqual([{ result: 2 }])
    }
  },
)

const connectToNew = async () => {
  const { url } = await newPostgres('blank')
  return connectRemote({ kind: 'pg', url }, { deadlineMs: 120_000 })
}

test('a pooler that keeps no statements costs nothing but speed', async () => {
  // As if another client's connection were given to this one: it lacks the statement that was made.
  const forgetting = await connectToNew()
  const add = prepare<{ n: number }>(
    (value) => sql`insert into kept (n) values (${value('n')}::int) returning n`,
  )
  await rows(forgetting.db, sql`create table kept (n int)`)
  expect(await preparedRows(forgetting.db, add, { n: 1 })).toEqual([{ n: 1 }])
  await rows(forgetting.db, sql`deallocate all`)
  for (const n of [2, 3]) expect(await preparedRows(forgetting.db, add, { n })).toEqual([{ n }])
  expect(await rows(forgetting.db, sql`select n from kept`)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  expect(await rows(forgetting.db, sql`select name from pg_prepared_statements`)).toEqual([])
  await forgetting.close()

  // Or there is one of that name already, made by somebody else.
  const taken = await connectToNew()
  await rows(taken.db, sql`create table kept (n int)`)
  await rows(taken.db, sql.raw(`prepare "${add.name}" as select 1`))
  for (const n of [1, 2]) expect(await preparedRows(taken.db, add, { n })).toEqual([{ n }])
  expect(await rows(taken.db, sql`select n from kept`)).toEqual([{ n: 1 }, { n: 2 }])
  await taken.close()
})

test('the embedded database plans a statement anew as its tables grow', async ({ db }) => {
  const find = prepare<{ key: string }>(
    (value) => sql`select n from growing where key = ${value('key')}::text`,
  )
  await rows(db, sql`create table growing (key text, n int)`)
  await rows(db, sql`create index growing_key_idx on growing (key)`)
  await rows(db, sql`vacuum analyze growing`)
  const plan = async () =>
    JSON.stringify(await rows(db, sql.raw(`explain execute "${find.name}" ('5')`)))
  const runs = async (count: number) => {
    for (let n = 0; n < count; n += 1) await preparedRows(db, find, { key: '5' })
  }
  try {
    await runs(10)
    expect(await plan()).toContain('Seq Scan')
    await rows(db, sql`insert into growing select n::text, n from generate_series(1, 5000) as n`)
    expect(await plan()).toContain('Seq Scan')
    await runs(500)
    expect(await plan()).toContain('growing_key_idx')
  } finally {
    await rows(db, sql`drop table growing`)
  }
})
