import type { Delivery } from './message.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds from a temporary failure to the next attempt. The seventh attempt is the last. */
const retryDelays = [30, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 12 * HOUR] as const

/** The longest `Retry-After` that we follow, in seconds, so that mail is not delayed for weeks. */
const LONGEST_RETRY_AFTER = 24 * HOUR

export type Next =
  | { status: 'sent'; providerId: string | null }
  | { status: 'waiting'; delay: number; error: string }
  | { status: 'failed'; error: string }

/** A message's next state after an attempt; `attempts` includes this one. */
export const nextStep = (delivery: Delivery, attempts: number): Next => {
  if (delivery.outcome === 'sent') return { status: 'sent', providerId: delivery.providerId }
  const { error } = delivery
  const delay = retryDelays[attempts - 1]
  if (delivery.outcome === 'permanent' || delay === undefined) return { status: 'failed', error }
  return { status: 'waiting', delay: Math.max(delay, delivery.retryAfter ?? 0), error }
}

/** The outcome of an answer that is no success. */
export const refusedBy = ({ status, headers }: Response) => ({
  outcome: status === 429 || status >= 500 ? ('temporary' as const) : ('permanent' as const),
  error: String(status),
  retryAfter: retryAfterSeconds(headers.get('retry-after')),
})

/** Seconds that a `Retry-After` header asks for, as a number or a date (RFC 9110, 10.2.3). */
export const retryAfterSeconds = (header: string | null | undefined): number | undefined => {
  if (!header) return undefined
  const seconds = /^\d+$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - Date.now()) / 1_000
  if (Number.isNaN(seconds) || seconds <= 0) return undefined
  return Math.min(Math.ceil(seconds), LONGEST_RETRY_AFTER)
}
