import type { PgDatabase, PgQueryResultHKT } from './pg-core.ts'

/**
 * Drizzle for all other files. Node parses the package's `package.json` of 180 kB anew for each file that
 * imports it, in 1.8 ms: imported by each, it adds 0.3 s to every start.
 */
export * from 'drizzle-orm'

/** The interface that all three drivers share; stores ask for nothing more. */
export type Database = PgDatabase<PgQueryResultHKT>
