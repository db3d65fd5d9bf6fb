import type { Config } from '@netlify/functions'
import { NoDemonstration, resetDemo } from '#netlify/demo.ts'
import { deployedDeps } from '#netlify/deployed.ts'
import { purgePages } from '#netlify/purge.ts'

/** Only where the deploy says that it is a demonstration, and the database says so too. */
export default async (): Promise<void> => {
  if (process.env.DEMO !== '1') return
  const { db, log } = await deployedDeps()
  try {
    await resetDemo(db)
    // Pages that visitors have published are gone too.
    await purgePages(log)
  } catch (error) {
    if (!(error instanceof NoDemonstration)) throw error
    log({ level: 'error', event: 'demo_refused', reason: error.message })
  }
}

export const config: Config = { schedule: '43 3 * * *' }
