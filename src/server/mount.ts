import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { v7 as uuid } from 'uuid'
import { isOff } from '#site/features.ts'
import { authenticate } from './auth/authenticate.ts'
import type { Deps } from './deps.ts'
import { apiHeaders } from './http/answer.ts'
import { isUriTooLong } from './http/input.ts'
import { type ErrorPage, type Platform, pipeline } from './http/pipeline.ts'
import type { Route } from './http/route.ts'

/** A fixed segment goes before a parameter, and a parameter before the rest: `/export.csv` is no id. */
const sortKey = (path: string): string => path.replaceAll(':', '~').replaceAll('*', '~~')

/**
 * These calls as one `Request => Response`.
 * With each request the platform passes the client's IP and a way to continue after the answer.
 */
export const mount = (routes: readonly Route[], errorPage: ErrorPage, deps: Deps) => {
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
    const { search } = new URL(c.req.url)
    const headers = { ...apiHeaders(uuid()), Location: path.slice(0, end) + search }
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
