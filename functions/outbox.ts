import type { Config } from '@netlify/functions'
import { deployedDeps } from '#host/deployed.ts'

const { deliver } = await deployedDeps()

/** Sends what is due: retries, and what the call that caused it could not send itself. */
export default async (): Promise<void> => {
  await deliver()
}

export const config: Config = { schedule: '* * * * *' }
