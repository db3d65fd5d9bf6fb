import type { Config, Context } from '@netlify/functions'
import { deployedDeps, platformOf } from '#netlify/deployed.ts'
import { imageOfRelease } from '#netlify/images.ts'
import { imageRoutes } from '#server/content/image-routes.ts'
import { previewErrorPage } from '#server/content/preview-routes.ts'
import { withTimeLimit } from '#server/db/time-limit.ts'
import { mount } from '#server/mount.ts'
import { readPicture } from '#site/publish/picture.ts'

const CALL_MS = 20_000

/** Images are shown without a database too. */
const deps = await deployedDeps().catch(() => undefined)
const app = deps && mount(imageRoutes, previewErrorPage, { ...deps, readPicture })

/** Reads the pictures that staff add, and draws images of shared links and icons: the code for images is packed here alone. */
export default (request: Request, context: Context): Promise<Response> => {
  if (!app || new URL(request.url).pathname !== '/api/content/images')
    return imageOfRelease(request)
  return withTimeLimit(CALL_MS, async () => {
    await deps.scheduleDelivery()
    return app.fetch(request, platformOf(context))
  })
}

export const config: Config = {
  path: [
    '/api/content/images',
    '/og/*',
    '/icon-32.png',
    '/icon-180.png',
    '/icon-512.png',
    '/icon-maskable.png',
  ],
  rateLimit: { windowLimit: 300, windowSize: 60, aggregateBy: ['ip', 'domain'] },
}
