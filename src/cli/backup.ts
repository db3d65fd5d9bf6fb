import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { readArguments } from '#cli/arguments.ts'
import { counting, megabytes, withCount } from '#cli/progress.ts'
import { askForBackup } from '#host/control.ts'
import { embeddedDirectory, existingDatabase, readEnvironment, run } from '#host/environment.ts'
import { type Archive, archiveOf } from '#server/db/embedded/archive.ts'
import { openEmbedded } from '#server/db/embedded/embedded.ts'
import { setStep } from '#server/setup/store.ts'

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

await run(async () => {
  const { positionals } = readArguments('npm run backup -- FILE', { words: 1 })
  const [file = ''] = positionals
  const directory = existingDatabase(embeddedDirectory(readEnvironment()))
  const running = await askForBackup(dirname(directory))
  if (running) await write(running, file)
  else {
    const connection = await openEmbedded(directory)
    try {
      await write(await archiveOf(connection.client, directory), file)
      // One of an older version may lack the table.
      await setStep(connection.db, 'backup', 'done').catch(() => undefined)
    } finally {
      await connection.close()
    }
  }
  console.log(`The database is in ${file}.`)
})

/** Whole or not at all: what stands under the name is never half a backup. */
async function write({ stream, bytes }: Archive, file: string): Promise<void> {
  const unfinished = `${file}.part`
  const discard = () => rmSync(unfinished, { force: true })
  // A process that a signal ends runs no `catch`.
  const end = (signal: NodeJS.Signals) => {
    discard()
    process.kill(process.pid, signal)
  }
  for (const signal of ENDING) process.once(signal, end)
  try {
    await withCount({ what: 'backup', total: bytes, show: megabytes }, (advance) =>
      pipeline(
        stream,
        counting(advance),
        createGzip(),
        createWriteStream(unfinished, { mode: 0o600 }),
      ),
    )
    renameSync(unfinished, file)
  } catch (error) {
    discard()
    throw error
  } finally {
    for (const signal of ENDING) process.off(signal, end)
  }
}
