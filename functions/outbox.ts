import type { Config } from '@netlify/functions'
import { deployedDeps } from '#netlify/deployed.ts'

const { outbox, followContent } = await deployedDeps()

/** Sends what is due: retries, and what the call that caused it could not send itself. */
export default (): Promise<void> => outbox.run(followContent)

export const config: Config = { schedule: '* * * * *' }
