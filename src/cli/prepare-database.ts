import { createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { run } from '#host/environment.ts'
import { pack } from '#server/db/embedded/archive.ts'
import { makeDatabase, preparedFile, preparedFolder } from '#server/db/embedded/new-database.ts'

/** Beside a build: the database that first starts unpack. Netlify has no use for one. */
await run(async () => {
  const file = preparedFile()
  if (process.env.NETLIFY || existsSync(file)) return
  mkdirSync(preparedFolder, { recursive: true })
  for (const name of readdirSync(preparedFolder)) {
    if (/^(database-|new-database)/.test(name)) {
      rmSync(join(preparedFolder, name), { recursive: true })
    }
  }
  const folder = join(preparedFolder, `new-database-${process.pid}`)
  await makeDatabase(folder)
  // Most of it is zeros: the quickest level takes a third of the time and leaves 6.5 MB, not 5.7.
  const packed = createGzip({ level: 1 })
  // Whole or not at all, as every file that a start relies on.
  await pipeline(pack(folder), packed, createWriteStream(`${folder}.part`))
  renameSync(`${folder}.part`, file)
  rmSync(folder, { recursive: true })
})
