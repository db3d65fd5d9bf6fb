import { cpSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readArguments } from '#cli/arguments.ts'
import { writeContent, writePictures } from '#cli/content-files.ts'
import { withDatabase } from '#cli/with-database.ts'
import { askForRelease } from '#host/control.ts'
import { readEnvironment, requireDatabase, run } from '#host/environment.ts'
import { type DatabaseConfig, readDatabaseConfig } from '#server/config.ts'
import { type PulledRelease, readPulled } from '#server/content/live.ts'
import { connect } from '#server/db/connect.ts'
import { contentFolder } from '#site/content-folder.ts'
import { seed } from '#site/seed.ts'

const nameOf = (database: DatabaseConfig): string => {
  if (database.kind === 'embedded') return `the database in ${database.directory}`
  const { hostname, pathname } = new URL(database.url)
  return `the database ${pathname.slice(1)} on ${hostname}`
}

/** The live release, from the database or from the host that owns it. */
const readLive = async (database: DatabaseConfig): Promise<PulledRelease | null | undefined> => {
  const running =
    database.kind === 'embedded' ? await askForRelease(dirname(database.directory)) : undefined
  return running === undefined ? withDatabase(connect({ database }), readPulled) : running
}

// With a folder, all files are written there: a container's own cannot be.
await run(async () => {
  const { positionals } = readArguments('npm run content:pull -- [FOLDER]', { words: [0, 1] })
  const [wanted] = positionals
  const environment = readEnvironment()
  requireDatabase(environment)
  const folder = wanted ? resolve(wanted) : contentFolder
  if (wanted) cpSync(contentFolder, folder, { recursive: true })
  const database = readDatabaseConfig(environment)
  console.log(`Reads ${nameOf(database)}.`)
  const live = await readLive(database)
  if (!live) {
    console.log('Release 0: nothing has been published, so the files say what the site says.')
    return
  }
  const documents = { ...seed, ...live.documents }
  const written = [
    ...writeContent(folder, documents),
    ...writePictures(folder, documents, live.pictures),
  ]
  const what =
    written.length > 0 ? `written to ${written.join(', ')}` : 'what the files say already'
  console.log(`Release ${live.n}: ${what}.`)
})
