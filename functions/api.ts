import type { Config, Context } from '@netlify/functions'
import { log } from '#host/log.ts'
import { prepareUsers } from '#host/prepare-users.ts'
import { deployedDeps, platformOf } from '#netlify/deployed.ts'
import { createApp } from '#server/app.ts'
import { withTimeLimit } from '#server/db/time-limit.ts'
import { unavailable } from '#server/http/answer.ts'
import { followAnswerDays } from '#server/kinds/store/answer-days.ts'

/** The time that a call waits for the database, the preparation included. */
const CALL_MS = 4_500

/** A preview without a database of its own shows its pages; only what needs records is out of reach. */
const deps = await deployedDeps().catch((error: Error) => {
  log({ level: 'error', event: 'not_configured', reason: error.message })
})
const app = deps && createApp(deps)
let prepared: Promise<void> | undefined

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

/** True if a call may queue mail or write an entry of the audit log; a screen that polls does neither. */
const mayLeaveWork = (request: Request): boolean => {
  if (!isRead(request)) return !request.url.endsWith('/search')
  return request.headers.has('Authorization') && request.headers.get('X-Background') !== '1'
}

export default (request: Request, context: Context): Promise<Response> =>
  withTimeLimit(CALL_MS, async () => {
    if (!app) return unavailable(context.requestId)
    const { pathname } = new URL(request.url)
    // A visit wakes no database.
    if (pathname !== '/api/visits') {
      // Due days follow the openings of the live release.
      if (!isRead(request))
        prepared ??= deps
          .followContent()
          .then(() => followAnswerDays(deps.db))
          .then(() => prepareUsers(deps))
          .catch(() => {
            prepared = undefined
          })
      await Promise.all([
        // Reading needs nobody to be there. A database out of reach is the call's to report, from what
        // is left of its time; the next call prepares again.
        isRead(request) || prepared,
        // The scheduled run sends the call's mail even if this process ends right after the commit, and
        // seals its entries of the audit log.
        mayLeaveWork(request) && deps.scheduleDelivery(),
      ])
      if (pathname !== '/api/health') await deps.followContent()
    }
    const response = await app.fetch(request, platformOf(context))
    if (pathname.startsWith('/media/') && response.ok)
      response.headers.set(
        'Netlify-CDN-Cache-Control',
        'public, durable, max-age=31536000, immutable',
      )
    return response
  })

export const config: Config = {
  path: ['/api', '/api/*', '/status', '/status/*', '/calendar/*', '/media/*'],
  // Answered by `content.ts`, which has the renderer.
  excludedPath: ['/api/content', '/api/content/*'],
  // A coarse outer fence; the limits that count are in the database. Netlify heeds `aggregateBy`
  // only as a list: a single word counts all visitors together.
  rateLimit: { windowLimit: 300, windowSize: 60, aggregateBy: ['ip', 'domain'] },
}
