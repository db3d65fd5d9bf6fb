import { DatabaseUnavailable } from '#server/db/rows.ts'
import { KeyReused } from '#server/db/write.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError } from './http-error.ts'
import { keyReused } from './repeat.ts'

/** The error to answer with; logs what the caller is not told. */
export const toHttpError = (error: unknown, requestId: string, { log }: Deps): HttpError => {
  if (error instanceof HttpError) return error
  if (error instanceof KeyReused) return keyReused()
  if (error instanceof DatabaseUnavailable) {
    const { code } = (error.cause ?? {}) as { code?: unknown }
    log({ level: 'warn', event: 'database_unavailable', requestId, code })
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
