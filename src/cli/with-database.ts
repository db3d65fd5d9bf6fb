import type { Connection } from '#server/db/database.ts'
import type { Database } from '#server/db/drizzle.ts'
import { requireMigrated } from '#server/db/migrate.ts'

type Opened = Pick<Connection, 'db' | 'close'>

/** Runs a command's work on a database that has every migration. */
export async function withDatabase<T>(
  opening: Promise<Opened>,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const connection = await opening
  try {
    await requireMigrated(connection)
    return await work(connection.db)
  } finally {
    await connection.close()
  }
}
