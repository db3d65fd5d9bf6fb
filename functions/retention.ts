import type { Config } from '@netlify/functions'
import { deployedDeps } from '#host/deployed.ts'
import { runRetention } from '#server/privacy/retention.ts'

const deps = await deployedDeps()

/** Erases what the privacy rules say is not kept any longer. */
export default async (): Promise<void> => {
  await runRetention(deps)
}

export const config: Config = { schedule: '17 3 * * *' }
