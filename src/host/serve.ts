import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startBackground } from '#host/background.ts'
import { openControl } from '#host/control.ts'
import { inheritedSocket, readEnvironment, run } from '#host/environment.ts'
import { startHost, within } from '#host/host.ts'
import { gatheredLog } from '#host/log.ts'
import { prepareUsers, sayUnanswered } from '#host/prepare-users.ts'
import { startRenderer } from '#host/render-process.ts'
import { loadSite, pagesOf } from '#host/site.ts'
import { machineWarnings } from '#host/warnings.ts'
import { readConfig } from '#server/config.ts'
import { followLive, readPulled } from '#server/content/live.ts'
import { publishDay } from '#server/content/publish.ts'
import { failCutOff } from '#server/content/store/releases.ts'
import { makeDataDir } from '#server/data-dir.ts'
import { connect } from '#server/db/connect.ts'
import { isEmbedded } from '#server/db/database.ts'
import { requireMigrated } from '#server/db/migrate.ts'
import { followAnswerDays } from '#server/kinds/store/answer-days.ts'
import { serverPagesIn } from '#server/pages/built-pages.ts'
import { startRule } from '#server/password/rules.ts'
import { setStep } from '#server/setup/store.ts'
import { visitsInMemory } from '#server/visits/counts.ts'

const log = gatheredLog()

/** The delay after which another process's release is seen here. */
const FOLLOW_MS = 10_000

/** The longest delay after midnight (UTC) until a position opens or closes on its page. */
const DAY_CHECK_MS = 600_000

/** Open resources, in the order of their opening. */
const open: { close(): Promise<unknown> }[] = []

const closeAll = async (): Promise<void> => {
  for (const one of open.splice(0).reverse()) await one.close()
}

const serve = async (): Promise<void> => {
  const environment = readEnvironment()
  const config = readConfig(environment, await startRule(environment))
  // With a database elsewhere there may be no such folder, and local files in it all the same.
  if (existsSync(config.dataDir)) makeDataDir(config.dataDir)
  const site = loadSite(join(import.meta.dirname, '../../dist'))
  const connection = await connect(config)
  open.push(connection)
  if (isEmbedded(connection)) {
    if (connection.hasFinishedRestore) log({ level: 'warn', event: 'restore_finished' })
    const { client, directory, db } = connection
    open.push(
      await openControl(config.dataDir, client, directory, {
        onBackup: () => setStep(db, 'backup', 'done'),
        release: () => readPulled(db),
      }),
    )
  }
  await requireMigrated(connection)
  const { db } = connection
  const renderer = startRenderer(config.siteUrl, config.publish)
  if (renderer) open.push({ close: async () => renderer.stop() })
  const serverPages = serverPagesIn(join(import.meta.dirname, '../..'))
  const contentChanged = followLive({ db, log }, renderer, (files) => {
    site.show(files)
    serverPages.show(files)
  })
  if (isEmbedded(connection)) await failCutOff(db)
  await contentChanged()
  const publicPage = pagesOf(site, config.siteUrl)
  const visits = visitsInMemory({ db, publicPage })
  const background = startBackground({ config, db, log, visits })
  let isReady = false
  // A message whose provider takes long is left to its lease: the next start sends it again.
  open.push({ close: () => within(5_000, background.stop()) })
  const host = await startHost(
    {
      ...{ config, db, log, deliver: background.deliver, publicPage, visits },
      isReady: () => isReady,
      page: serverPages.page,
      warnings: machineWarnings(config),
      renderer,
      readPicture: renderer?.readPicture,
      contentChanged,
    },
    site,
    inheritedSocket(environment),
  )
  open.push(host)
  // Waits until this start is sure to succeed: a generated password is told only once.
  await prepareUsers({ config, db, log })
  // Before the first release the openings are those of the files.
  await followAnswerDays(db)
  isReady = true
  console.log(`ready ${host.url}`)

  const stop = () => {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    void run(async () => {
      await closeAll()
      process.exit(0)
    })
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  // Another process may have published.
  const following = setInterval(() => {
    void contentChanged().catch(() => undefined)
  }, FOLLOW_MS)
  const publishDue = async () => {
    const isPublished = renderer && (await publishDay({ db, log }, renderer, renderer.builtAt))
    if (isPublished) await contentChanged()
  }
  const daily = setInterval(() => {
    void publishDue().catch(() => undefined)
  }, DAY_CHECK_MS)
  open.push({
    async close() {
      clearInterval(following)
      clearInterval(daily)
    },
  })
  // The first call that needs the database tells that it is away.
  await sayUnanswered({ db, log }).catch(() => undefined)
}

await run(async () => {
  try {
    await serve()
  } catch (error) {
    // Open resources would keep the process, and its hold on the database, alive.
    await closeAll()
    throw error
  }
})
