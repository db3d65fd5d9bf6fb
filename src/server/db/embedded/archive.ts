import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { PGlite } from '@electric-sql/pglite'

/** The copy that a backup reads while the database goes on. */
const copyName = (directory: string): string => `${directory}.copy`

export function discardCopy(directory: string): void {
  rmSync(copyName(directory), { recursive: true, force: true })
}

export interface Archive {
  stream: Readable
  /** The size of the files; the archive adds padding. */
  bytes: number
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Archives the open database in `directory`. The files are copied while nothing is written, then read
 * from the copy, so that an archive of any size takes little memory and holds up nobody. One at a
 * time: the next waits until the archive before it was read, or its stream destroyed.
 */
export async function archiveOf(client: PGlite, directory: string): Promise<Archive> {
  const before = last
  const { promise, resolve } = Promise.withResolvers<void>()
  last = promise
  await before
  const copy = copyName(directory)
  const discard = async () => {
    await rm(copy, { recursive: true, force: true })
    resolve()
  }
  try {
    discardCopy(directory)
    await client.exec('checkpoint')
    // Synchronous, because the engine is: no statement can run meanwhile.
    cpSync(directory, copy, { recursive: true })
    const bytes = await sizeOf(copy)
    const stream = pack(copy)
    stream.once('close', () => void discard())
    return { stream, bytes }
  } catch (error) {
    await discard()
    // Node calls it an input/output error.
    const { bavail, bsize } = await statfs(dirname(directory))
    throw bavail * bsize < (await sizeOf(directory)) ? new NoRoom(copy) : error
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const tarFailed = (code: number | null): Error => new Error(`tar ended with ${code}.`)

export class NoRoom extends Error {
  constructor(directory: string) {
    super(`There is no room on the disk for ${directory}.`)
    this.name = 'NoRoom'
  }
}

/**
 * The exit of a process. A machine may have no `tar`, or no room for a process: an `error` that
 * nobody listens for, or that is not handled before it is awaited, would end the whole program.
 */
function exitOf(child: ChildProcess): Promise<[code: number | null]> {
  const exit = once(child, 'exit') as Promise<[number | null]>
  exit.catch(() => undefined)
  return exit
}

export function pack(folder: string): Readable {
  const child = spawn('tar', ['-c', '-f', '-', '-C', folder, '.'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exit = exitOf(child)
  async function* read() {
    yield* child.stdout
    const [code] = await exit
    if (code !== 0) throw tarFailed(code)
  }
  // A stream that is destroyed before it was read has run nothing of `read`.
  return Readable.from(read()).once('close', () => child.kill())
}

/** Unpacks an archive into `directory`, for this user alone. */
export async function unpack(archive: Readable, directory: string): Promise<void> {
  mkdirSync(directory, { mode: 0o700 })
  const child = spawn('tar', ['-x', '-o', '-f', '-', '-C', directory], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
  })
  const exit = exitOf(child)
  const said = text(child.stderr).catch(() => '')
  // At an archive's end, or at what is no archive, tar ends before it has read all: its code says which.
  await pipeline(archive, child.stdin).catch((error: NodeJS.ErrnoException) => {
    child.stdin.destroy()
    if (!/^(EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/.test(error.code ?? '')) throw error
  })
  const [code] = await exit
  if (code === 0) return
  throw /No space left|quota exceeded/i.test(await said) ? new NoRoom(directory) : tarFailed(code)
}
