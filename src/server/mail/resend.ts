import type { Delivery, Message } from './message.ts'
import { retryAfterSeconds } from './retry-policy.ts'

const TIMEOUT_MS = 10_000

interface Account {
  key: string
  baseUrl: string | undefined
  from: string
}

// No status means that no answer was understood: the message may have gone out or not. The
// idempotency key makes another try safe. A clash of two tries passes by itself.
const isTemporary = (status: number | null, name: string): boolean =>
  status === null || status === 429 || status >= 500 || name === 'concurrent_idempotent_requests'

/** Sends through Resend, which keeps idempotency keys for 24 hours, longer than the retries last. */
export const sendThroughResend = async (account: Account, message: Message): Promise<Delivery> => {
  const { key, baseUrl, from } = account
  try {
    const { Resend } = await import('resend')
    const resend = new Resend(key, baseUrl ? { baseUrl } : {})
    const { data, error, headers } = await resend.emails.send(
      {
        from,
        to: message.to,
        ...(message.replyTo ? { replyTo: message.replyTo } : {}),
        subject: message.subject,
        text: message.text,
        html: message.html,
        // Comes back with each delivery report, which may be here before Resend's own id is.
        tags: [{ name: 'message', value: message.id }],
      },
      // The signal is handed to fetch, though the options' type does not name it.
      { idempotencyKey: message.id, signal: AbortSignal.timeout(TIMEOUT_MS) } as {
        idempotencyKey: string
      },
    )
    if (!error) return { outcome: 'sent', providerId: data.id }
    const status = error.statusCode
    return {
      outcome: isTemporary(status, error.name) ? 'temporary' : 'permanent',
      error: `${status ?? 'no answer'} ${error.name}`,
      retryAfter: retryAfterSeconds(headers?.['retry-after']),
    }
  } catch (error) {
    return { outcome: 'temporary', error: error instanceof Error ? error.name : 'unknown' }
  }
}
