import type { Context } from 'hono'
import { v7 as uuid } from 'uuid'
import { may } from '#contract/access.ts'
import { DatabaseUnavailable } from '#server/db/rows.ts'
import { KeyReused, underKey } from '#server/db/write.ts'
import type { Deps } from '#server/deps.ts'
import { apiHeaders, errorBody, errorHeaders, json, jsonText } from './answer.ts'
import { type Body, isFormRequest, readBody } from './body.ts'
import { HttpError } from './http-error.ts'
import {
  findKeyedCall,
  forgetFailedCall,
  invalidKey,
  isIdempotencyKey,
  keyReused,
  storeAnswerText,
} from './repeat.ts'
import type { Actor, CallRequest, Route } from './route.ts'
import { validate } from './validate.ts'

/** What the platform knows of one request. */
export interface Platform {
  /** The client's IP, folded (see `ip.ts`). */
  ip?: string
  /** Keeps the process awake for work that goes on after the answer. */
  afterResponse?: (work: Promise<unknown>) => void
}

export type AppContext = Context<{ Bindings: Platform; Variables: { requestId: string } }>

/** Finds the session that a bearer token names; `isUse` says whether the call keeps it alive. */
export type Authenticate = (
  token: string,
  deps: Deps,
  use: { isUse: boolean },
) => Promise<Actor | null>

/** Answers a form that was posted without JavaScript and not accepted: a page. */
export type FormErrorPage = (
  error: HttpError,
  form: { path: string; body: unknown; requestId: string },
  deps: Deps,
) => Promise<Response>

/** What was read of a request before it was refused. */
type Seen = Partial<Body> & { actorId?: string }

const bearer = (request: Request): string | null =>
  /^Bearer ([\w.-]{1,2048})$/i.exec(request.headers.get('Authorization') ?? '')?.[1] ?? null

const requestOf = (c: AppContext, rawBody: string): CallRequest => ({
  requestId: c.get('requestId'),
  ip: c.env?.ip ?? 'unknown',
  userAgent: c.req.header('User-Agent') ?? null,
  idempotencyKey: c.req.header('Idempotency-Key') ?? null,
  headers: c.req.raw.headers,
  rawBody,
  isForm: isFormRequest(c.req.raw),
  afterResponse: c.env?.afterResponse ?? (() => {}),
})

/** Nobody sits before a screen that only polls: such a call reads, and does not prolong the session. */
const isBackground = (request: Request, { method, path }: Route['endpoint']): boolean =>
  request.headers.get('X-Background') === '1' && (method === 'GET' || path.endsWith('/search'))

const carriesBody = ({ headers }: Request): boolean =>
  Number(headers.get('Content-Length')) > 0 || headers.has('Transfer-Encoding')

/** A page of another site may link to the API's answers, never make a visitor's browser change things. */
const refuseCrossSite = ({ raw }: AppContext['req'], { endpoint }: Route): void => {
  const isChange = endpoint.method !== 'GET' || carriesBody(raw)
  if (isChange && raw.headers.get('Sec-Fetch-Site') === 'cross-site')
    throw new HttpError('forbidden', {
      message: 'This was sent from another site. Open the page here and send it again.',
    })
}

const authorise = async (
  c: AppContext,
  { endpoint }: Route,
  authenticate: Authenticate,
  deps: Deps,
  seen: Seen,
): Promise<Actor | null> => {
  if (endpoint.access === 'public') return null
  const token = bearer(c.req.raw)
  const actor = token
    ? await authenticate(token, deps, { isUse: !isBackground(c.req.raw, endpoint) })
    : null
  if (!actor) throw new HttpError('unauthenticated')
  seen.actorId = actor.id
  if (!may(actor.role, endpoint.access)) throw new HttpError('forbidden')
  return actor
}

/**
 * Runs one call in the contract's order of checks: 403 for another site, 401, 403, 413, 415, 400 syntax, the answer stored
 * under an `Idempotency-Key`, 404 id, 400 fields.
 */
const perform = async (
  c: AppContext,
  route: Route,
  authenticate: Authenticate,
  deps: Deps,
  seen: Seen,
): Promise<Response> => {
  const { endpoint, handle, options } = route
  refuseCrossSite(c.req, route)
  const actor = await authorise(c, route, authenticate, deps, seen)
  const params = c.req.param() as Record<string, string>
  if (endpoint.body) Object.assign(seen, await readBody(c.req.raw, endpoint.form === true))
  const right = options.right?.(seen.body)
  if (actor && right && !may(actor.role, right)) throw new HttpError('forbidden')

  const status = endpoint.status ?? 200
  const request = requestOf(c, seen.raw ?? '')
  const { idempotencyKey: key } = request
  const { method, path } = c.req
  const call =
    endpoint.repeatable && key !== null && isIdempotencyKey(key)
      ? await findKeyedCall(deps.db, deps.config.authSecret, endpoint, {
          key,
          actor,
          method,
          path,
          params,
          body: seen.body,
        })
      : undefined
  if (call?.stored?.answer) return jsonText(status, call.stored.answer)
  try {
    const query = endpoint.query && validate(endpoint.query, c.req.query())
    const body = endpoint.body && validate(endpoint.body, seen.body)
    if ((endpoint.form || endpoint.repeatable) && key !== null && !isIdempotencyKey(key))
      throw invalidKey()
    const result = await handle(
      { params, query, body, actor, request },
      call ? { ...deps, db: underKey(deps.db, call) } : deps,
    )
    if (result instanceof Response) return result
    const answer = JSON.stringify({ success: true, ...(result as object) })
    return jsonText(status, call ? await storeAnswerText(deps.db, call, answer) : answer)
  } catch (error) {
    if (call) await forgetFailedCall(deps.db, call, error)
    if (error instanceof HttpError && error.code === 'invalid' && options.exists) {
      if (!(await options.exists(params, deps))) throw new HttpError('not_found')
    }
    throw error
  }
}

const toHttpError = (error: unknown, c: AppContext, deps: Deps): HttpError => {
  if (error instanceof HttpError) return error
  if (error instanceof KeyReused) return keyReused()
  const requestId = c.get('requestId')
  if (error instanceof DatabaseUnavailable) {
    const { code } = (error.cause ?? {}) as { code?: unknown }
    deps.log({ level: 'warn', event: 'database_unavailable', requestId, code })
    return new HttpError('unavailable', { retryAfter: 5 })
  }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  const code = (error as { code?: unknown }).code
  // A driver's message may quote values; its code and the place in our code say enough.
  const where = stack
    ?.split('\n')
    .find((line) => line.includes('/src/'))
    ?.trim()
  deps.log({
    level: 'error',
    event: 'internal_error',
    requestId,
    name,
    where,
    ...(code === undefined ? { message } : { code }),
  })
  return new HttpError('internal')
}

/** Answers one path: picks the route by method, runs it, logs the outcome. */
export const dispatch =
  (
    routes: readonly Route[],
    authenticate: Authenticate,
    formErrorPage: FormErrorPage,
    deps: Deps,
  ) =>
  async (c: AppContext): Promise<Response> => {
    const started = performance.now()
    const requestId = uuid()
    c.set('requestId', requestId)
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
    const route = routes.find(
      ({ endpoint }) => endpoint.method === method || endpoint.also === method,
    )
    const seen: Seen = {}
    const response = await (async () => {
      if (!route) throw routes.length === 0 ? new HttpError('not_found') : notAllowed(routes)
      return perform(c, route, authenticate, deps, seen)
    })().catch(async (cause: unknown) => {
      const error = toHttpError(cause, c, deps)
      const answer =
        route?.endpoint.form && isFormRequest(c.req.raw)
          ? await formErrorPage(
              error,
              {
                path: route.endpoint.path,
                body: seen.body ?? error.details.typed,
                requestId,
              },
              deps,
            )
          : json(error.status, errorBody(error, requestId))
      for (const [name, value] of Object.entries(errorHeaders(error)))
        answer.headers.set(name, value)
      return answer
    })

    for (const [name, value] of Object.entries(apiHeaders(requestId)))
      if (!response.headers.has(name)) response.headers.set(name, value)
    deps.log({
      level: response.status >= 500 ? 'error' : 'info',
      event: 'request',
      requestId,
      method: c.req.method,
      route: routes[0]?.endpoint.path ?? 'unknown',
      status: response.status,
      ...(seen.actorId ? { by: seen.actorId } : {}),
      ms: Math.round(performance.now() - started),
    })
    return response
  }

const notAllowed = (routes: readonly Route[]): HttpError => {
  const methods = routes.flatMap(({ endpoint }) => [endpoint.method, endpoint.also ?? []].flat())
  const allow = methods.includes('GET') ? ['HEAD', ...methods] : methods
  return new HttpError('method_not_allowed', { allow: [...new Set(allow)].sort().join(', ') })
}
