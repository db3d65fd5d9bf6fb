import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * The names under which a restore moves databases, beside `db`: `db.restore` is being made,
 * `db.restored` is whole and waits for its place, `db.replaced-…` had the place before. Nothing here
 * loads the database's engine.
 */

export const KEPT_DAYS = 7

export const unfinishedName = (directory: string): string => `${directory}.restore`
const wholeName = (directory: string): string => `${directory}.restored`

const REPLACED = /^db\.replaced-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/

/** The time in the name of a replaced database's copy; undefined for any other name. */
const replacedAt = (name: string): number | undefined => {
  const [, hour, minute, second, millisecond] = REPLACED.exec(name) ?? []
  return hour ? Date.parse(`${hour}:${minute}:${second}.${millisecond}Z`) : undefined
}

/**
 * Puts the finished `db.restore` in the place of `directory`.
 *
 * @returns where the replaced database is kept; undefined when there was none
 */
export function takePlace(directory: string): string | undefined {
  const whole = wholeName(directory)
  // `finishRestore` can do the rest now.
  renameSync(unfinishedName(directory), whole)
  let replaced: string | undefined
  if (existsSync(directory)) {
    replaced = `${directory}.replaced-${new Date().toISOString().replace(/[:.]/g, '-')}`
    renameSync(directory, replaced)
  }
  renameSync(whole, directory)
  return replaced
}

/** Removes what a restore left that ended before it replaced anything. */
export function discardIncoming(directory: string): void {
  for (const path of [unfinishedName(directory), wholeName(directory)])
    rmSync(path, { recursive: true, force: true })
}

/** A restore was broken off, and which database is meant cannot be told. */
export class RestoreBrokenOff extends Error {
  constructor(directory: string, found: readonly string[]) {
    super(
      `${directory} is missing, but beside it there is ${found.join(' and ')}: a restore was broken off. ` +
        'Run the restore again, or rename the database to keep to db. To start with an empty ' +
        'database, move all of them away.',
    )
    this.name = 'RestoreBrokenOff'
  }
}

/**
 * Takes up a restore that was broken off while the database's place was empty, so that no start takes
 * it for a first one.
 *
 * @returns whether there was one to finish
 * @throws {RestoreBrokenOff}
 */
export function finishRestore(directory: string): boolean {
  if (existsSync(directory)) return false
  if (existsSync(wholeName(directory))) {
    renameSync(wholeName(directory), directory)
    return true
  }
  const name = basename(directory)
  const found = readdirSync(dirname(directory))
    .filter((other) => other === `${name}.restore` || other.startsWith(`${name}.replaced-`))
    .toSorted()
  if (found.length > 0) throw new RestoreBrokenOff(directory, found)
  return false
}

/** True if there is a database, or a whole one that waits for its place. */
export const hasDatabase = (directory: string): boolean =>
  existsSync(directory) || existsSync(wholeName(directory))

/**
 * The database that a restore replaces: the one in its place, after an earlier restore was finished,
 * else the one that was moved away last.
 */
export function databaseToReplace(directory: string): string | undefined {
  try {
    finishRestore(directory)
  } catch (error) {
    if (!(error instanceof RestoreBrokenOff)) throw error
  }
  if (existsSync(directory)) return directory
  const folder = dirname(directory)
  // The names hold the time, so their order is that of time.
  const last = readdirSync(folder)
    .filter((name) => replacedAt(name) !== undefined)
    .toSorted()
    .at(-1)
  return last && join(folder, last)
}

/** Deletes replaced databases when they are seven days old; how many. */
export async function removeReplaced(dataDir: string): Promise<number> {
  const oldest = Date.now() - KEPT_DAYS * 86_400_000
  const names = await readdir(dataDir).catch(() => [])
  const old = names.filter((name) => (replacedAt(name) ?? Number.POSITIVE_INFINITY) <= oldest)
  for (const name of old) await rm(join(dataDir, name), { recursive: true, force: true })
  return old.length
}
