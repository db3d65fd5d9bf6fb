import type { Hours } from '#contract/times/times.ts'
import { and, type Database, eq, type SQL, type SQLWrapper, sql } from '#server/db/drizzle.ts'
import { run, runOne, valuesOf } from '#server/db/rows.ts'
import { calendarLinks, hostHours, roleMay, users } from '#server/db/schema/accounts/users.ts'
import { appointments } from '#server/db/schema/appointments.ts'
import { now } from '#server/db/schema/columns.ts'
import { write } from '#server/db/write.ts'
import { hostFirstName } from '#server/mail-out/store/appointments.ts'
import type { readCalendar } from '../calendar.ts'
import type { Busy } from '../slots.ts'

/** A member of staff with hours; `firstName` as senders read it. */
export interface Host extends Omit<typeof hostHours.$inferSelect, 'busyTimes'> {
  username: string
  firstName: string | null
  busyTimes: Busy[] | null
}

const named = { username: sql<string>`h.username`, firstName: sql<string | null>`${hostFirstName}` }

const findHost = async (db: Database, which: SQL): Promise<Host | undefined> => {
  const isStaff = sql`h.id = ${hostHours.userId} and ${roleMay(sql`h.role`, 'records.change')}`
  const found = await runOne(
    db
      .select({ hours: hostHours, ...named })
      .from(hostHours)
      .innerJoin(sql`${users} h`, isStaff)
      .where(which),
  )
  return found && { ...found.hours, username: found.username, firstName: found.firstName }
}

export const hostById = (db: Database, id: string): Promise<Host | undefined> =>
  findHost(db, sql`${hostHours.userId} = ${id}::uuid`)

/** The hours of an account, and whether its appointments have an address for calendar programs. */
export const readOwnHours = async (db: Database, id: string) => {
  const found = await runOne(
    db
      .select({
        hours: hostHours,
        ...named,
        hasFeed: sql<boolean>`exists (select from ${calendarLinks} l
          where l.user_id = h.id and l.credential_version = h.credential_version)`,
      })
      .from(sql`${users} h`)
      .leftJoin(hostHours, sql`${hostHours.userId} = h.id`)
      .where(sql`h.id = ${id}::uuid`),
  )
  const { hours, username = '', firstName = null, hasFeed = false } = found ?? {}
  return { host: hours ? { ...hours, username, firstName } : undefined, hasFeed }
}

export const hostByName = (db: Database, username: string): Promise<Host | undefined> =>
  findHost(db, sql`lower(h.username) = lower(${username})`)

export const hostsWithCalendar = (db: Database): Promise<string[]> =>
  valuesOf(db, sql`select user_id from ${hostHours} where busy_sealed is not null`)

/** @param busySealed the calendar's address, encrypted; null removes it, undefined keeps it */
export const saveHours = async (
  db: Database,
  userId: string,
  hours: Omit<Hours, 'busyUrl'>,
  busySealed: string | null | undefined,
): Promise<void> => {
  // A copy of another address does not count any more; one with whole days of another zone is read again on use.
  const forgotten = {
    busyTimes: null,
    busyReadAt: null,
    busyTriedAt: null,
    busyProblem: null,
    busyOutcome: null,
  }
  const address = busySealed === undefined ? {} : { busySealed, ...forgotten }
  const { timeZone, busyTriedAt, busyOutcome } = hostHours
  const inSameZone = (column: SQLWrapper) =>
    sql`case when ${timeZone} = excluded.time_zone then ${column} end`
  const kept = { busyTriedAt: inSameZone(busyTriedAt), busyOutcome: inSameZone(busyOutcome) }
  const stored = db
    .insert(hostHours)
    .values({ userId, ...hours, ...address })
    .onConflictDoUpdate({ target: hostHours.userId, set: { ...hours, ...kept, ...address } })
    .returning({ userId: hostHours.userId, buffer: hostHours.buffer })
  const until = sql`a.end_at + make_interval(mins => h.buffer)`
  await write(
    db,
    // A longer break could meet a talk that is booked: those keep theirs.
    sql`h as (${stored.getSQL()}),
      freed as (
        update ${appointments} a set held_until = ${until} from h
        where a.host_id = h.user_id and a.state = 'booked' and a.held_until > ${until}
      )`,
    sql`select 1 from h`,
  )
}

export type Reading =
  | ({ outcome: 'read' } & Awaited<ReturnType<typeof readCalendar>>)
  | { outcome: 'unreachable' | 'broken'; problem: string }

/** Writes a reading down, unless address or zone were changed meanwhile. */
export const saveReading = async (
  db: Database,
  { userId, busySealed, timeZone }: Pick<Host, 'userId' | 'busySealed' | 'timeZone'>,
  reading: Reading,
): Promise<void> => {
  const { outcome, problem } = reading
  const copy = reading.outcome === 'read' ? { busyTimes: reading.busy, busyReadAt: now } : {}
  await run(
    db
      .update(hostHours)
      .set({ busyOutcome: outcome, busyProblem: problem, busyTriedAt: now, ...copy })
      .where(
        and(
          eq(hostHours.userId, userId),
          sql`${hostHours.busySealed} = ${busySealed}`,
          eq(hostHours.timeZone, timeZone),
        ),
      ),
  )
}
