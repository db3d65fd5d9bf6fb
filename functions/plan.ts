import { randomUUID } from 'node:crypto'
import type { Config } from '@netlify/functions'
import { serverPages } from '#netlify/packed.ts'
import { apiHeaders } from '#server/http/answer.ts'
import { isUriTooLong } from '#server/http/input.ts'
import { planPage } from '#server/plan/plan-page.ts'

/**
 * The consultation page and its form with the plan of the URL. `_redirects` rewrites to it; without a
 * built page the visitor gets the page as it stands.
 */
export default async (request: Request): Promise<Response> => {
  if (isUriTooLong(request.url))
    return new Response(null, { status: 414, headers: apiHeaders(randomUUID()) })
  const response = await planPage(request, serverPages)
  if (response) return response
  const isForm = new URL(request.url).pathname.endsWith('/consultation-form')
  const location = isForm ? '/consultation-form' : '/consultation'
  return new Response(null, { status: 303, headers: { Location: location } })
}

export const config: Config = {
  path: '/plan/*',
  // As in `api.ts`: Netlify reads this without running it, so that it cannot be imported.
  rateLimit: { windowLimit: 300, windowSize: 60, aggregateBy: ['ip', 'domain'] },
}
