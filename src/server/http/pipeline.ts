import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { limits } from '#contract/limits.ts'
import { DatabaseUnavailable } from '#server/db/rows.ts'
import { KeyReused } from '#server/db/write.ts'
import type { Deps } from '#server/deps.ts'
import { apiHeaders, errorHeaders, jsonText, refusal } from './answer.ts'
import {
  type Authenticate,
  authorise,
  authoriseActor,
  authoriseBody,
  authorisePath,
  refuseCrossSite,
} from './authorise.ts'
import { seesContacts, withoutContacts } from './contacts.ts'
import { HttpError } from './http-error.ts'
import { type Body, isFormRequest, isUriTooLong, readBody, validate } from './input.ts'
import { checkKey, oncePerKey } from './repeat.ts'
import type { Actor, CallRequest, CheckedCall, Route } from './route.ts'

/** The error to answer with; logs what the caller is not told. */
const toHttpError = (error: unknown, requestId: string, { log }: Deps): HttpError => {
  if (error instanceof HttpError) return error
  if (error instanceof KeyReused)
    return new HttpError('conflict', 'This Idempotency-Key was used for another request.')
  if (error instanceof DatabaseUnavailable) {
    const { name, code } = (error.cause ?? {}) as { name?: unknown; code?: unknown }
    log({ level: 'warn', event: 'database_unavailable', requestId, name, code })
    return new HttpError('unavailable', { retryAfter: 5 })
  }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  const code = (error as { code?: unknown }).code
  // A driver's message may quote values, so its code and our line are logged in its place.
  const where = stack
    ?.split('\n')
    .find((line) => line.includes('/src/'))
    ?.trim()
  const reason = code === undefined ? { message } : { code }
  log({ level: 'error', event: 'internal_error', requestId, name, where, ...reason })
  return new HttpError('internal')
}

export interface Platform {
  /** The client's IP, folded (see `ip.ts`). */
  ip?: string
  /** Keeps the process running for work that continues after the answer. */
  afterResponse?: (work: Promise<unknown>) => void
  /** The server gives no more of a body than its Content-Length says. */
  isBounded?: boolean
}

type AppContext = Context<{ Bindings: Platform; Variables: { requestId: string } }>

/** Answers a refused form that was posted without JavaScript, and an error of a page, with a page. */
export type ErrorPage = (
  error: HttpError,
  call: { path: string; params: Record<string, string>; body: unknown },
  deps: Deps,
) => Promise<Response>

interface PipelineOptions {
  authenticate: Authenticate
  errorPage: ErrorPage
  deps: Deps
}

/** Facts of the call so far, for the error page and the log. */
type Seen = Partial<Body> & { actorId?: string }

/** The pipeline of one path: runs its calls, turns errors into answers, sets headers, logs. */
export const pipeline =
  (routes: readonly Route[], options: PipelineOptions) =>
  async (c: AppContext): Promise<Response> => {
    const started = performance.now()
    const requestId = randomUUID()
    c.set('requestId', requestId)
    const seen: Seen = {}
    const refuse = (error: unknown): Promise<Response> =>
      answerError(c, routes, toHttpError(error, requestId, options.deps), options, seen)
    // The second `catch` is for the error page, which may itself need the database and fail.
    const response = await run(c, routes, options, seen).catch(refuse).catch(refuse)
    options.deps.log({
      level: response.status >= 500 ? 'error' : 'info',
      event: 'request',
      requestId,
      method: c.req.method,
      // The token of a sender's page is a secret, and so is that there is one.
      route: routes[0]?.endpoint.path.replace(':token', '-') ?? 'unknown',
      status: response.status,
      ...(seen.actorId ? { by: seen.actorId } : {}),
      ms: Math.round(performance.now() - started),
    })
    return response
  }

/**
 * After a body that took longer, the session is checked again: a slow body would otherwise extend a session that
 * has ended.
 */
const SLOW_BODY_MS = 1_000

/** Runs one call in the contract's order of checks; each line names the errors that it throws. */
const run = async (
  c: AppContext,
  routes: readonly Route[],
  { authenticate, deps }: PipelineOptions,
  seen: Seen,
): Promise<Response> => {
  if (isUriTooLong(c.req.url)) throw new HttpError('uri_too_long')
  const route = await chooseRoute(routes, c.req.method, deps) // 404, 405
  const { endpoint, options } = route
  refuseCrossSite(c.req.raw, endpoint) // 403
  if (await isOff(route, deps)) throw new HttpError('not_found')
  await options.admit?.({ headers: c.req.raw.headers, ip: ipOf(c) }, deps) // 404, 401, 429
  const authorised = () => authorise(c.req.raw, endpoint, authenticate, deps, seen)
  let actor = await authorised() // 401, 403
  const params = c.req.param() as Record<string, string>
  authorisePath(actor, route, params) // 403
  const max = options.bodyBytes?.(deps) ?? limits.bodyBytes
  const bounds = { max, isBounded: c.env?.isBounded ?? false }
  const began = performance.now()
  if (endpoint.body) Object.assign(seen, await readBody(c.req.raw, endpoint, bounds)) // 413, 415, 400
  if (performance.now() - began > SLOW_BODY_MS) actor = await authorised() // 401, 403
  authoriseBody(actor, route, seen.body) // 403

  const request = callRequest(c, seen)
  const { method, path } = c.req
  const { idempotencyKey: key } = request
  const keyed = { key, actor, method, path, params, body: seen.body }
  const answer = await oncePerKey(deps, endpoint, keyed, (own) =>
    unknownIdFirst(route, { params, actor }, own, async () => {
      const input = checkedInput(endpoint, { query: c.req.query(), body: seen.body }) // 400
      checkKey(endpoint, key) // 400
      const result = await handled(route, { params, ...input, actor, request }, own)
      return result instanceof Response ? result : JSON.stringify({ success: true, ...result })
    }),
  )
  const headers = apiHeaders(c.get('requestId'))
  return answer instanceof Response
    ? withHeaders(answer, headers)
    : jsonText(endpoint.status ?? 200, answer, headers)
}

type Input = Pick<CheckedCall, 'query' | 'body'>

/** @throws HttpError `invalid` */
const checkedInput = (endpoint: Route['endpoint'], { query, body }: Input): Input => ({
  query: endpoint.query && validate(endpoint.query, query),
  body: endpoint.body && validate(endpoint.body, body),
})

/** The answer as the caller may read it. */
const handled = ({ handle }: Route, call: CheckedCall, deps: Deps): Promise<object> => {
  const work = handle(call, deps)
  return seesContacts(call.actor) ? work : withoutContacts(work)
}

/**
 * Makes a call in the place of another one, as its actor: with the same rights, scopes and checks of the input.
 *
 * @throws HttpError as the call itself
 */
export const callAs = async (route: Route, call: CheckedCall & { actor: Actor }, deps: Deps) => {
  const { endpoint } = route
  authoriseActor(call.actor, endpoint, deps.config)
  authorisePath(call.actor, route, call.params)
  authoriseBody(call.actor, route, call.body)
  return handled(route, { ...call, ...checkedInput(endpoint, call) }, deps)
}

const isOff = async ({ options }: Route, deps: Deps): Promise<boolean> =>
  options.isOn !== undefined && !(await options.isOn(deps))

/** @throws HttpError `not_found`, `method_not_allowed` */
const chooseRoute = async (routes: readonly Route[], requested: string, deps: Deps) => {
  const method = requested === 'HEAD' ? 'GET' : requested
  const route = routes.find(
    ({ endpoint }) => endpoint.method === method || endpoint.also === method,
  )
  if (route) return route
  const [first] = routes
  if (!first || (await isOff(first, deps))) throw new HttpError('not_found')
  const methods = routes.flatMap(({ endpoint }) => [endpoint.method, endpoint.also ?? []].flat())
  const allowed = new Set(methods.includes('GET') ? ['HEAD', ...methods] : methods)
  throw new HttpError('method_not_allowed', { allow: [...allowed].sort().join(', ') })
}

/** A form without a script cannot set headers: its page may carry the key as a field. */
const keyInForm = (body: unknown): string | null => {
  const { idempotencyKey } = (body ?? {}) as { idempotencyKey?: unknown }
  return typeof idempotencyKey === 'string' && idempotencyKey ? idempotencyKey : null
}

const ipOf = (c: AppContext): string => c.env?.ip ?? 'unknown'

const callRequest = (c: AppContext, { raw = '', body }: Seen): CallRequest => ({
  requestId: c.get('requestId'),
  ip: ipOf(c),
  userAgent: c.req.header('User-Agent') ?? null,
  idempotencyKey:
    c.req.header('Idempotency-Key') ?? (isFormRequest(c.req.raw) ? keyInForm(body) : null),
  headers: c.req.raw.headers,
  rawBody: raw,
  isForm: isFormRequest(c.req.raw),
  afterResponse: c.env?.afterResponse ?? (() => {}),
})

/** Answers an unknown id with 404 also where the fields are invalid. */
const unknownIdFirst = async <T>(
  { options }: Route,
  { params, actor }: { params: Record<string, string>; actor: Actor | null },
  deps: Deps,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const isInvalid = error instanceof HttpError && error.code === 'invalid'
    if (isInvalid && options.exists && !(await options.exists(params, deps, actor)))
      throw new HttpError('not_found')
    throw error
  }
}

/** The endpoint whose errors are pages; undefined where they are JSON. */
const pageEndpoint = (c: AppContext, routes: readonly Route[]): Route['endpoint'] | undefined => {
  const endpoints = routes.map(({ endpoint }) => endpoint)
  const form = endpoints.find(({ form, method }) => form && method === c.req.method)
  if (form && isFormRequest(c.req.raw)) return form
  return endpoints.find(
    ({ produces, path }) => produces === 'text/html' && !path.startsWith('/api/'),
  )
}

const answerError = async (
  c: AppContext,
  routes: readonly Route[],
  error: HttpError,
  { errorPage, deps }: PipelineOptions,
  { body = error.details.typed }: Seen,
): Promise<Response> => {
  const endpoint = pageEndpoint(c, routes)
  if (!endpoint) return refusal(error, c.get('requestId'))
  const params = c.req.param() as Record<string, string>
  const response = await errorPage(error, { path: endpoint.path, params, body }, deps)
  for (const [name, value] of Object.entries(errorHeaders(error))) response.headers.set(name, value)
  return withHeaders(response, apiHeaders(c.get('requestId')))
}

/** Headers that the answer has set by itself stay. */
const withHeaders = (response: Response, headers: Record<string, string>): Response => {
  for (const [name, value] of Object.entries(headers))
    if (!response.headers.has(name)) response.headers.set(name, value)
  return response
}
