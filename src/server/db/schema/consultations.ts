import { consultations as kind } from '#contract/consultations.ts'
import type { Plan } from '#contract/plan.ts'
import { date, jsonb, pgTable, text } from '#server/db/pg-core.ts'
import { instant } from './columns.ts'
import { promisedTime, recordColumns, recordConstraints } from './records.ts'

export const consultations = pgTable(
  'consultations',
  {
    ...recordColumns(kind.statuses),
    dueAt: instant('due_at').default(promisedTime),
    phone: text().notNull(),
    company: text(),
    service: text().notNull(),
    /** The service's name and price at the time of the request. */
    serviceLabel: text('service_label'),
    message: text().notNull(),
    /** A calendar day: it has no zone and never shifts. */
    preferredDate: date('preferred_date', { mode: 'string' }).notNull(),
    plan: jsonb().$type<Plan>(),
  },
  (table) => recordConstraints('consultations', kind.statuses, table),
)
