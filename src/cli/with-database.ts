import type { Connection, Database } from '#server/db/database.ts'
import { requireMigrated } from '#server/db/migrate.ts'

type Opened = Pick<Connection, 'db' | 'close'>

/** Runs a command's work on a database that has every migration. */
export async function withDatabase(
  opening: Promise<Opened>,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  const connection = await opening
  try {
    await requireMigrated(connection)
    await work(connection.db)
  } finally {
    await connection.close()
  }
}
