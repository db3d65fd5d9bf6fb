import { expect } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { testOnPostgres } from '#server/db/testing.ts'
import { freeSlots } from './slots.ts'

const zones = [
  'Europe/London',
  'Europe/Berlin',
  'Europe/Lisbon',
  'America/New_York',
  'America/Chicago',
  'America/Los_Angeles',
  'America/St_Johns',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Asia/Jerusalem',
  'Asia/Kolkata',
  // Their clocks leave out the hour after midnight.
  'Africa/Cairo',
  'America/Santiago',
]

const DAY = 86_400_000

/** Every day around the clock, so that no hour of a change is left out. */
const weekly = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }))

testOnPostgres(
  'no hour is wrong, missing or double over all changes of clocks',
  async ({ db }) => {
    for (const timeZone of zones) {
      // Postgres has a database of zones of its own: where its offset changes, a clock does.
      const changes = await rows<{ at: string }>(
        db,
        sql`select to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
        from generate_series('2026-01-01T00:00Z'::timestamptz, '2030-12-31T00:00Z', interval '30 minutes') as t
        where (t at time zone ${timeZone}) - (t - interval '30 minutes') at time zone ${timeZone} <> interval '30 minutes'`,
      )
      if (timeZone !== 'Asia/Kolkata') expect(changes.length, timeZone).toBeGreaterThanOrEqual(9)
      for (const { at } of changes) {
        const from = Date.parse(at) - 2 * DAY
        const to = Date.parse(at) + 2 * DAY
        const hours = { timeZone, weekly, minutes: 30, buffer: 0, noticeHours: 1, horizonDays: 60 }
        const slots = freeSlots(hours, { from, to, now: from - DAY, busy: [] })
        // The first instant of each half hour that the clock shows, and whose end is the same day.
        const expected = await rows<{ start: string }>(
          db,
          sql`select to_char(min(t) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as start
          from generate_series(
            ${new Date(from - DAY).toISOString()}::timestamptz, ${new Date(to).toISOString()}::timestamptz,
            interval '30 minutes'
          ) as t
          group by t at time zone ${timeZone}
          having min(t) >= ${new Date(from).toISOString()}::timestamptz
            and min(t) + interval '30 minutes' <= ${new Date(to).toISOString()}::timestamptz
          order by 1`,
        )
        expect(
          slots.map(({ start }) => start),
          `${timeZone} ${at}`,
        ).toEqual(expected.map(({ start }) => start))
      }
    }
  },
  300_000,
)
