import * as z from 'zod/mini'
import type { Endpoint, SentFile } from '#contract/http/endpoint.ts'
import type { FieldErrors } from '#contract/http/errors.ts'
import { limits } from '#contract/limits.ts'
import { HttpError } from './http-error.ts'

/** True if the path alone is too long; a cheap look for almost every request. */
export const isUriTooLong = (url: string): boolean =>
  url.length > limits.path && new URL(url).pathname.length > limits.path

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']

const mediaType = (request: Request): string =>
  (request.headers.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

export const isFormRequest = (request: Request): boolean => formTypes.includes(mediaType(request))

const shownSize = (bytes: number): string =>
  bytes < 1_048_576 ? `${bytes / 1_024} KiB` : `${bytes / 1_048_576} MiB`

interface Bounds {
  max: number
  /** True if the server gives no more of a body than its Content-Length says. */
  isBounded: boolean
}

/** The bytes of a body, read no further than the limit. */
const readBytes = async (request: Request, { max, isBounded }: Bounds) => {
  const tooLarge = () => new HttpError('too_large', `The body is larger than ${shownSize(max)}.`)
  const length = request.headers.get('Content-Length')
  if (Number(length) > max) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    // Without a stream, which costs as much as all other work on a small request.
    if (isBounded && length !== null) return new Uint8Array(await request.arrayBuffer())
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength
      if (size > max) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    // The client has closed the connection, which is not an error of the server.
    throw error instanceof HttpError ? error : new HttpError('bad_json')
  }
  return Buffer.concat(chunks)
}

export interface Body {
  raw: string
  body: unknown
}

const parseJson = (bytes: Uint8Array): Body => {
  try {
    const raw = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { raw, body: JSON.parse(raw) }
  } catch {
    throw new HttpError('bad_json')
  }
}

// A checkbox sends `on`, a number field digits: converted to the types of the contract.
const readFormField = (name: string, value: string): unknown => {
  if (name === 'agree') return ['on', 'true', '1'].includes(value)
  if (name === 'elapsedMs') return /^\d{1,12}$/.test(value) ? Number(value) : undefined
  return value
}

const formDataOf = (bytes: Uint8Array<ArrayBuffer>, { headers }: Request, refusal: string) =>
  new Response(bytes, { headers: { 'Content-Type': headers.get('Content-Type') ?? '' } })
    .formData()
    .catch(() => {
      throw new HttpError('invalid', refusal)
    })

const parseForm = (form: FormData): Body => {
  // An unticked box is not sent: without it a form has not agreed.
  const fields: [string, unknown][] = [['agree', false]]
  let carriesFile = false
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.push([name, readFormField(name, value)])
    else carriesFile = true
  }
  const body = Object.fromEntries(fields)
  if (carriesFile) {
    const message = 'Files cannot be sent here.'
    throw new HttpError('unsupported_media_type', { message, typed: body })
  }
  return { raw: '', body }
}

const parseParts = async (form: FormData): Promise<Body> => {
  const parts = await Promise.all(
    [...form].map(async ([name, value]) => {
      if (typeof value === 'string') return [name, value]
      const file: SentFile = { type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) }
      return [name, file]
    }),
  )
  return { raw: '', body: Object.fromEntries(parts) }
}

/**
 * Reads a body in the contract's order of checks: size, type, syntax.
 *
 * @throws HttpError `too_large`, `unsupported_media_type`, `bad_json`
 */
export const readBody = async (
  request: Request,
  { form, bodyOptional, takes }: Pick<Endpoint, 'form' | 'bodyOptional' | 'takes'>,
  bounds: Bounds,
): Promise<Body> => {
  const bytes = await readBytes(request, bounds)
  const type = mediaType(request)
  if (takes === 'text/plain') return { raw: new TextDecoder().decode(bytes), body: {} }
  if (takes) {
    if (type === 'multipart/form-data' && type === takes)
      return parseParts(
        await formDataOf(bytes, request, 'The parts of the body could not be read.'),
      )
    if (type === takes) return { raw: '', body: bytes }
    throw new HttpError('unsupported_media_type', `Send the body as ${takes}.`)
  }
  if (bodyOptional && bytes.byteLength === 0) return { raw: '', body: {} }
  if (form && formTypes.includes(type))
    return parseForm(await formDataOf(bytes, request, 'The form could not be read.'))
  if (type !== 'application/json' && (type !== '' || bytes.byteLength > 0))
    throw new HttpError('unsupported_media_type')
  return parseJson(bytes)
}

/** For what a schema has no message of its own. */
const plainSentence = ({ path = [] }: { path?: readonly PropertyKey[] | undefined }): string =>
  path.length === 0 ? 'Send the fields as a JSON object.' : 'This value has the wrong type.'

/** Validates input; the error names every invalid field at once. */
export const validate = <Schema extends z.ZodMiniType>(schema: Schema, value: unknown) => {
  const result = schema.safeParse(value, { error: plainSentence })
  if (result.success) return result.data
  const { fieldErrors, formErrors } = z.flattenError(result.error)
  const fields = Object.fromEntries(
    Object.entries(fieldErrors as FieldErrors).map(([name, all]) => [name, [...new Set(all)]]),
  )
  throw new HttpError('invalid', { fields, ...(formErrors[0] ? { message: formErrors[0] } : {}) })
}

/** The texts of a body by name, without what is no text. */
export const texts = (body: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
