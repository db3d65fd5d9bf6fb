import type {
  BodyInput,
  Endpoint,
  OutputOf,
  PathOf,
  PathParams,
  QueryInput,
} from '#contract/http/endpoint.ts'
import type { ErrorCode, Failure, FieldErrors } from '#contract/http/errors.ts'

/** A failed call. `code` is the server's, or `network` when no answer came. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode | 'network'
  readonly fields: FieldErrors
  /** All messages of the answer. */
  readonly sentences: string[]
  /** The error's data, such as the stored record of a version conflict. */
  readonly data: unknown
  readonly retryAfter: number | null

  constructor(status: number, failure: Partial<Failure>, retryAfter: number | null = null) {
    super(failure.message ?? '')
    this.status = status
    this.code = failure.code ?? (status === 0 ? 'network' : 'internal')
    this.fields = failure.fields ?? {}
    this.sentences = [failure.error ?? failure.message ?? []].flat()
    this.data = failure.data
    this.retryAfter = retryAfter
  }
}

/**
 * Method and path of an endpoint: all that a call needs of it at run time. A page that repeats them as
 * a value, checked against the endpoint's type, keeps the schemas out of its bundle.
 */
export type Route<E extends Endpoint> = Pick<E, 'method' | 'path' | 'produces'>

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [K in Name]?: undefined }
  : undefined extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value }

type Query<E> =
  QueryInput<E> extends object
    ? Partial<Record<keyof QueryInput<E>, string | number | undefined>>
    : undefined

export type CallInput<E extends Endpoint> = ([keyof PathParams<PathOf<E>>] extends [never]
  ? { params?: undefined }
  : { params: PathParams<PathOf<E>> }) & { query?: Query<E> } & Part<'body', BodyInput<E>>

export interface CallOptions {
  token?: string | null | undefined
  signal?: AbortSignal | undefined
  idempotencyKey?: string | undefined
  /** A call without a complete answer within this time fails. */
  timeoutMs?: number | undefined
  /** Made by a timer, not by a person: does not count as use of the session. */
  background?: boolean | undefined
  /** Sends the request in place of the browser's own `fetch`. */
  fetch?: typeof fetch | undefined
}

const withTimeout = (signal: AbortSignal | undefined, timeoutMs: number | undefined) => {
  if (timeoutMs === undefined) return signal
  const limit = AbortSignal.timeout(timeoutMs)
  return signal ? AbortSignal.any([signal, limit]) : limit
}

/** An aborted call fails as aborted; any other failure to get an answer is a network error. */
const noAnswer =
  (signal: AbortSignal | undefined) =>
  (cause: unknown): never => {
    if (signal?.aborted) throw cause
    throw new ApiError(0, { message: '' })
  }

/** The URL of a call: parameters filled in, absent search parameters left out. */
const callUrl = (
  path: string,
  params: Record<string, string> = {},
  query: Record<string, string | number | undefined> = {},
): string => {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value))
  return search.size > 0 ? `${filled}?${search}` : filled
}

/** Sends a call and returns the raw response of a success; throws {@link ApiError} otherwise. */
export const send = async <E extends Endpoint>(
  endpoint: E | Route<E>,
  input: CallInput<E>,
  {
    token,
    signal,
    idempotencyKey,
    timeoutMs,
    background,
    fetch = globalThis.fetch,
  }: CallOptions = {},
): Promise<Response> => {
  const { params, query, body } = input as {
    params?: Record<string, string>
    query?: Record<string, string | number | undefined>
    body?: unknown
  }
  const headers = new Headers({ Accept: endpoint.produces ?? 'application/json' })
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey)
  if (background) headers.set('X-Background', '1')
  const limited = withTimeout(signal, timeoutMs)

  const response = await fetch(callUrl(endpoint.path, params, query), {
    method: endpoint.method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(limited ? { signal: limited } : {}),
  }).catch(noAnswer(signal))
  if (response.ok) return response

  const failure = (await response.json().catch(() => ({}))) as Partial<Failure>
  const retryAfter = Number(response.headers.get('Retry-After'))
  throw new ApiError(response.status, failure, retryAfter > 0 ? retryAfter : null)
}

/** Calls an endpoint and returns the answer's body; throws {@link ApiError} when it fails. */
export const call = async <E extends Endpoint>(
  endpoint: E | Route<E>,
  input: CallInput<E>,
  options?: CallOptions,
): Promise<OutputOf<E>> => {
  const response = await send(endpoint, input, options)
  return (await response.json().catch(noAnswer(options?.signal))) as OutputOf<E>
}
