import { existsSync, renameSync, rmSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import { ClosedFiles } from '#server/db/closed-files.ts'
import type { EmbeddedConnection } from '#server/db/database.ts'
import { lock } from '#server/db/lock.ts'
import { migrateEmbedded } from '#server/db/migrate.ts'
import { isForeign, isLater } from '#server/db/migrated.ts'

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

/** What was given as a dump cannot take the database's place; says why. */
export class InvalidDump extends Error {
  constructor(why: string, options?: ErrorOptions) {
    super(`${why} The database was left as it is.`, options)
    this.name = 'InvalidDump'
  }
}

/**
 * Puts the database of a dump in the place of the one that is there, which is kept beside it.
 * The dump is opened and migrated first: one that does not work replaces nothing.
 *
 * @returns where the replaced database lies; undefined when there was none.
 * @throws {InvalidDump}
 */
export async function replaceEmbedded(directory: string, dump: Blob): Promise<string | undefined> {
  const { release } = lock(directory)
  const incoming = `${directory}.restore`
  try {
    rmSync(incoming, { recursive: true, force: true })
    await rebuild(incoming, dump)
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
  const { dataDir, ...others } = options
  const files = dataDir === undefined ? {} : { fs: new ClosedFiles(dataDir) }
  return PGlite.create({ ...others, ...files, extensions: { pg_trgm } })
}

/**
 * A first start that is broken off leaves a directory that Postgres cannot open, so a new
 * database stands under a temporary name until it is whole.
 */
async function build(directory: string): Promise<void> {
  const unfinished = `${directory}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const client = await openPglite({ dataDir: unfinished })
  try {
    await migrateEmbedded(drizzle(client))
  } finally {
    await client.close()
  }
  renameSync(unfinished, directory)
}

/** A database out of a dump, as this version of the program needs it. */
async function rebuild(directory: string, dump: Blob): Promise<void> {
  const client = await openPglite({ dataDir: directory, loadDataDir: dump }).catch(
    (cause: unknown) => {
      throw new InvalidDump('This is no whole backup of this version’s database.', { cause })
    },
  )
  const db = drizzle(client)
  try {
    if (await isForeign(db)) throw new InvalidDump('This is the backup of something else.')
    if (await isLater(db)) {
      throw new InvalidDump('This backup comes from a later version: update the program first.')
    }
    await migrateEmbedded(db)
  } finally {
    await client.close()
  }
}
