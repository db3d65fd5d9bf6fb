import type { Config, Context } from '@netlify/functions'
import { deployedDeps } from '#host/deployed.ts'
import { prepareUsers } from '#host/prepare-users.ts'
import { createApp } from '#server/app.ts'
import { foldAddress } from '#server/http/address.ts'

const deps = await deployedDeps()
const app = createApp(deps)
let prepared: Promise<void> | undefined

export default async (request: Request, context: Context): Promise<Response> => {
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
