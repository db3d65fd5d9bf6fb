import { randomUUID } from 'node:crypto'
import type { Config } from '@netlify/functions'
import { followRelease } from '#netlify/following.ts'
import { serverPages } from '#netlify/packed.ts'
import { apiHeaders, refusal } from '#server/http/answer.ts'
import { HttpError } from '#server/http/http-error.ts'
import { isUriTooLong } from '#server/http/input.ts'
import { SERVER_PAGES } from '#server/pages/built-pages.ts'
import { planPage } from '#server/plan/plan-page.ts'
import { isOff } from '#site/features.ts'

const follow = await followRelease(serverPages.show, (file) => file === SERVER_PAGES)

/**
 * The consultation page and its form with the plan of the URL. `_redirects` rewrites to it; without a
 * page to fill in the visitor gets the page as it stands.
 */
export default async (request: Request): Promise<Response> => {
  const requestId = randomUUID()
  const headers = apiHeaders(requestId)
  if (isUriTooLong(request.url)) return refusal(new HttpError('uri_too_long'), requestId)
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response(null, { status: 405, headers: { ...headers, Allow: 'GET, HEAD' } })
  await follow()
  const response = isOff('/plan') ? undefined : await planPage(request, serverPages.page)
  if (response) return response
  const isForm = new URL(request.url).pathname.endsWith('/consultation-form')
  const location = isForm ? '/consultation-form' : '/consultation'
  return new Response(null, { status: 303, headers: { ...headers, Location: location } })
}

export const config: Config = {
  path: '/plan/*',
  // As in `api.ts`: Netlify reads this without running it, so that it cannot be imported.
  rateLimit: { windowLimit: 300, windowSize: 60, aggregateBy: ['ip', 'domain'] },
}
