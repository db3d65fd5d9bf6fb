import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { readArguments } from '#cli/arguments.ts'
import { differences } from '#cli/content-files.ts'
import { withDatabase } from '#cli/with-database.ts'
import { readEnvironment, run } from '#host/environment.ts'
import { log } from '#host/log.ts'
import { startRenderer } from '#host/render-process.ts'
import { readConfig } from '#server/config.ts'
import { picturesIn } from '#server/content/documents.ts'
import { publishDocuments } from '#server/content/publish.ts'
import { addImage, readImages } from '#server/content/store/images.ts'
import { readLiveSite } from '#server/content/store/releases.ts'
import { connect } from '#server/db/connect.ts'
import type { Database } from '#server/db/drizzle.ts'
import { isLoopback } from '#server/http/ip.ts'
import { startRule } from '#server/password/rules.ts'
import { pictureOfFiles } from '#site/content-folder.ts'
import { checkFiles, seed } from '#site/seed.ts'

/** Pictures that lie beside the files and are not in the database. */
const storePictures = async (db: Database): Promise<void> => {
  const shown = picturesIn(seed)
  const stored = await readImages(db, shown)
  for (const hash of shown.filter((one) => !stored[one])) {
    const body = await pictureOfFiles(hash)
    if (!body || createHash('sha256').update(body).digest('hex') !== hash)
      throw new Error(`src/content/media/${hash}.webp is missing, or another picture.`)
    const { width = 1, height = 1 } = await sharp(body).metadata()
    const alt = 'From the files'
    await addImage(db, { hash, alt, width, height, body: body.toString('base64') }, null)
  }
}

await run(async () => {
  readArguments('npm run content:push')
  checkFiles()
  const environment = readEnvironment()
  const config = readConfig(environment, await startRule(environment))
  const { database } = config
  const databaseHost = database.kind === 'embedded' ? '' : new URL(database.url).hostname
  if (databaseHost && !isLoopback(databaseHost) && !environment.SITE_URL)
    throw new Error('SITE_URL is not set: set it to the address of the site, which its pages name.')
  const renderer = startRenderer(config.siteUrl, config.publish)
  if (!renderer) throw new Error('There is nothing to draw the pages with. Run: npm run build')
  await withDatabase(connect(config), async (db) => {
    const live = await readLiveSite(db, '')
    if (live && differences(seed, live.documents).length === 0) {
      console.log(`Release ${live.n}: the files say what is live.`)
      return
    }
    await storePictures(db)
    const release = await publishDocuments({ db, log }, renderer, seed, {
      note: 'From the files',
      via: 'command',
    })
    if (!release) throw new Error('Somebody publishes at this moment. Try again when it is live.')
    if (release.state !== 'live')
      throw new Error(
        [
          `Release ${release.n} has failed; the site is unchanged.`,
          ...release.problems.map(({ collection, id, path, message }) =>
            [[collection, id, ...path].filter((key) => key !== null).join('.'), message].join(': '),
          ),
        ].join('\n'),
      )
    console.log(
      `Release ${release.n}: the files are live, on ${release.pages.length} changed pages.`,
    )
    if (config.database.kind !== 'embedded')
      console.log(
        'Pages on Netlify show it once somebody opens Site in the admin, or with a deploy.',
      )
  }).finally(() => renderer.stop())
})
