import { ApiError } from '#client/call.ts'
import { sentenceOf } from '../session/session.ts'

/** The reason for a refusal about the record of this name, in one sentence. */
export const refusalOf = (error: unknown, name: string, fallback: string): string =>
  error instanceof ApiError && error.status === 404
    ? `${name} was deleted or erased meanwhile.`
    : sentenceOf(error, fallback)
