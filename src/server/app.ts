import { agentRoutes } from './agents/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { factorRoutes } from './auth/factors/factor-routes.ts'
import { linkRoutes } from './auth/links/link-routes.ts'
import { authRoutes } from './auth/routes.ts'
import { tokenRoutes } from './auth/token-routes.ts'
import { previewErrorPage } from './content/preview-routes.ts'
import { contentRoutes, publicContent } from './content/routes.ts'
import type { Deps } from './deps.ts'
import { healthRoutes } from './health/routes.ts'
import type { ErrorPage } from './http/pipeline.ts'
import type { Route } from './http/route.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { formErrorPage } from './intake/error-page.ts'
import { intakeRoutes } from './intake/routes.ts'
import { inboundRoutes } from './mail-in/routes.ts'
import { mailRoutes } from './mail-out/routes.ts'
import { mount } from './mount.ts'
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

export const createApp = (deps: Deps) => mount(routes, errorPage, deps)
