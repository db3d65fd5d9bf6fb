import { type ApiError, call } from '#client/call.ts'
import { waitMessage } from '#contract/http/error-messages.ts'
import type { FieldErrors } from '#contract/http/errors.ts'
import { limits } from '#contract/limits.ts'
import type { FormDescription } from './description.ts'
import { readSource } from './visit.ts'

export interface Receipt {
  _id: string
  createdAt: string
  /** The day that a consultation is wanted on, `YYYY-MM-DD`. */
  preferredDate?: string
}

/** The state of a form. `waiting`: the device is offline, the form is sent automatically later. */
export type FormState =
  | { step: 'typing' }
  | { step: 'waiting'; tries: number }
  | { step: 'failed'; failure: Failure }
  | { step: 'sent'; receipt: Receipt }

export interface Failure {
  message: string
  /** Further information: how long to wait, that nothing is lost. */
  detail: string
  fields: FieldErrors
}

/** Without an answer within this time the server counts as unreachable. */
const patienceMs = 30_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Milliseconds since the page's load; waits until a person could have filled the form. */
export const elapsed = async (): Promise<number> => {
  await pause(Math.max(0, limits.tooFastMs - performance.now()))
  return Math.max(limits.tooFastMs, Math.round(performance.now()))
}

export interface Submission {
  fields: Record<string, unknown>
  key: string
  attempt: { elapsedMs: number }
}

/** Sends one draft; throws {@link ApiError}, also when no answer came in time. */
export const submit = async ({ route }: FormDescription, { fields, key, attempt }: Submission) => {
  const body = { ...fields, elapsedMs: attempt.elapsedMs, source: readSource() }
  const { data } = await call(route, { body }, { idempotencyKey: key, timeoutMs: patienceMs })
  return data
}

const kept = 'Nothing you typed is lost.'

const detailOf = ({ code, retryAfter, fields }: ApiError): string => {
  if (code === 'rate_limited' && retryAfter)
    return `You can send it ${waitMessage(retryAfter)}. ${kept}`
  if (code === 'network') return `No answer came. ${kept} Sending it again never sends it twice.`
  if (code === 'conflict') return 'Send it again if this version should arrive too.'
  return Object.keys(fields).length > 0 ? '' : kept
}

// The server's message is about an idempotency key; visitors are told of an earlier version.
const messageOf = ({ code, message }: ApiError): string =>
  code === 'conflict' ? 'An earlier version of this text has already arrived.' : message

export const failureFrom = (error: ApiError, { failed }: FormDescription): Failure => ({
  message: messageOf(error) || failed,
  detail: detailOf(error),
  fields: error.fields,
})
