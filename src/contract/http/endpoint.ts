import * as z from 'zod/mini'
import type { Access, Scope } from './access.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export type PathParams<Path extends string> = Record<ParamNames<Path>, string>

/** Stands for a call that has no such part. */
type None = undefined

interface Definition<Query extends z.ZodMiniType | None, Body extends z.ZodMiniType | None> {
  /** One line for the reference documentation. */
  readonly summary: string
  readonly access: Access
  /** The scope that a token needs for this call; without one, no token may make it. */
  readonly scope?: Exclude<Scope, 'contacts'> | 'any'
  /** A session is not enough for this call. */
  readonly tokenOnly?: true
  /** Fields of the body that a token may send, where it may not send all. */
  readonly tokenFields?: readonly string[]
  /** Search parameters; each arrives as a string. */
  readonly query?: Query
  /** JSON body (public forms also take form bodies). */
  readonly body?: Body
  /** The status of success; 200 when left out. */
  readonly status?: 201 | 202 | 204
  /** A call without a body counts as one with an empty object. */
  readonly bodyOptional?: true
  /** Takes `application/x-www-form-urlencoded` and `multipart/form-data` too, and answers those with HTML. */
  readonly form?: true
  /**
   * Takes this media type in place of JSON; the body is its bytes. For plain text, text of any type, as it came. For
   * parts, their texts and files (`SentFile`) by name.
   */
  readonly takes?: 'message/rfc822' | 'text/plain' | 'multipart/form-data'
  /**
   * Takes an `Idempotency-Key`, as each PUT and DELETE does where nothing is said: the same call under the same key is
   * made once and gets the first answer again for 24 hours. The handler's change goes through `write` of the server's
   * database code. Not for answers that hold a secret: the answer is stored.
   */
  readonly repeatable?: boolean
  /** Needs a step-up within the last 15 minutes; a sign-in counts as one. */
  readonly stepUp?: true
  /**
   * Accounts that must do something first and may call this before: `password-change` comes before
   * everything, `second-factor` is for those that have yet to add one.
   */
  readonly allowedBefore?: 'password-change' | 'second-factor'
  /** Answers other methods of the same handler too (logout may be a GET or a POST). */
  readonly also?: Method
  /** The answer is no envelope but this media type. */
  readonly produces?: 'text/csv' | 'application/json' | 'text/html' | 'text/calendar' | 'image/webp'
}

/**
 * One call of the API: its input and output, and who may make it. The server binds a handler to it,
 * the client calls it; neither repeats what stands here.
 */
export interface Endpoint<
  Path extends string = string,
  Query extends z.ZodMiniType | None = z.ZodMiniType | None,
  Body extends z.ZodMiniType | None = z.ZodMiniType | None,
  Output extends z.ZodMiniType = z.ZodMiniType,
> extends Definition<Query, Body> {
  readonly method: Method
  readonly path: Path
  /** The answer's body beside `success`. */
  readonly output: Output
}

export interface SentFile {
  type: string
  bytes: Uint8Array
}

const done = z.object({ data: z.object({}) })

/**
 * @param call method and path: `GET /api/users/:id`
 * @param definition without an output, the answer tells of success alone
 */
export const endpoint = <
  const Path extends string,
  Output extends z.ZodMiniType = typeof done,
  Query extends z.ZodMiniType | None = None,
  Body extends z.ZodMiniType | None = None,
>(
  call: `${Method} ${Path}`,
  definition: Definition<Query, Body> & { readonly output?: Output },
): Endpoint<Path, Query, Body, Output> => {
  const [method, path] = call.split(' ') as [Method, Path]
  const repeatable = method === 'PUT' || method === 'DELETE'
  return { method, path, repeatable, output: done as z.ZodMiniType as Output, ...definition }
}

type Read<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined
type Write<Schema> = Schema extends z.ZodMiniType ? z.input<Schema> : undefined

export type PathOf<E> = E extends Endpoint<infer Path, infer _Q, infer _B, infer _O> ? Path : never
/** The search parameters as the server's handler gets them. */
export type QueryOf<E> = E extends { query?: infer Q } ? Read<NonNullable<Q>> : undefined
/** The body as the server's handler gets it. */
export type BodyOf<E> = E extends { body?: infer B } ? Read<NonNullable<B>> : undefined
export type QueryInput<E> = E extends { query?: infer Q } ? Write<NonNullable<Q>> : undefined
export type BodyInput<E> = E extends { body?: infer B } ? Write<NonNullable<B>> : undefined
export type OutputOf<E> = E extends { output: infer O extends z.ZodMiniType } ? z.output<O> : never
