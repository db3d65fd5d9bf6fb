import { uuidPattern } from '#contract/fields.ts'
import { waitMessage } from '#contract/http/error-messages.ts'
import { type ErrorCode, errorStatus, type FieldErrors } from '#contract/http/errors.ts'

interface Details {
  message?: string
  fields?: FieldErrors
  /** Sent along: the stored record of a version conflict. */
  data?: unknown
  /** The typed values of a form that was refused while it was read. */
  typed?: unknown
  /** Seconds. */
  retryAfter?: number
  allow?: string
}

const messages: Record<ErrorCode, string> = {
  bad_json: 'The body is not valid JSON.',
  invalid: 'Some fields need another look.',
  duplicate: 'That already exists.',
  unauthenticated: 'Sign in to go on.',
  invalid_credentials: 'Invalid credentials',
  forbidden: 'Your role does not allow this.',
  password_change_required: 'Change your password first.',
  second_factor_required: 'Add a passkey or an authenticator app first.',
  step_up_required: 'Confirm that it is you, then try again.',
  not_found: 'There is nothing at this address.',
  method_not_allowed: 'This address does not take that method.',
  conflict: 'Somebody else has changed this since.',
  busy: 'This is under way already.',
  taken: 'This time is not free any more.',
  closed: 'This offer cannot be answered any more.',
  too_large: 'The body is larger than 64 KiB.',
  uri_too_long: 'The address is longer than 2,048 characters.',
  unsupported_media_type: 'Send the body as JSON.',
  rate_limited: 'Too many attempts. Please try again later.',
  internal: 'Something went wrong on our side.',
  unavailable: 'The service cannot be reached just now. Please try again in a moment.',
}

const defaultMessage = (code: ErrorCode, { retryAfter }: Details): string =>
  code === 'rate_limited' && retryAfter
    ? `Too many attempts. Please try again ${waitMessage(retryAfter)}.`
    : messages[code]

/** An error that the caller can act on, thrown anywhere and answered in one place. */
export class HttpError extends Error {
  override name = 'HttpError'
  readonly code: ErrorCode
  readonly status: number
  readonly details: Details

  /** @param given the details, or the message alone */
  constructor(code: ErrorCode, given: Details | string = {}) {
    const details = typeof given === 'string' ? { message: given } : given
    super(details.message ?? defaultMessage(code, details))
    this.code = code
    this.status = errorStatus[code]
    this.details = details
  }
}

export const invalidField = (field: string, message: string): HttpError =>
  new HttpError('invalid', { fields: { [field]: [message] } })

/** @throws HttpError `not_found`, when there is nothing */
export const orNotFound = <T>(found: T): Exclude<T, undefined | null | false> => {
  if (found === undefined || found === null || found === false) throw new HttpError('not_found')
  return found as Exclude<T, undefined | null | false>
}

/** True unless what is required throws `not_found`. */
export const isFound = (required: Promise<unknown>): Promise<boolean> =>
  required.then(
    () => true,
    (error: unknown) => {
      if (error instanceof HttpError && error.code === 'not_found') return false
      throw error
    },
  )

/** @throws HttpError `not_found` for a malformed id, which names nothing */
export const pathId = ({ id }: { id: string }): string => {
  if (!uuidPattern.test(id)) throw new HttpError('not_found')
  return id
}
