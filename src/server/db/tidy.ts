import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from './database.ts'
import { rows } from './rows.ts'
import { applications } from './schema/applications.ts'
import { consultations } from './schema/consultations.ts'
import { contacts } from './schema/contacts.ts'
import { events } from './schema/events.ts'
import { keyedCalls } from './schema/keyed-calls.ts'
import { mail } from './schema/mail.ts'
import { rateLimits } from './schema/rate-limits.ts'
import { sessions } from './schema/sessions.ts'
import { tallies } from './schema/tallies.ts'

const growing: readonly PgTable[] = [
  contacts,
  consultations,
  applications,
  events,
  keyedCalls,
  mail,
  tallies,
  rateLimits,
  sessions,
]

const vacuum = (table: PgTable): SQL => sql`vacuum (analyze) ${table}`

/**
 * Frees what was deleted and learns anew what the tables hold, on which the choice of an index hangs.
 * A Postgres server does it by itself; an embedded database has nobody else. A table at a time, so
 * that callers get in between.
 */
export const tidy = async (db: Database): Promise<void> => {
  for (const table of growing) await rows(db, vacuum(table))
}
