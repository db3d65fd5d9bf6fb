import { ApiError } from '#client/call.ts'
import { sentenceOf } from '../session/session.ts'

/** Why the server refuses something about the record of this name, in one sentence. */
export const refusalOf = (error: unknown, name: string, fallback: string): string =>
  error instanceof ApiError && error.status === 404
    ? `${name} was deleted or erased meanwhile.`
    : sentenceOf(error, fallback)
