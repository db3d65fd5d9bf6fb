import * as z from 'zod/mini'
import { may, type Role, roles } from '#contract/http/access.ts'
import type { Endpoint } from '#contract/http/endpoint.ts'
import type { Config } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError } from './http-error.ts'
import type { Actor, ActorToken, Route } from './route.ts'

/** Finds the session that a bearer token names; `isUse` says whether the call prolongs it. */
export type Authenticate = (
  token: string,
  deps: Deps,
  use: { isUse: boolean },
) => Promise<Actor | null>

const bearer = (request: Request): string | null =>
  /^Bearer ([\w.-]{1,2048})$/i.exec(request.headers.get('Authorization') ?? '')?.[1] ?? null

/** A screen that polls without anybody using it: the call reads, and does not prolong the session. */
const isBackground = (request: Request, { method, path }: Endpoint): boolean =>
  request.headers.get('X-Background') === '1' && (method === 'GET' || path.endsWith('/search'))

const carriesBody = ({ headers }: Request): boolean =>
  Number(headers.get('Content-Length')) > 0 || headers.has('Transfer-Encoding')

/**
 * A page of another site may link to the API's answers, but not make a visitor's browser change data.
 *
 * @throws HttpError `forbidden`
 */
export const refuseCrossSite = (request: Request, { method }: Endpoint): void => {
  const isChange = method !== 'GET' || carriesBody(request)
  if (isChange && request.headers.get('Sec-Fetch-Site') === 'cross-site')
    throw new HttpError(
      'forbidden',
      'This was sent from another site. Open the page here and send it again.',
    )
}

/**
 * The signed-in caller, null for a public call; notes the caller in `seen`, also where it is refused.
 *
 * @throws HttpError `unauthenticated`, `forbidden`, and those of {@link refuseUntilDone}
 */
export const authorise = async (
  request: Request,
  endpoint: Endpoint,
  authenticate: Authenticate,
  deps: Deps,
  seen: { actorId?: string },
): Promise<Actor | null> => {
  if (endpoint.access === 'public') return null
  const token = bearer(request)
  const isUse = !isBackground(request, endpoint)
  const actor = token ? await authenticate(token, deps, { isUse }) : null
  if (!actor || (endpoint.tokenOnly && !actor.token)) throw new HttpError('unauthenticated')
  seen.actorId = actor.id
  authoriseActor(actor, endpoint, deps.config)
  return actor
}

/**
 * @throws HttpError `forbidden`, and those of {@link refuseUntilDone}
 */
export const authoriseActor = (actor: Actor, endpoint: Endpoint, config: Config): void => {
  const { access } = endpoint
  if (access !== 'public' && !may(actor.role, access)) throw new HttpError('forbidden')
  if (actor.token && !isInScope(actor.token, endpoint)) throw outOfScope()
  refuseUntilDone(actor, endpoint, config)
}

const outOfScope = (): HttpError =>
  new HttpError('forbidden', 'The scopes of this token do not allow this.')

const isInScope = ({ scopes }: ActorToken, { scope }: Endpoint): boolean =>
  scope === 'any' || (scope !== undefined && scopes.includes(scope))

/** True if `REQUIRE_SECOND_FACTOR` names the role or one below it. */
export const requiresSecondFactor = (
  { requireSecondFactor: least }: Pick<Config, 'requireSecondFactor'>,
  role: Role,
): boolean => least !== undefined && roles.indexOf(role) >= roles.indexOf(least)

/**
 * Refuses an account that must do something before the call.
 *
 * @throws HttpError `password_change_required`, `second_factor_required`, `step_up_required`
 */
const refuseUntilDone = (
  { role, mustChangePassword, factorCount, hasSteppedUp }: Actor,
  { allowedBefore, stepUp }: Endpoint,
  config: Config,
): void => {
  if (mustChangePassword && allowedBefore !== 'password-change')
    throw new HttpError('password_change_required')
  const lacksFactor = factorCount === 0 && requiresSecondFactor(config, role)
  if (lacksFactor && !allowedBefore) throw new HttpError('second_factor_required')
  if (stepUp && !hasSteppedUp) throw new HttpError('step_up_required')
}

/** @throws HttpError `forbidden` */
export const authorisePath = (
  actor: Actor | null,
  { options }: Pick<Route, 'options'>,
  params: Record<string, string>,
): void => {
  const right = options.pathRight?.(params)
  if (actor && right && !may(actor.role, right)) throw new HttpError('forbidden')
}

/**
 * Checks what a body asks for beside the endpoint's own right: another right, a step-up, or a field that no token
 * may send.
 *
 * @throws HttpError `forbidden`, `step_up_required`
 */
export const authoriseBody = (
  actor: Actor | null,
  { endpoint: { tokenFields, body: schema }, options }: Pick<Route, 'endpoint' | 'options'>,
  body: unknown,
): void => {
  const right = options.right?.(body)
  if (actor && right && !may(actor.role, right)) throw new HttpError('forbidden')
  if (actor && options.stepUp?.(body) && !actor.hasSteppedUp)
    throw new HttpError('step_up_required')
  if (!actor?.token || !tokenFields) return
  // Unknown fields are ignored, as in every call.
  const isKnown = (name: string) =>
    !(schema instanceof z.ZodMiniObject) || Object.hasOwn(schema.shape, name)
  const given = Object.entries(body ?? {}).filter(
    ([name, value]) => value !== undefined && isKnown(name),
  )
  if (given.some(([name]) => !tokenFields.includes(name))) throw outOfScope()
}
