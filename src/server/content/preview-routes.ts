import { hash } from 'node:crypto'
import { contentProblems } from '#contract/content/collections.ts'
import * as contract from '#contract/content/desk.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError } from '#server/http/http-error.ts'
import { type Route, route } from '#server/http/route.ts'
import { hashTokenSecret, newTokenSecret } from '#server/secrets/token-secret.ts'
import { isOff } from '#site/features.ts'
import { openDesk, requireRenderer } from './desk.ts'
import { problemsOf, type StoredDraft, withDrafts } from './documents.ts'
import type { PreviewPage } from './site.ts'
import { addPreview, findPreview } from './store/previews.ts'

const previewResponse = ({ status, html, csp }: PreviewPage): Response =>
  new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': csp,
      'X-Frame-Options': 'SAMEORIGIN',
    },
  })

const previewErrorStyle =
  ':root{color-scheme:light dark;background:light-dark(#f9f5ed,#0d131d);color:light-dark(#131c2e,#efebe2);font:1rem/1.5 system-ui,sans-serif}body{max-width:28rem;margin:20vh auto;padding:0 1.5rem}h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.2}p{margin:0}'
const previewErrorPolicy = `default-src 'none'; style-src 'sha256-${hash('sha256', previewErrorStyle, 'base64')}'; frame-ancestors 'self'`

/** Says in the desk's frame, and to somebody without an account, why there is no preview. */
export const previewErrorPage = async ({ status, message }: HttpError): Promise<Response> => {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Preview</title><style>${previewErrorStyle}</style></head><body><h1>No preview</h1><p>${message}</p></body></html>`
  return previewResponse({ status, html, csp: previewErrorPolicy })
}

const preview = async (deps: Deps, address: string, { scripts = true } = {}): Promise<Response> => {
  // The site shows the same page with a slash at the end, and, but for the forms, with any query.
  const path = address.replace(/[?#].*/s, '').replace(/(?<=.)\/+$/, '')
  const [search] = /\?[^#]*/.exec(address) ?? []
  const renderer = requireRenderer(deps)
  const { published, drafted, drafts } = await openDesk(deps)
  const noPage = new HttpError('not_found', 'The site has no page at this address.')
  // A draft of the brand may lack its switches.
  if (isOff(path, { ...published.brand.features, ...drafted.brand.features })) throw noPage
  let page = await renderer.preview(drafted, path, search)
  const isDrawn = page.status < 500
  // A draft that lacks what a page needs does not keep the others from being seen.
  if (!isDrawn) {
    const problems = contentProblems(drafted)
    const isSound = ({ collection, entry }: StoredDraft) =>
      problemsOf(problems, collection, entry).length === 0
    const isOfPath = ({ entry }: StoredDraft) => path.endsWith(`/${entry}`)
    for (const isKept of [(one: StoredDraft) => isSound(one) || isOfPath(one), isSound])
      if (page.status >= 500)
        page = await renderer.preview(withDrafts(published, drafts.filter(isKept)), path, search)
  }
  if (page.status === 404 && isDrawn) throw noPage
  if (page.status >= 400)
    throw new HttpError(
      'invalid',
      'This page cannot be drawn yet: fill in the fields that it needs, and correct their problems.',
    )
  const html = scripts ? page.html : page.html.replace(/<script\b.*?<\/script>/gs, '')
  return previewResponse({ ...page, html })
}

export const previewRoutes: Route[] = [
  route(contract.previewPage, async ({ query }, deps) => preview(deps, query.path)),

  route(contract.addPreviewLink, async ({ body: { path }, actor }, deps) => {
    requireRenderer(deps)
    const { secret, hash } = newTokenSecret()
    const expiresAt = await addPreview(deps.db, { hash, path }, actor)
    return { data: { url: `${deps.config.siteUrl}/preview/${secret}`, expiresAt } }
  }),
]

export const publicPreviewRoutes: Route[] = [
  route(contract.openPreviewLink, async ({ params, query }, deps) => {
    const path = await findPreview(deps.db, hashTokenSecret(params.token))
    if (!path) throw new HttpError('not_found', 'This preview has ended. Ask for a new link.')
    return preview(deps, path, { scripts: query.frame === undefined })
  }),
]
