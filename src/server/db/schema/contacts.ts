import { contacts as kind } from '#contract/contacts.ts'
import { pgTable, text } from '#server/db/pg-core.ts'
import { instant } from './columns.ts'
import { promisedTime, recordColumns, recordConstraints } from './records.ts'

export const contacts = pgTable(
  'contacts',
  {
    ...recordColumns(kind.statuses),
    dueAt: instant('due_at').default(promisedTime),
    message: text().notNull(),
  },
  (table) => recordConstraints('contacts', kind.statuses, table),
)
