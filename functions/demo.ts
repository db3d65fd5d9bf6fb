import type { Config } from '@netlify/functions'
import { resetDemo } from '#netlify/demo.ts'
import { deployedDeps } from '#netlify/deployed.ts'
import { purgePages } from '#netlify/purge.ts'

/** Only where the deploy says that it is a demonstration, and the database says so too. */
export default async (): Promise<void> => {
  if (process.env.DEMO !== '1') return
  const { db, log } = await deployedDeps()
  // Pages that visitors have published are gone too.
  if (await resetDemo(db)) await purgePages(log)
  else log({ level: 'error', event: 'demo_refused', reason: 'npm run demo-setup comes first' })
}

export const config: Config = { schedule: '43 3 * * *' }
