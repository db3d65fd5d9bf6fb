import type { PGlite } from '@electric-sql/pglite'
import type { PgDatabase, PgQueryResultHKT } from '#server/db/pg-core.ts'

/** The interface that all three drivers share; stores ask for nothing more. */
export type Database = PgDatabase<PgQueryResultHKT>

export interface Connection {
  db: Database
  driver: 'pglite' | 'pg' | 'neon'
  close(): Promise<void>
}

/** The embedded database, which its one owner can also copy. */
export interface EmbeddedConnection extends Connection {
  driver: 'pglite'
  client: PGlite
  directory: string
  /** A restore that had been broken off was finished by this opening. */
  hasFinishedRestore: boolean
}

export function isEmbedded(connection: Connection): connection is EmbeddedConnection {
  return connection.driver === 'pglite'
}
