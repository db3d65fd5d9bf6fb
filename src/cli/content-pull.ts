import { dirname, join } from 'node:path'
import { writeContent } from '#cli/content-files.ts'
import { askForRelease } from '#host/control.ts'
import { readEnvironment, run } from '#host/environment.ts'
import { readDatabaseConfig } from '#server/config.ts'
import { type LiveSite, readLiveSite } from '#server/content/store/releases.ts'
import { connect } from '#server/db/connect.ts'
import { seed } from '#site/seed.ts'

/** The live release, from the database or from the host that owns it. */
const readLive = async (): Promise<LiveSite | null | undefined> => {
  const database = readDatabaseConfig(readEnvironment())
  const running =
    database.kind === 'embedded' ? await askForRelease(dirname(database.directory)) : undefined
  if (running !== undefined) return running
  const connection = await connect({ database })
  return readLiveSite(connection.db, '').finally(() => connection.close())
}

await run(async () => {
  const live = await readLive()
  if (!live) {
    console.log('Release 0: nothing has been published, so the files say what the site says.')
    return
  }
  const folder = join(import.meta.dirname, '../content')
  const written = writeContent(folder, { ...seed, ...live.documents })
  const what =
    written.length > 0 ? `written to ${written.join(', ')}` : 'what the files say already'
  console.log(`Release ${live.n}: ${what}.`)
})
