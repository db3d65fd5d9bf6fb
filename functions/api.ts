import type { Config, Context } from '@netlify/functions'
import { deployedDeps } from '#host/deployed.ts'
import { log } from '#host/log.ts'
import { prepareUsers } from '#host/prepare-users.ts'
import { createApp } from '#server/app.ts'
import { foldAddress } from '#server/http/address.ts'
import { unavailable } from '#server/http/answer.ts'

/** A preview without a database of its own shows its pages; only what needs records is out of reach. */
const deps = await deployedDeps().catch((error: Error) => {
  log({ level: 'error', event: 'not_configured', reason: error.message })
})
const app = deps && createApp(deps)
let prepared: Promise<void> | undefined

export default async (request: Request, context: Context): Promise<Response> => {
  if (!app) return unavailable(context.requestId)
  // A database out of reach is the call's to report; the next call tries again.
  prepared ??= prepareUsers(deps).catch(() => {
    prepared = undefined
  })
  await prepared
  return app.fetch(request, {
    address: foldAddress(context.ip) ?? 'unknown',
    afterResponse: (work) => context.waitUntil(work),
  })
}

export const config: Config = {
  path: ['/api', '/api/*'],
  // A coarse outer fence; the limits that count are in the database. Netlify heeds `aggregateBy`
  // only as a list: a single word counts all visitors together.
  rateLimit: { windowLimit: 300, windowSize: 60, aggregateBy: ['ip', 'domain'] },
}
