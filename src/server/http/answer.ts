import { fieldCountMessage } from '#contract/http/error-messages.ts'
import type { Failure } from '#contract/http/errors.ts'
import { HttpError } from './http-error.ts'

/** Headers of every answer of the API. Static pages get theirs from the build. */
export const apiHeaders = (requestId: string): Record<string, string> => ({
  'X-Request-Id': requestId,
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
})

/** An answer that is JSON text already. Headers that are given here cost less than those that are added. */
export const jsonText = (
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(text, {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  })

export const json = (status: number, body: unknown): Response =>
  jsonText(status, JSON.stringify(body))

export const download = (name: string, type: string, body: string | ReadableStream): Response =>
  new Response(body, {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  })

const errorBody = (error: HttpError, requestId: string): Failure => {
  const { fields, data, message } = error.details
  const messages = fields ? Object.values(fields).flat() : []
  const [first] = messages
  const several = fields && `${fieldCountMessage(Object.keys(fields).length)}.`
  return {
    success: false,
    code: error.code,
    message: message ?? (messages.length === 1 ? first : several) ?? error.message,
    error: messages.length > 0 ? messages : error.message,
    ...(fields ? { fields } : {}),
    ...(data === undefined ? {} : { data }),
    requestId,
  }
}

export const errorHeaders = ({ status, details }: HttpError): Record<string, string> => ({
  ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
  ...(details.retryAfter ? { 'Retry-After': String(Math.ceil(details.retryAfter)) } : {}),
  ...(details.allow ? { Allow: details.allow } : {}),
})

export const refusal = (error: HttpError, requestId: string): Response => {
  const headers = { ...apiHeaders(requestId), ...errorHeaders(error) }
  return jsonText(error.status, JSON.stringify(errorBody(error, requestId)), headers)
}

/** The answer to every call while the database is out of reach. */
export const unavailable = (requestId: string): Response =>
  refusal(new HttpError('unavailable', { retryAfter: 60 }), requestId)
