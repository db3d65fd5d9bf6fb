import type { Route } from '#server/http/route.ts'
import { entryRoutes } from './entry-routes.ts'
import { imageRoutes, publicImageRoutes } from './image-routes.ts'
import { previewRoutes, publicPreviewRoutes } from './preview-routes.ts'
import { releaseRoutes } from './release-routes.ts'

export const contentRoutes: Route[] = [
  ...entryRoutes,
  ...previewRoutes,
  ...imageRoutes,
  ...releaseRoutes,
]

/** Pages and images for those without an account. */
export const publicContent: Route[] = [...publicImageRoutes, ...publicPreviewRoutes]
