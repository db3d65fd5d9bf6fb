import * as z from 'zod/mini'
import { type Endpoint, endpoint } from '#contract/http/endpoint.ts'
import { waitMessage } from '#contract/http/error-messages.ts'
import { answerDay } from '#contract/positions.ts'
import { shortReference } from '#contract/reference.ts'
import type { BuiltPage, Deps } from '#server/deps.ts'
import { HttpError } from '#server/http/http-error.ts'
import type { ErrorPage } from '#server/http/pipeline.ts'
import { type Route, route } from '#server/http/route.ts'
import { fieldText } from '#server/kinds/kind.ts'
import { type Changes, fill } from '#server/pages/fill.ts'
import { longMoment } from '#server/times.ts'
import { openings } from '#site/content.ts'
import { recordChanges } from './record-page.ts'
import { requireRecord } from './routes.ts'
import { type Problem, type Screen, screens, stepChanges } from './step-pages.ts'
import type { Found } from './store/find.ts'
import { chooseZone } from './zones.ts'

/** The pages under `/status`: the sender's own, its second screens, and a form for a new link. */

const page = <const Path extends string>(path: Path, summary: string) =>
  endpoint({
    method: 'GET',
    path,
    summary,
    access: 'public',
    query: z.object({
      zone: z.optional(z.unknown()),
      sent: z.optional(z.unknown()),
    }),
    output: z.string(),
    produces: 'text/html',
  })

const bare: BuiltPage = {
  html: '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Your page</title></head><body><h1>The site is not built</h1></body></html>',
  csp: "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
}

/** A built page with its changes. Where the site was not built, a page that says so. */
const respond = async (
  deps: Deps,
  name: string,
  changes: Changes = {},
  status = 200,
): Promise<Response> => {
  const built = await deps.page(`status/${name}`)
  return new Response(built ? fill(built.html, changes) : bare.html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': (built ?? bare).csp,
    },
  })
}

interface Asked {
  token: string
  /** The zone that the reader chose. */
  zone?: unknown
  /** Whether a code was sent just now. */
  sent?: unknown
}

const receivedPage = (deps: Deps, found: Found): Promise<Response> => {
  const timeZone = chooseZone(undefined, found.timeZone)
  return respond(deps, 'received', {
    '#reference': shortReference(found.id),
    '.by time': {
      text: longMoment(new Date(found.createdAt), timeZone),
      attributes: { datetime: found.createdAt },
    },
  })
}

const recordPage = async (
  deps: Deps,
  { token, zone }: Asked,
  problem?: Problem,
  status = 200,
): Promise<Response> => {
  const found = await requireRecord(deps, { token })
  if (found.box === 'spam') return receivedPage(deps, found)
  const timeZone = chooseZone(typeof zone === 'string' ? zone : undefined, found.timeZone)
  const refused = problem && {
    message: problem.message,
    field: problem.fields.text,
    typed: problem.typed.text ?? '',
  }
  const { position } = found.fields
  const answerBy = position ? answerDay(openings(), fieldText(position), found.createdAt) : null
  const look = { token, timeZone, now: new Date(), answerBy }
  const changes = recordChanges(found, look, { siteUrl: deps.config.siteUrl, refused })
  return respond(deps, `record-${found.kind.path}`, changes, status)
}

const stepPage = async (
  deps: Deps,
  screen: Screen,
  { token, sent }: Asked,
  problem?: Problem,
  status = 200,
): Promise<Response> => {
  const found = await requireRecord(deps, { token })
  if (found.box === 'spam') return receivedPage(deps, found)
  const name = screen === 'correct' ? `correct-${found.kind.path}` : screen
  const timeZone = chooseZone(undefined, found.timeZone)
  const isCodeSent = sent !== undefined
  return respond(
    deps,
    name,
    stepChanges(screen, { found, token, timeZone, problem, isCodeSent }),
    status,
  )
}

const linkPage = (
  deps: Deps,
  status: number,
  { problem, typed }: { problem?: Problem; typed?: string | undefined } = {},
): Promise<Response> => {
  const error = problem && (problem.fields.email ?? problem.message)
  return respond(
    deps,
    'link',
    {
      ...(status === 404
        ? {}
        : { h1: 'Get your link', '.intro': 'We mail you the links of what you sent us.' }),
      ...(typed ? { '#typed': { value: typed } } : { '.typed': null }),
      '#email': {
        value: problem?.typed.email ?? '',
        attributes: { 'aria-invalid': error ? 'true' : null },
      },
      ...(error ? { '#email-error span': error } : { '#email-error': null }),
    },
    status,
  )
}

export const senderPages: Route[] = [
  route(page('/status', 'A form for a new link'), (_call, deps) => linkPage(deps, 200)),
  route(page('/status/sent', 'After a new link was asked for'), (_call, deps) =>
    respond(deps, 'sent'),
  ),
  route(page('/status/erased', 'After an erasure'), (_call, deps) => respond(deps, 'erased')),
  route(page('/status/:token', 'The sender’s page of a submission'), ({ params, query }, deps) =>
    recordPage(deps, { ...params, ...query }),
  ),
  ...screens.map((screen) =>
    route(page(`/status/:token/${screen}`, `Second screen: ${screen}`), ({ params, query }, deps) =>
      stepPage(deps, screen, { ...params, ...query }),
    ),
  ),
  route(page('/status/*', 'Anything else: 404, with a form for a new link'), async () => {
    throw new HttpError('not_found')
  }),
]

const texts = (body: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )

const problemOf = ({ message, details }: HttpError, body: unknown): Problem => {
  const { fields = {}, retryAfter } = details
  return {
    message: retryAfter ? `${message} You can try again ${waitMessage(retryAfter)}.` : message,
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, messages]) => [name, messages.join(' ')]),
    ),
    typed: texts(body),
  }
}

/** The screen that a form was sent from. */
const screenOf = (path: Endpoint['path'], body: unknown): Screen | undefined => {
  const call = path.split('/').at(-1)
  if (call === 'code') return texts(body).for === 'erase' ? 'erase' : 'export'
  return screens.find((screen) => screen === call)
}

/** Answers a refused form, and a page that cannot be shown. */
export const senderErrorPage: ErrorPage = async (error, { path, params, body }, deps) => {
  if (error.status >= 500) return respond(deps, 'trouble', {}, error.status)
  // A reply is no use to anybody but the person who wrote it: they can copy it.
  const typed = texts(body).text
  if (error.code === 'not_found') return linkPage(deps, 404, { typed })
  const problem = problemOf(error, body)
  const { token } = params
  if (token === undefined) return linkPage(deps, error.status, { problem })
  const screen = screenOf(path, body)
  try {
    return screen
      ? await stepPage(deps, screen, { token }, problem, error.status)
      : await recordPage(deps, { token }, problem, error.status)
  } catch (shown) {
    if (!(shown instanceof HttpError && shown.code === 'not_found')) throw shown
    // What is checked before a record is looked for is refused as such, whatever the token.
    return error.code === 'invalid'
      ? linkPage(deps, 404, { typed })
      : linkPage(deps, error.status, { problem, typed })
  }
}
