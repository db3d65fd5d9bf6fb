import { pgTable, text } from 'drizzle-orm/pg-core'
import { contacts as kind } from '#contract/contacts.ts'
import { recordColumns, recordConstraints } from './records.ts'

export const contacts = pgTable(
  'contacts',
  {
    ...recordColumns(kind.statuses),
    message: text().notNull(),
  },
  (table) => recordConstraints('contacts', kind.statuses, table),
)
