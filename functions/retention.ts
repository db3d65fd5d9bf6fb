import type { Config } from '@netlify/functions'
import { deployedDeps } from '#netlify/deployed.ts'
import { runRetention } from '#server/privacy/retention.ts'

const deps = await deployedDeps()

/** Erases what the privacy rules say is not kept any longer, and sees to it that no mail is forgotten. */
export default async (): Promise<void> => {
  await deps.outbox.sweep()
  await runRetention(deps)
}

export const config: Config = { schedule: '17 3 * * *' }
