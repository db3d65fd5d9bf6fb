import { planFields } from '#contract/plan.ts'
import { loadSite } from '#host/site.ts'
import { hasPlan, planPage } from '#server/plan/plan-page.ts'
import { followRelease } from './following.ts'
import { PAGES_TAG, packed, serverPages } from './packed.ts'

export const site = loadSite(`${packed}dist`)

/** The parameters of addresses by which an answer differs. */
const varying = ['service', 'position', ...planFields]

/** The files of the live release that are not the build's own. */
export const released = new Map<string, Buffer | null>()

const follow = await followRelease((files) => {
  released.clear()
  for (const [file, body] of files) released.set(file, body)
  serverPages.show(files)
  site.show(files)
})

/**
 * A file of the live release, kept by the CDN until a publish purges it.
 *
 * @param prepare adds a file that is made when it is asked for; false where it cannot be made now
 */
export const fileOfRelease = async (
  request: Request,
  prepare: (path: string) => Promise<boolean> = async () => true,
): Promise<Response> => {
  const isFollowed = await follow()
  const url = new URL(request.url)
  const isCurrent = (await prepare(url.pathname)) && isFollowed
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const planned = isRead && hasPlan(url) && (await planPage(request, serverPages.page))
  if (planned) return planned
  // The CDN compresses.
  const headers = new Headers(request.headers)
  headers.delete('Accept-Encoding')
  const response = site.respond(new Request(url, { method: request.method, headers }))
  response.headers.delete('Vary')
  if (isCurrent && response.status < 400 && isRead) {
    response.headers.set('Netlify-CDN-Cache-Control', 'public, durable, max-age=31536000')
    response.headers.set('Netlify-Cache-Tag', PAGES_TAG)
    if (response.status === 200) response.headers.set('Netlify-Vary', `query=${varying.join('|')}`)
  }
  return response
}
