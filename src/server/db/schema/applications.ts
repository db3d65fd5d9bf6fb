import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { applications as kind } from '#contract/applications.ts'
import { recordColumns, recordConstraints } from './records.ts'

export const applications = pgTable(
  'applications',
  {
    ...recordColumns(kind.statuses),
    phone: text(),
    location: text().notNull(),
    position: text().notNull(),
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
    check('applications_year_in_range', sql`${table.yearOfStudy} between 1 and 6`),
  ],
)
