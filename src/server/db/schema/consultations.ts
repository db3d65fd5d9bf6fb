import { date, pgTable, text } from 'drizzle-orm/pg-core'
import { consultations as kind } from '#contract/consultations.ts'
import { recordColumns, recordConstraints } from './records.ts'

export const consultations = pgTable(
  'consultations',
  {
    ...recordColumns(kind.statuses),
    phone: text().notNull(),
    company: text(),
    service: text().notNull(),
    message: text().notNull(),
    /** A calendar day: it has no zone and never shifts. */
    preferredDate: date('preferred_date', { mode: 'string' }).notNull(),
  },
  (table) => recordConstraints('consultations', kind.statuses, table),
)
