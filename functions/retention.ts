import type { Config } from '@netlify/functions'
import { deployedDeps } from '#netlify/deployed.ts'
import { nameOf } from '#server/deps.ts'
import { runRetention } from '#server/privacy/retention.ts'

/** A scheduled function may take 30 seconds; the last statement needs some of them. */
const BUDGET_MS = 20_000

const deps = await deployedDeps()

/** Erases what the privacy rules say is not kept any longer, and sees to it that no mail is forgotten. */
export default async (): Promise<void> => {
  const end = Date.now() + BUDGET_MS
  const isOver = () => Date.now() > end
  await deps.outbox.sweep()
  await runRetention(deps, isOver)
  await deps.visits.foldNightly(new Date(), isOver).catch((error: unknown) => {
    deps.log({ level: 'warn', event: 'visits_not_stored', name: nameOf(error) })
  })
}

export const config: Config = { schedule: '17 3 * * *' }
