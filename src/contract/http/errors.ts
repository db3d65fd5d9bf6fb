export const errorStatus = {
  bad_json: 400,
  invalid: 400,
  duplicate: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  forbidden: 403,
  password_change_required: 403,
  second_factor_required: 403,
  step_up_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  busy: 409,
  taken: 409,
  closed: 409,
  too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

export type FieldErrors = Record<string, string[]>

export interface Failure {
  success: false
  code: ErrorCode
  message: string
  /** The same message, or all of them when there are several. */
  error: string | string[]
  fields?: FieldErrors
  /** On a version conflict: the record as it is stored. */
  data?: unknown
  requestId: string
}
