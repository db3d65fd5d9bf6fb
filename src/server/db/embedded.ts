import { existsSync, renameSync, rmSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import type { EmbeddedConnection } from '#server/db/database.ts'
import { lock } from '#server/db/lock.ts'
import { migrateEmbedded } from '#server/db/migrate.ts'

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

/**
 * Puts the database of a dump in the place of the one that is there, which is kept beside it.
 * The dump is opened and migrated first: one that does not work replaces nothing.
 *
 * @returns where the replaced database lies; undefined when there was none.
 */
export async function replaceEmbedded(directory: string, dump: Blob): Promise<string | undefined> {
  const { release } = lock(directory)
  const incoming = `${directory}.restore`
  try {
    rmSync(incoming, { recursive: true, force: true })
    await build(incoming, dump)
    if (!existsSync(directory)) {
      renameSync(incoming, directory)
      return undefined
    }
    const replaced = `${directory}.replaced-${new Date().toISOString().replace(/[:.]/g, '-')}`
    renameSync(directory, replaced)
    renameSync(incoming, directory)
    return replaced
  } finally {
    rmSync(incoming, { recursive: true, force: true })
    release()
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
async function build(directory: string, dump?: Blob): Promise<void> {
  const unfinished = `${directory}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const client = await openPglite({ dataDir: unfinished, ...(dump ? { loadDataDir: dump } : {}) })
  try {
    await migrateEmbedded(drizzle(client))
  } finally {
    await client.close()
  }
  renameSync(unfinished, directory)
}
