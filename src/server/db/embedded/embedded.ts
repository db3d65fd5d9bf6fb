import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { drizzle } from 'drizzle-orm/pglite'
import type { EmbeddedConnection } from '#server/db/database.ts'
import type { Database } from '#server/db/drizzle.ts'
import { discardCopy, NoRoom, unpack } from '#server/db/embedded/archive.ts'
import { openPglite } from '#server/db/embedded/engine.ts'
import { lock } from '#server/db/embedded/lock.ts'
import { makeDatabase, unpackPrepared } from '#server/db/embedded/new-database.ts'
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
 * @throws Error when another process has it open.
 * @throws {RestoreBrokenOff} when a restore left no database in its place.
 */
export async function openEmbedded(directory: string): Promise<EmbeddedConnection> {
  const { release } = lock(directory)
  try {
    const hasFinishedRestore = finishRestore(directory)
    discardIncoming(directory)
    discardCopy(directory)
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
      directory,
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

export class InvalidDump extends Error {
  constructor(why: string, options?: ErrorOptions) {
    super(`${why} The database was left as it is.`, options)
    this.name = 'InvalidDump'
  }
}

/** The data that the database of a dump gets from the one that it replaces. */
interface Legacy<T> {
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
export async function replaceEmbedded<T>(directory: string, dump: Readable, legacy: Legacy<T>) {
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
async function inherit<T>(directory: string, { read }: Legacy<T>) {
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

/**
 * A first start that is broken off leaves a directory that Postgres cannot open, so a new
 * database stands under a temporary name until it is whole.
 */
async function build(directory: string): Promise<void> {
  const unfinished = `${directory}.new`
  rmSync(unfinished, { recursive: true, force: true })
  if (!(await unpackPrepared(unfinished))) await makeDatabase(unfinished)
  renameSync(unfinished, directory)
}

const NO_WHOLE_BACKUP = 'This is no whole backup of this version’s database.'

/** A database out of a dump, as this version of the program needs it. */
async function rebuild(
  directory: string,
  dump: Readable,
  complete: (db: Database) => Promise<void>,
): Promise<void> {
  await unpack(dump, directory).catch((cause: unknown) => {
    // The source of the dump has its own sentence, and so has a full disk.
    if (cause instanceof InvalidDump || (cause instanceof Error && 'syscall' in cause)) throw cause
    if (cause instanceof NoRoom) throw new InvalidDump(cause.message, { cause })
    throw new InvalidDump(NO_WHOLE_BACKUP, { cause })
  })
  // In a folder without a database the engine would make a new one.
  if (!existsSync(join(directory, 'PG_VERSION'))) throw new InvalidDump(NO_WHOLE_BACKUP)
  const client = await openPglite({ dataDir: directory }).catch((cause: unknown) => {
    throw new InvalidDump(NO_WHOLE_BACKUP, { cause })
  })
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
