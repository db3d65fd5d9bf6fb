import type { Right, Role, Scope } from '#contract/http/access.ts'
import type {
  BodyOf,
  Endpoint,
  OutputOf,
  PathOf,
  PathParams,
  QueryOf,
} from '#contract/http/endpoint.ts'
import type { Deps } from '../deps.ts'

export interface Actor {
  id: string
  username: string
  email: string
  role: Role
  sessionId: string
  mustChangePassword: boolean
  factorCount: number
  hasSteppedUp: boolean
  /** The hash of the device that the session began on, where the client named one. */
  device: string | null
  /** The token that a program calls with; null in a session. */
  token: ActorToken | null
}

export interface ActorToken {
  id: string
  name: string
  scopes: readonly Scope[]
}

export interface CallRequest {
  requestId: string
  /** The client's IP, folded: IPv4-mapped IPv6 as IPv4, IPv6 as its /64. */
  ip: string
  userAgent: string | null
  idempotencyKey: string | null
  headers: Headers
  /** The body as it came, for signatures. */
  rawBody: string
  /** Came from a form that was posted without JavaScript. */
  isForm: boolean
  /** Work that may go on after the answer. */
  afterResponse: (work: Promise<unknown>) => void
}

type ActorOf<E> = E extends { access: 'public' } ? null : Actor

export interface Call<E extends Endpoint> {
  params: PathParams<PathOf<E>>
  query: QueryOf<E>
  body: BodyOf<E>
  actor: ActorOf<E>
  request: CallRequest
}

export interface RouteOptions<E extends Endpoint> {
  /**
   * True if the path's id names something. Asked only when the body is refused: an unknown id is a
   * 404 even then. When the body is fine the handler finds out by itself, without another query.
   */
  exists?: (params: PathParams<PathOf<E>>, deps: Deps, actor: ActorOf<E>) => Promise<boolean>
  /** False while its address is to be unknown, to other methods too. */
  isOn?: (deps: Deps) => Promise<boolean>
  /** Refuses a call that nobody signs in for, by its headers, before its body is read. */
  admit?: (from: Pick<CallRequest, 'headers' | 'ip'>, deps: Deps) => Promise<void>
  /** The limit of the body's bytes if it is not `limits.bodyBytes`. */
  bodyBytes?: (deps: Deps) => number
  /** A right that the path asks for beside the endpoint's own; judged before the body is read. */
  pathRight?: (params: PathParams<PathOf<E>>) => Right | undefined
  /** A right that the body asks for beside the endpoint's own; judged before its fields are. */
  right?: (body: unknown) => Right | undefined
  /** True if the body asks for a recent step-up; judged with `right`. */
  stepUp?: (body: unknown) => boolean
}

/** A call as the pipeline makes it: checked by the endpoint's schemas, without their types. */
export interface CheckedCall {
  params: Record<string, string>
  query: unknown
  body: unknown
  actor: Actor | null
  request: CallRequest
}

export interface Route {
  endpoint: Endpoint
  handle: (call: CheckedCall, deps: Deps) => Promise<object>
  options: Omit<RouteOptions<Endpoint>, 'exists' | 'pathRight'> & {
    pathRight?: (params: Record<string, string>) => Right | undefined
    exists?: (params: Record<string, string>, deps: Deps, actor: Actor | null) => Promise<boolean>
  }
}

/**
 * Binds a handler to its endpoint; the compiler checks one against the other. A list of routes has no
 * types of single endpoints, and the pipeline checks every input with the endpoint's own schemas.
 */
export const route = <E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E>, deps: Deps) => Promise<OutputOf<E> | Response>,
  options: RouteOptions<E> = {},
): Route => ({ endpoint, handle, options }) as unknown as Route
