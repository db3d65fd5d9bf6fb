import { join } from 'node:path'
import { differences } from '#cli/content-files.ts'
import { contentProblems } from '#contract/content/collections.ts'
import { readEnvironment, run } from '#host/environment.ts'
import { readBuildDatabaseConfig } from '#server/config.ts'
import { type LiveSite, readLiveSite, storeSite } from '#server/content/store/releases.ts'
import type { Database } from '#server/db/drizzle.ts'
import { isMigrated } from '#server/db/migrated.ts'
import { connectRemote } from '#server/db/remote.ts'
import { buildSite } from '#site/build/build-site.ts'
import { buildId } from '#site/publish/build-id.ts'
import { seed } from '#site/seed.ts'

const readLive = async (db: Database): Promise<LiveSite | undefined> =>
  (await isMigrated(db)) ? readLiveSite(db, '') : undefined

/** @throws Error for a release that does not fit the schemas of this version */
const buildLive = async (live: LiveSite): Promise<void> => {
  const documents = { ...seed, ...live.documents }
  const [problem] = contentProblems(documents)
  if (problem)
    throw new Error(
      `Release ${live.n} does not fit this version: ${[problem.collection, problem.id, ...problem.path].join('.')}: ${problem.message} Correct it by npm run content:pull and content:push.`,
    )
  const differing = differences(seed, documents)
  console.log(`The build draws release ${live.n} of the database.`)
  if (differing.length > 0)
    console.log(
      `The files differ from it: ${differing.join(', ')}. npm run content:pull brings it into the files, content:push publishes them.`,
    )
  await buildSite(documents, { moved: live.moved })
}

/** Builds the site of the live release, where a database is named that has one; else that of the files. */
await run(async () => {
  const database = readBuildDatabaseConfig(readEnvironment())
  if (database.kind === 'embedded') return buildSite()
  const { db, close } = await connectRemote(database)
  try {
    if (!(await isMigrated(db)))
      console.log(
        'The database lacks a migration, so the build draws the files. Run npm run db:migrate and build again.',
      )
    let live = await readLive(db)
    let built: LiveSite | undefined
    do {
      built = live
      await (built ? buildLive(built) : buildSite())
      // Somebody may have published meanwhile, and functions draw nothing.
      live = await readLive(db)
    } while (live && live.n !== built?.n)
    const build = buildId(join(import.meta.dirname, '../..'))
    // The functions serve this build as it is until something else is published.
    if (built && build) await storeSite(db, built.n, { build, files: {}, bodies: [] })
  } finally {
    await close()
  }
})
