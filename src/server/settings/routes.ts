import { changeSettings, readSettings } from '#contract/accounts/settings.ts'
import { changeSiteSettings, readSiteSettings } from '#contract/site-settings.ts'
import { findSiteSettings } from '#server/db/site-settings.ts'
import { HttpError } from '#server/http/http-error.ts'
import { type Route, route } from '#server/http/route.ts'
import { findSettings, saveSettings, saveSiteSettings } from './store.ts'

export const meRoutes: Route[] = [
  route(readSettings, async ({ actor }, { db, config }) => ({
    data: {
      ...(await findSettings(db, actor.id)),
      vapidPublicKey: config.push?.publicKey ?? null,
    },
  })),
  route(changeSettings, async ({ body, actor, request }, deps) => {
    const data = await saveSettings(deps, actor.id, body)
    if (!data) throw new HttpError('unauthenticated')
    // Keeps the time of the next digest.
    if (body.digest === 'daily') request.afterResponse(deps.deliver())
    return { data }
  }),
  route(readSiteSettings, async (_call, { db }) => ({ data: await findSiteSettings(db) })),
  route(changeSiteSettings, async ({ body, actor }, { db }) => ({
    data: await saveSiteSettings(db, actor, body),
  })),
]
