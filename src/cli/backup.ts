import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { askForBackup, dumpOf } from '#host/control.ts'
import {
  embeddedDirectory,
  existingDatabase,
  fileArgument,
  readEnvironment,
  run,
} from '#host/environment.ts'
import { openEmbedded } from '#server/db/embedded/embedded.ts'

await run(async () => {
  const file = fileArgument('backup')
  const directory = existingDatabase(embeddedDirectory(readEnvironment()))
  const running = await askForBackup(dirname(directory))
  if (running) await write(running, file)
  else {
    const connection = await openEmbedded(directory)
    try {
      const dump = await dumpOf(connection.client)
      await write(Readable.from(dump.stream()), file)
    } finally {
      await connection.close()
    }
  }
  console.log(`The database is in ${file}.`)
})

/** Whole or not at all: what stands under the name is never half a backup. */
async function write(dump: Readable, file: string): Promise<void> {
  const unfinished = `${file}.part`
  try {
    await pipeline(dump, createWriteStream(unfinished, { mode: 0o600 }))
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}
