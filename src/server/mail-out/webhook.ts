import { Webhook } from 'standardwebhooks'
import { nameOf } from '#server/deps.ts'
import type { Delivery, Message } from './message.ts'
import { refusedBy } from './retry-policy.ts'

const TIMEOUT_MS = 10_000

/**
 * Posts a notice elsewhere: JSON in the format that the URL's host expects, signed by the Standard
 * Webhooks scheme where there is a secret.
 */
export const postWebhook = async (
  secret: string | undefined,
  { id, to, text }: Message,
): Promise<Delivery> => {
  const now = new Date()
  const signature = secret && new Webhook(secret).sign(id, now, text)
  try {
    const response = await fetch(to, {
      method: 'POST',
      body: text,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'Content-Type': 'application/json',
        'Webhook-Id': id,
        'Webhook-Timestamp': String(Math.floor(now.getTime() / 1000)),
        ...(signature ? { 'Webhook-Signature': signature } : {}),
      },
    })
    await response.body?.cancel()
    return response.ok ? { outcome: 'sent', providerId: null } : refusedBy(response)
  } catch (error) {
    return { outcome: 'temporary', error: nameOf(error) }
  }
}
