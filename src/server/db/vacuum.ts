import { sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { sessions } from '#server/db/schema/accounts/users.ts'
import type { Database } from './database.ts'
import { rows } from './rows.ts'
import { applications } from './schema/applications.ts'
import { keyedCalls, rateLimits } from './schema/calls.ts'
import { consultations } from './schema/consultations.ts'
import { contacts } from './schema/contacts.ts'
import { recordCounts } from './schema/counts.ts'
import { events } from './schema/events.ts'
import { mail } from './schema/mail.ts'

const growing: readonly PgTable[] = [
  contacts,
  consultations,
  applications,
  events,
  keyedCalls,
  mail,
  recordCounts,
  rateLimits,
  sessions,
]

/**
 * Frees the space of deleted rows and renews the statistics that the planner chooses indexes by. A
 * Postgres server does this by itself, an embedded database does not. One statement for each table,
 * so that calls can run between them.
 */
export const vacuum = async (db: Database): Promise<void> => {
  for (const table of growing) await rows(db, sql`vacuum (analyze) ${table}`)
}
