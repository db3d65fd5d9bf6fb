import { applications as kind } from '#contract/applications.ts'
import { type SQL, sql } from '#server/db/drizzle.ts'
import { check, type ExtraConfigColumn, index, integer, pgTable, text } from '#server/db/pg-core.ts'
import { isOwed, recordColumns, recordConstraints } from './records.ts'

export const isUnanswered = (
  row: Parameters<typeof isOwed>[0] & { box: SQL | ExtraConfigColumn },
): SQL => sql`${row.box} = 'inbox' and ${isOwed(row)}`

export const applications = pgTable(
  'applications',
  {
    ...recordColumns(kind.statuses),
    phone: text(),
    location: text().notNull(),
    position: text().notNull(),
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
