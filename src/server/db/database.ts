import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** What all three drivers have in common; stores ask for nothing more. */
export type Database = PgDatabase<PgQueryResultHKT>

export interface Connection {
  db: Database
  driver: 'pglite' | 'pg' | 'neon'
  close(): Promise<void>
}
