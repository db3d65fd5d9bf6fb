import type { Config, Context } from '@netlify/functions'
import { deployedDeps, platformOf } from '#netlify/deployed.ts'
import { purgePages } from '#netlify/purge.ts'
import { contentRenderer } from '#netlify/renderer.ts'
import { followLive } from '#server/content/live.ts'
import { previewErrorPage } from '#server/content/preview-routes.ts'
import { contentRoutes, publicContent } from '#server/content/routes.ts'
import { withTimeLimit } from '#server/db/time-limit.ts'
import { mount } from '#server/mount.ts'

/** Drawing a preview takes its time, the first one most. */
const CALL_MS = 20_000

const deps = await deployedDeps()
const renderer = contentRenderer(deps.config)
let isPurged = true
const follow = followLive(deps, renderer, () => {
  isPurged = false
})
const purge = async (): Promise<void> => {
  if (isPurged) return
  isPurged = true
  await purgePages(deps.log)
}
const app = mount([...contentRoutes, ...publicContent], previewErrorPage, {
  ...deps,
  renderer,
  async contentChanged() {
    // The pages are live whether or not this process sees them.
    await follow().catch(() => undefined)
    isPurged = false
    await purge()
  },
})

/** The desk: what staff do with the site's content, for which the renderer is packed. */
export default (request: Request, context: Context): Promise<Response> =>
  withTimeLimit(CALL_MS, async () => {
    await Promise.all([follow().catch(() => undefined), deps.scheduleDelivery()])
    // A command may have published: it cannot reach the CDN.
    context.waitUntil(purge())
    return app.fetch(request, platformOf(context))
  })

export const config: Config = {
  path: ['/api/content', '/api/content/*', '/preview/*'],
  // Read and drawn by `images.ts`, which has a decoder.
  excludedPath: '/api/content/images',
  rateLimit: { windowLimit: 300, windowSize: 60, aggregateBy: ['ip', 'domain'] },
}
