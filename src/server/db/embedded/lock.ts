import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeDataDir } from '#server/data-dir.ts'

const SQLITE_BUSY = 5

/**
 * Makes this process the only owner of `directory` until `release`.
 *
 * Node offers no file lock of its own; an exclusive SQLite transaction holds one of the kernel's.
 * It ends with the process however that dies, so there is no stale lock to judge and a reused
 * process id deceives nobody. The id is kept in a file of its own, to be named to the next comer.
 */
export function lock(directory: string): { release(): void } {
  makeDataDir(dirname(directory))
  const ownerFile = `${directory}.owner`
  const lockFile = `${directory}.lock`
  // SQLite would make it readable by everybody.
  closeSync(openSync(lockFile, 'a', 0o600))
  const file = new DatabaseSync(lockFile)
  try {
    file.exec('begin exclusive')
  } catch (error) {
    file.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY)
      throw new Error(
        `The database in ${directory} belongs to process ${readOwner(ownerFile)}, which is running. ` +
          'Only one process may open it: stop that one first, or set another DATA_DIR.',
      )
    // For example, the disk is full.
    throw new Error(`${lockFile} cannot be locked: ${(error as Error).message}.`, { cause: error })
  }
  writeFileSync(ownerFile, `${process.pid}\n`, { mode: 0o600 })
  return {
    release() {
      rmSync(ownerFile, { force: true })
      file.close()
    },
  }
}

function readOwner(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return '(unknown)'
  }
}
