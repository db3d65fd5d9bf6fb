import { answerDay, answerTimeOf } from '#contract/positions.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { applications } from '#server/db/schema/applications.ts'
import { isOwed } from '#server/db/schema/records.ts'
import { openings } from '#site/content.ts'
import { row } from './record.ts'

/**
 * The time at which an application that comes now is due: the end of its position's `answerBy`, or
 * null.
 */
export const answerTime = (position: string, now: Date): string | null => {
  const day = answerDay(openings(), position, now.toISOString())
  return day && answerTimeOf(day)
}

/** The same of the application `alias` in SQL; `position`: the one that it has from now on. */
export const answerTimeSql = (
  alias: 'r' | 't',
  position: SQL = sql.raw(`${alias}.position`),
): SQL => {
  const created = sql.raw(`${alias}.created_at`)
  const dated = Object.entries(openings()).flatMap(([name, { answerBy }]) =>
    answerBy === undefined
      ? []
      : [
          sql`when ${position} = ${name} and ${created} <= ${answerTimeOf(answerBy)}::timestamptz
            then ${answerTimeOf(answerBy)}::timestamptz(3)`,
        ],
  )
  return dated.length === 0 ? sql`null::timestamptz(3)` : sql`(case ${sql.join(dated, sql` `)} end)`
}

/** True if the application `r` is due by the day of its position. A reply’s own 24 hours do not end with a day. */
export const isDueByDay = sql`(r.due_at at time zone 'UTC')::time = '23:59:59.999'`

/** True if the application `r` owes a decision by the day of its position, or by none. */
const owesByDay = sql`${isOwed(row)} and (r.due_at is null or ${isDueByDay})`

export const dueForPosition = (position: SQL): SQL =>
  sql`case when ${owesByDay} then ${answerTimeSql('r', position)} else r.due_at end`

/** Brings the stored due times of applications up to the openings as they are now. */
export const followAnswerDays = async (db: Database): Promise<void> => {
  const due = answerTimeSql('r')
  await rows(
    db,
    sql`update ${applications} r set due_at = ${due}
      where ${owesByDay} and r.due_at is distinct from ${due}`,
  )
}
