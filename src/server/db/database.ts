import type { PGlite } from '@electric-sql/pglite'
import type { Database } from '#server/db/drizzle.ts'

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
