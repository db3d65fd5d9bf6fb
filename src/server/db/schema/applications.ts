import { type SQL, sql } from 'drizzle-orm'
import { check, type ExtraConfigColumn, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { applications as kind } from '#contract/applications.ts'
import { recordColumns, recordConstraints } from './records.ts'

const undecided = sql.raw(
  Object.entries(kind.steps)
    .flatMap(([status, { stage }]) =>
      stage === 'waiting' || stage === 'moving' ? [`'${status}'`] : [],
    )
    .join(', '),
)

type Column = SQL | ExtraConfigColumn

/** Whether an applicant waits: nothing is decided, and nobody has answered what they wrote last. */
export const isUnanswered = (row: {
  box: Column
  status: Column
  withdrawnAt: Column
  lastMessageAt: Column
  waitingFor: Column
}): SQL => sql`${row.box} = 'inbox' and ${row.status} in (${undecided}) and ${row.withdrawnAt} is null
  and (${row.lastMessageAt} is null or ${row.waitingFor} = 'us')`

export const applications = pgTable(
  'applications',
  {
    ...recordColumns(kind.statuses),
    phone: text(),
    location: text().notNull(),
    position: text().notNull(),
    /** What the position was called as the application came. */
    positionLabel: text('position_label'),
    university: text().notNull(),
    yearOfStudy: integer('year_of_study').notNull(),
    major: text().notNull(),
    portfolio: text(),
    linkedin: text(),
    coverLetter: text('cover_letter').notNull(),
    resumeUrl: text('resume_url').notNull(),
  },
  (table) => [
    ...recordConstraints('applications', kind.statuses, table),
    // Rejected ones go sooner than others.
    index('applications_rejected_idx').on(table.actedAt).where(sql`${table.status} = 'rejected'`),
    index('applications_unanswered_idx')
      .on(table.position, table.createdAt)
      .where(isUnanswered(table)),
    check('applications_year_in_range', sql`${table.yearOfStudy} between 1 and 6`),
  ],
)
