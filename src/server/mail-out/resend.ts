import { hash } from 'node:crypto'
import { nameOf } from '#server/deps.ts'
import { automaticHeaders, type Delivery, type Message, senderOf } from './message.ts'
import { messageIdOf } from './message-id.ts'
import { retryAfterSeconds } from './retry-policy.ts'

const TIMEOUT_MS = 10_000

// Without a status the message may have been sent or not; the idempotency key makes a retry safe. A
// conflict of two attempts is temporary. The library reads the status from the body, which a gateway's answer lacks.
const isTemporary = (status: number | null | undefined, name: string): boolean =>
  status === null ||
  status === undefined ||
  status === 429 ||
  status >= 500 ||
  name === 'concurrent_idempotent_requests'

/**
 * The key of a message whose id Resend knows with other content: since an attempt of unknown outcome its address
 * was corrected, or its link ended.
 */
const changedKey = ({ id, to, text }: Message): string =>
  `${id}-${hash('sha256', JSON.stringify([to, text]), 'base64url')}`

/** Sends through Resend, which keeps idempotency keys for 24 hours, longer than the retries last. */
export const sendThroughResend = async (
  account: { key: string; baseUrl: string | undefined; from: string },
  message: Message,
  { idempotencyKey = message.id, signal = AbortSignal.timeout(TIMEOUT_MS) } = {},
): Promise<Delivery> => {
  const { key, baseUrl, from } = account
  try {
    const { Resend } = await import('resend')
    const resend = new Resend(key, baseUrl ? { baseUrl } : {})
    const { data, error, headers } = await resend.emails.send(
      {
        from: senderOf(message, from),
        to: message.to,
        ...(message.replyTo ? { replyTo: message.replyTo } : {}),
        // The provider sends it under a Message-ID of its own. Programs copy this header into answers.
        headers: {
          ...automaticHeaders(message),
          References: `<${messageIdOf(message.id)}>`,
        },
        subject: message.subject,
        text: message.text,
        html: message.html,
        // Resend makes no alternatives: the type of the attachment is what calendars look at.
        ...(message.invite && {
          attachments: [
            {
              filename: 'invite.ics',
              content: Buffer.from(message.invite.text).toString('base64'),
              contentType: `text/calendar; charset=utf-8; method=${message.invite.method}`,
            },
          ],
        }),
        // Returned with each delivery report, which may arrive before we know Resend's own id.
        tags: [{ name: 'message', value: message.id }],
      },
      // Passed on to fetch, though the options' type does not include it.
      { idempotencyKey, signal } as { idempotencyKey: string },
    )
    if (!error) return { outcome: 'sent', providerId: data.id }
    if (error.name === 'invalid_idempotent_request' && idempotencyKey === message.id)
      return sendThroughResend(account, message, { idempotencyKey: changedKey(message), signal })
    const status = error.statusCode
    return {
      outcome: isTemporary(status, error.name) ? 'temporary' : 'permanent',
      error: `${status ?? 'no answer'} ${error.name}`,
      retryAfter: retryAfterSeconds(headers?.['retry-after']),
    }
  } catch (error) {
    return { outcome: 'temporary', error: nameOf(error) }
  }
}
