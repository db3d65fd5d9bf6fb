import * as fs from 'node:fs'
import { join } from 'node:path'

const OTHERS = 0o077

/** Makes the folder that everything local lies in, closed to other users, or says why it cannot be used. */
export function makeDataDir(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    fs.accessSync(folder, fs.constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      `DATA_DIR cannot be written (${code}): ${folder}. Let this user write there, or set another DATA_DIR.`,
      { cause: error },
    )
  }
  // The folder may be a link to another volume; links inside it are not followed.
  closeToOthers(fs.realpathSync(folder))
}

/**
 * Takes all permissions of other users from a folder and everything in it. Links are not followed.
 * Where the file system has no permissions, or they belong to another user, a warning says so.
 */
function closeToOthers(path: string): void {
  try {
    const stats = fs.lstatSync(path)
    if (stats.isSymbolicLink()) return
    if (stats.mode & OTHERS) fs.chmodSync(path, stats.mode & 0o7777 & ~OTHERS)
    if (!stats.isDirectory()) return
    for (const name of fs.readdirSync(path)) closeToOthers(join(path, name))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Another process of this user has removed it meanwhile.
    if (code === 'ENOENT') return
    process.emitWarning(`${path} cannot be closed to other users of this machine (${code}).`)
  }
}
