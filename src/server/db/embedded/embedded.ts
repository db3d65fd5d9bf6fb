import { existsSync, renameSync, rmSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import type { Database, EmbeddedConnection } from '#server/db/database.ts'
import { ClosedFiles } from '#server/db/embedded/closed-files.ts'
import { lock } from '#server/db/embedded/lock.ts'
import { PreparedPglite } from '#server/db/embedded/prepared-pglite.ts'
import {
  databaseToReplace,
  discardIncoming,
  finishRestore,
  takePlace,
  unfinishedName,
} from '#server/db/embedded/replaced.ts'
import { migrateEmbedded } from '#server/db/migrate.ts'
import { isForeign, isLater } from '#server/db/migrated.ts'

/**
 * Opens the embedded database in `directory`, made and migrated as needed, as its only owner.
 *
 * @throws {DatabaseOwned} when another process has it open.
 * @throws {RestoreBrokenOff} when a restore left no database in its place.
 */
export async function openEmbedded(directory: string): Promise<EmbeddedConnection> {
  const { release } = lock(directory)
  try {
    const hasFinishedRestore = finishRestore(directory)
    discardIncoming(directory)
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
      hasFinishedRestore,
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

/** What the database of a dump gets from the one that it replaces. */
interface Legacy<T> {
  /** Read from the database that is replaced. */
  read(db: Database): Promise<T>
  /** Written to the one that takes its place, before it does; undefined where there is none to read. */
  write(db: Database, legacy: T | undefined): Promise<void>
}

/**
 * Puts the database of a dump in the place of the one that is there, which is kept beside it.
 * The dump is opened, migrated and completed first: one that does not work replaces nothing.
 *
 * @returns where the replaced database lies, undefined when there was none; and why nothing could be
 * read from it, where it is damaged.
 * @throws {InvalidDump}
 */
export async function replaceEmbedded<T>(
  directory: string,
  dump: Blob,
  legacy: Legacy<T>,
): Promise<{ replaced: string | undefined; unreadable: unknown }> {
  const { release } = lock(directory)
  try {
    const { value, unreadable } = await inherit(directory, legacy)
    discardIncoming(directory)
    await rebuild(unfinishedName(directory), dump, (db) => legacy.write(db, value))
    return { replaced: takePlace(directory), unreadable }
  } finally {
    rmSync(unfinishedName(directory), { recursive: true, force: true })
    release()
  }
}

/** A database that is restored because it is damaged must not keep its replacement away. */
async function inherit<T>(
  directory: string,
  { read }: Legacy<T>,
): Promise<{ value?: T; unreadable?: unknown }> {
  const source = databaseToReplace(directory)
  if (source === undefined) return {}
  try {
    const client = await openPglite({ dataDir: source })
    try {
      return { value: await read(drizzle(client)) }
    } finally {
      await client.close()
    }
  } catch (unreadable) {
    return { unreadable }
  }
}

/** PGlite as the product needs it: with trigrams for search, in UTC. */
export async function openPglite(options: {
  dataDir?: string
  loadDataDir?: Blob
}): Promise<PGlite> {
  const { dataDir, ...others } = options
  const files = dataDir === undefined ? {} : { fs: new ClosedFiles(dataDir) }
  const client = new PreparedPglite({ ...others, ...files, extensions: { pg_trgm } })
  await client.waitReady
  return client
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
async function rebuild(
  directory: string,
  dump: Blob,
  complete: (db: Database) => Promise<void>,
): Promise<void> {
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
    await complete(db)
  } finally {
    await client.close()
  }
}

/** A database in memory from a backup's archive: for reading, while a host owns the one on disk. */
export async function openCopy(dump: Blob): Promise<Pick<EmbeddedConnection, 'db' | 'close'>> {
  const client = await openPglite({ loadDataDir: dump })
  return { db: drizzle(client), close: () => client.close() }
}
