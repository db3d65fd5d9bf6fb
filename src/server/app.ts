import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { v7 as uuid } from 'uuid'
import { isOff } from '#site/features.ts'
import { agentRoutes } from './agents/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { authenticate } from './auth/authenticate.ts'
import { factorRoutes } from './auth/factors/factor-routes.ts'
import { linkRoutes } from './auth/links/link-routes.ts'
import { authRoutes } from './auth/routes.ts'
import { tokenRoutes } from './auth/token-routes.ts'
import { contentRoutes, previewErrorPage, publicContent } from './content/routes.ts'
import type { Deps } from './deps.ts'
import { healthRoutes } from './health/routes.ts'
import { apiHeaders } from './http/answer.ts'
import { isUriTooLong } from './http/input.ts'
import { type ErrorPage, type Platform, pipeline } from './http/pipeline.ts'
import type { Route } from './http/route.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { formErrorPage } from './intake/error-page.ts'
import { intakeRoutes } from './intake/routes.ts'
import { inboundRoutes } from './mail-in/routes.ts'
import { mailRoutes } from './mail-out/routes.ts'
import { offerPages, offersErrorPage } from './offers/pages.ts'
import { offerRoutes } from './offers/routes.ts'
import { openApiRoutes } from './openapi/routes.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { pushRoutes } from './push/routes.ts'
import { viewRoutes } from './saved-views/routes.ts'
import { meRoutes } from './settings/routes.ts'
import { setupRoutes } from './setup/routes.ts'
import { statsRoutes } from './stats/routes.ts'
import { senderErrorPage, senderPages } from './status-page/pages.ts'
import { senderRoutes } from './status-page/routes.ts'
import { templateRoutes } from './templates/routes.ts'
import { timePages, timesErrorPage } from './times/pages.ts'
import { calendarPages, timeRoutes } from './times/routes.ts'
import { senderTimeRoutes } from './times/sender-routes.ts'
import { userRoutes } from './users/routes.ts'
import { visitRoutes } from './visits/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

const own: readonly Route[] = [
  ...healthRoutes,
  ...intakeRoutes,
  ...senderRoutes,
  ...senderTimeRoutes,
  ...inboundRoutes,
  ...inboxRoutes,
  ...timeRoutes,
  ...offerRoutes,
  ...templateRoutes,
  ...contentRoutes,
  ...viewRoutes,
  ...statsRoutes,
  ...visitRoutes,
  ...mailRoutes,
  ...privacyRoutes,
  ...authRoutes,
  ...factorRoutes,
  ...linkRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...webhookRoutes,
  ...meRoutes,
  ...setupRoutes,
  ...pushRoutes,
  ...auditRoutes,
]

const described: readonly Route[] = [...own, ...agentRoutes(own)]

/** Every call that the API answers, and the pages that depend on a record. A path that is not here is a 404. */
export const routes: readonly Route[] = [
  ...described,
  ...openApiRoutes(described),
  ...senderPages,
  ...publicContent,
  ...timePages,
  ...offerPages,
  ...calendarPages,
]

const errorPage: ErrorPage = async (error, call, deps) => {
  if (call.path.startsWith('/preview/')) return previewErrorPage(error)
  const [, part] = /^(?:\/api)?\/status\/:token\/(times|offers)/.exec(call.path) ?? []
  const shown =
    part === 'times'
      ? await timesErrorPage(error, call, deps)
      : part === 'offers' && (await offersErrorPage(error, call, deps))
  if (shown) return shown
  return (/^(\/api)?\/status/.test(call.path) ? senderErrorPage : formErrorPage)(error, call, deps)
}

/** A fixed segment goes before a parameter, and a parameter before the rest: `/export.csv` is no id. */
const sortKey = (path: string): string => path.replaceAll(':', '~').replaceAll('*', '~~')

/**
 * The API as one `Request => Response`: the host, the deployed function and the tests all mount this.
 * With each request the platform passes the client's IP and a way to continue after the answer.
 */
export const createApp = (deps: Deps) => {
  const app = new Hono<{ Bindings: Platform; Variables: { requestId: string } }>({
    // No route takes the empty path.
    getPath: (request) => (isUriTooLong(request.url) ? '' : getPath(request)),
  })
  const options = { authenticate, errorPage, deps }
  const paths = Map.groupBy(routes, ({ endpoint }) => endpoint.path)
  const sorted = [...paths].sort(([a], [b]) => (sortKey(a) < sortKey(b) ? -1 : 1))
  // A page has one address, without a slash at its end.
  app.get('/status/*', (c, next) => {
    const { path } = c.req
    if (!path.endsWith('/')) return next()
    let end = path.length
    while (path[end - 1] === '/') end -= 1
    const headers = { ...apiHeaders(uuid()), Location: path.slice(0, end) }
    return Promise.resolve(new Response(null, { status: 301, headers }))
  })
  const unknown = pipeline([], options)
  for (const [path, its] of sorted) {
    const served = pipeline(its, options)
    app.all(path, (c) => (isOff(c.req.path) ? unknown : served)(c))
  }
  // No path of its own, or each call would have two handlers to go through.
  app.notFound(unknown)
  return app
}
