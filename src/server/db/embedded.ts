import { existsSync, renameSync, rmSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import type { Connection } from '#server/db/database.ts'
import { lock } from '#server/db/lock.ts'
import { migrateEmbedded } from '#server/db/migrate.ts'

export interface EmbeddedConnection extends Connection {
  /** The running database itself, for a backup. */
  client: PGlite
}

/**
 * Opens the embedded database in `directory`, made and migrated as needed, as its only owner.
 *
 * @throws {DatabaseOwned} when another process has it open.
 */
export async function openEmbedded(directory: string): Promise<EmbeddedConnection> {
  const { release } = lock(directory)
  try {
    if (!existsSync(directory)) await build(directory)
    const client = await openPglite({ dataDir: directory })
    const db = drizzle(client)
    await migrateEmbedded(db)
    let closed: Promise<void> | undefined
    const close = async () => {
      await client.close()
      release()
    }
    return {
      db,
      client,
      driver: 'pglite',
      close: () => {
        closed ??= close()
        return closed
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

/** PGlite as the product needs it: with trigrams for search, in UTC. */
export function openPglite(options: { dataDir?: string; loadDataDir?: Blob }): Promise<PGlite> {
  return PGlite.create({ ...options, extensions: { pg_trgm } })
}

/**
 * A first start that is broken off leaves a directory that Postgres cannot open, so a new
 * database stands under a temporary name until it is whole.
 */
async function build(directory: string): Promise<void> {
  const unfinished = `${directory}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const client = await openPglite({ dataDir: unfinished })
  await migrateEmbedded(drizzle(client))
  await client.close()
  renameSync(unfinished, directory)
}
