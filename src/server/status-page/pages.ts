import * as z from 'zod/mini'
import { uuidPattern } from '#contract/fields.ts'
import type { Endpoint } from '#contract/http/endpoint.ts'
import { answerDay } from '#contract/positions.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError } from '#server/http/http-error.ts'
import { texts } from '#server/http/input.ts'
import type { ErrorPage } from '#server/http/pipeline.ts'
import { type Route, route } from '#server/http/route.ts'
import { fieldText } from '#server/kinds/kind.ts'
import { openings } from '#site/content.ts'
import { type Problem, page, pageOfRefused, problemOf, respond } from './parts.ts'
import { withLinks } from './record.ts'
import { receivedScreen, recordScreen } from './record-page.ts'
import { pageOf, requireRecord } from './routes.ts'
import * as steps from './step-pages.ts'
import { chooseZone } from './zones.ts'

/** The pages under `/status`: the sender's own, its second screens, and a form for a new link. */

const query = z.object({
  /** The zone that the reader chose. */
  zone: z.optional(z.unknown()),
  /** True if a code was sent just now. */
  sent: z.optional(z.unknown()),
  /** Before which entry older messages end. */
  before: z.optional(z.unknown()),
  /** True if an accepted offer stays after an erasure. */
  kept: z.optional(z.unknown()),
})

type Asked = z.output<typeof query> & { token: string }

const recordPage = async (
  deps: Deps,
  { token, zone, before }: Asked,
  problem?: Problem,
  status = 200,
): Promise<Response> => {
  const found = await requireRecord(deps, { token })
  const timeZone = chooseZone(zone, found.timeZone)
  if (found.box === 'spam')
    return respond(deps, 'record', receivedScreen(found, { token, timeZone }, problem), status)
  const { position } = found.fields
  const answerBy = position ? answerDay(openings(), fieldText(position), found.createdAt) : null
  const shownBefore = typeof before === 'string' && uuidPattern.test(before) ? before : undefined
  const look = { token, timeZone, now: new Date(), answerBy, before: shownBefore }
  const part = shownBefore ? await requireRecord(deps, { token }, { before: shownBefore }) : found
  const shown = withLinks(part, `${deps.config.siteUrl}${pageOf({ token })}`)
  return respond(deps, 'record', recordScreen(found, look, shown, problem), status)
}

const stepPage = async (
  deps: Deps,
  screen: steps.ScreenName,
  { token, sent }: Asked,
  problem?: Problem,
  status = 200,
): Promise<Response> => {
  const found = await requireRecord(deps, { token })
  if (found.box === 'spam') {
    if (problem) throw new HttpError('not_found')
    return recordPage(deps, { token })
  }
  const timeZone = chooseZone(undefined, found.timeZone)
  const step = { found, token, timeZone, problem, isCodeSent: sent !== undefined }
  return screen === 'correct'
    ? steps.correctPage(deps, step, status)
    : respond(deps, 'step', steps.stepScreens[screen](step), status)
}

const linkPage = (
  deps: Deps,
  status: number,
  refused: { problem?: Problem; typed?: string | undefined } = {},
): Promise<Response> =>
  respond(deps, 'step', steps.linkScreen({ isUnknown: status === 404, ...refused }), status)

export const senderPages: Route[] = [
  route(page('/status', 'A form for a new link'), (_call, deps) => linkPage(deps, 200)),
  route(page('/status/sent', 'After a new link was asked for'), (_call, deps) =>
    respond(deps, 'step', steps.linkSentScreen),
  ),
  route(page('/status/erased', 'After an erasure', query), ({ query }, deps) =>
    respond(deps, 'record', steps.erasedScreen({ keepsAccepted: query.kept !== undefined })),
  ),
  route(
    page('/status/:token', 'The sender’s page of a submission', query),
    ({ params, query }, deps) => recordPage(deps, { ...params, ...query }),
  ),
  ...steps.screens.map((screen) =>
    route(
      page(`/status/:token/${screen}`, `Second screen: ${screen}`, query),
      ({ params, query }, deps) => stepPage(deps, screen, { ...params, ...query }),
    ),
  ),
  route(page('/status/*', 'Anything else: 404, with a form for a new link'), async () => {
    throw new HttpError('not_found')
  }),
]

const screenOf = (path: Endpoint['path'], body: unknown): steps.ScreenName | undefined => {
  const call = path.split('/').at(-1)
  if (call === 'code') return texts(body).for === 'erase' ? 'erase' : 'export'
  return steps.screens.find((screen) => screen === call)
}

/** Answers a refused form, and a page that cannot be shown. */
export const senderErrorPage: ErrorPage = async (error, { path, params, body }, deps) => {
  if (error.status >= 500) return respond(deps, 'step', steps.troubleScreen, error.status)
  // A reply is no use to anybody but the person who wrote it: they can copy it.
  const typed = texts(body).text
  if (error.code === 'not_found') return linkPage(deps, 404, { typed })
  const problem = problemOf(error, body)
  const { token } = params
  if (token === undefined) return linkPage(deps, error.status, { problem })
  const screen = screenOf(path, body)
  const shown = await pageOfRefused(error, () =>
    screen
      ? stepPage(deps, screen, { token }, problem, error.status)
      : recordPage(deps, { token, zone: problem.typed.zone }, problem, error.status),
  )
  if (shown) return shown
  // Problems found before a record is looked for are the same for any token.
  return error.code === 'invalid'
    ? linkPage(deps, 404, { typed })
    : linkPage(deps, error.status, { problem, typed })
}
