import { log } from '#host/log.ts'
import { loadSite } from '#host/site.ts'
import { readConfig } from '#server/config.ts'
import { followLive } from '#server/content/live.ts'
import { connectRemote } from '#server/db/remote.ts'
import { withTimeLimit } from '#server/db/time-limit.ts'
import { hasPlan, planPage } from '#server/plan/plan-page.ts'
import { buildId } from '#site/publish/build-id.ts'
import { PAGES_TAG, packed, serverPages } from './packed.ts'

/** Visitors wait no longer for the database; the pages that are packed need none. */
const FOLLOW_MS = 2_000

export const site = loadSite(`${packed}dist`)

/** The files of the live release that are not the build's own. */
export const released = new Map<string, Buffer | null>()

const following = async (): Promise<() => Promise<boolean>> => {
  const { database } = readConfig(process.env)
  if (database.kind === 'embedded') return async () => true
  const { db } = await connectRemote(database)
  return followLive({ db, log }, { build: buildId(packed) ?? '' }, (files) => {
    released.clear()
    for (const [file, body] of files) released.set(file, body)
    site.show(files)
  })
}

const follow = await following().catch(() => async () => true)

/**
 * A file of the live release, kept by the CDN until a publish purges it.
 *
 * @param prepare adds a file that is made when it is asked for; false where it cannot be made now
 */
export const fileOfRelease = async (
  request: Request,
  prepare: (path: string) => Promise<boolean> = async () => true,
): Promise<Response> => {
  const isFollowed = await withTimeLimit(FOLLOW_MS, follow).catch(() => false)
  const url = new URL(request.url)
  const isCurrent = (await prepare(url.pathname)) && isFollowed
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const planned = isRead && hasPlan(url) && (await planPage(request, serverPages))
  if (planned) return planned
  // The CDN compresses.
  const headers = new Headers(request.headers)
  headers.delete('Accept-Encoding')
  const response = site.respond(new Request(url, { method: request.method, headers }))
  response.headers.delete('Vary')
  if (isCurrent && response.status < 400 && isRead) {
    response.headers.set('Netlify-CDN-Cache-Control', 'public, durable, max-age=31536000')
    response.headers.set('Netlify-Cache-Tag', PAGES_TAG)
    if (response.status === 200) response.headers.set('Netlify-Vary', 'query=service|position')
  }
  return response
}
