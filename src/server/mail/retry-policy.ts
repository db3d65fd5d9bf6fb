import type { Delivery } from './message.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds from a temporary failure to the next try. After the seventh attempt there is none. */
const retryDelays = [30, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 12 * HOUR] as const

export type Next =
  | { status: 'sent'; providerId: string | null }
  | { status: 'waiting'; delay: number; error: string }
  | { status: 'failed'; error: string }

/** What becomes of a message after an attempt; `attempts` counts this one too. */
export const nextStep = (delivery: Delivery, attempts: number): Next => {
  if (delivery.outcome === 'sent') return { status: 'sent', providerId: delivery.providerId }
  const { error } = delivery
  const delay = retryDelays[attempts - 1]
  if (delivery.outcome === 'permanent' || delay === undefined) return { status: 'failed', error }
  return { status: 'waiting', delay, error }
}
