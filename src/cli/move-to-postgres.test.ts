import { expect, test } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { connectRemote } from '#server/db/remote.ts'
import { rows } from '#server/db/rows.ts'
import { newPostgres } from '#server/db/testing.ts'
import { newDataDir, newFolder, runCommand, runHere } from '#tests/processes.ts'

test('one command moves everything from the embedded database to an empty Postgres', async () => {
  const { url } = await newPostgres('blank')
  const embedded = { DATA_DIR: newDataDir() }
  const filled = ['--contacts', '30', '--consultations', '3', '--applications', '2']
  expect(await runHere('sample-data', filled, embedded)).toMatchObject({ code: 0 })

  const env = { ...embedded, DATABASE_URL: url }
  expect(await runCommand('move-to-postgres', [], env)).toMatchObject({
    code: 0,
    output: expect.stringContaining('30 contacts'),
  })
  const { db, close } = await connectRemote({ kind: 'pg', url })
  expect(
    await rows(
      db,
      sql`select (select count(*) from users) as users,
        (select count(*) from events where kind = 'created') as arrivals,
        (select sum(n) from record_counts where kind = 'contacts')::int as counted`,
    ),
  ).toEqual([{ users: 5, arrivals: 35, counted: 30 }])
  // The target refuses overlapping appointments only if it has the extension, too.
  const book = (from: string) =>
    rows(
      db,
      sql`insert into appointments (record_id, host_id, start_at, end_at, held_until, place, state)
        select (select id from consultations order by id limit 1), (select id from users order by id limit 1),
          ${from}::timestamptz, ${from}::timestamptz + interval '1 hour', ${from}::timestamptz + interval '1 hour', 'here', 'past'`,
    )
  await book('2030-01-01T10:00:00Z')
  await rows(db, sql`update appointments set state = 'booked'`)
  const second = sql`insert into appointments (record_id, host_id, start_at, end_at, held_until, place, state)
    select (select id from consultations order by id desc limit 1), host_id, start_at, end_at, held_until, place, 'booked'
    from appointments`
  await expect(rows(db, second)).rejects.toMatchObject({ code: '23P01' })
  await close()

  const nothing = { DATA_DIR: newFolder(), DATABASE_URL: url }
  expect((await runHere('move-to-postgres', [], nothing)).output).toContain(
    `There is no database in ${nothing.DATA_DIR}`,
  )
  const again = await runHere('move-to-postgres', [], env)
  expect(again.code).toBe(1)
  expect(again.output).toContain('is not empty; nothing was moved')
})
