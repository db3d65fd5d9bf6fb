import type { Config } from '@netlify/functions'
import { resetDemo } from '#netlify/demo.ts'
import { deployedDeps } from '#netlify/deployed.ts'

/** Only where the deploy says of itself that it is a demonstration. */
export default async (): Promise<void> => {
  if (process.env.DEMO !== '1') return
  const { db } = await deployedDeps()
  await resetDemo(db)
}

export const config: Config = { schedule: '43 3 * * *' }
