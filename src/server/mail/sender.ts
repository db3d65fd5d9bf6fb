import type { Config } from '#server/config.ts'

/** A message as it goes out. */
export interface Message {
  kind: 'staff' | 'acknowledgement' | 'webhook'
  /** The outbox row's id: the provider's idempotency key. */
  id: string
  to: string
  replyTo: string | null
  subject: string
  text: string
  html: string
}

/** `providerId` is null where the sender gives none. */
export type Delivery =
  | { outcome: 'sent'; providerId: string | null }
  | { outcome: 'temporary' | 'permanent'; error: string }

/** Hands one message over; never throws. */
export type Sender = (message: Message) => Promise<Delivery>

/** Resend with a key, `.eml` files without one, a POST for notices; each is loaded at its first message. */
export const createSender = ({ mail, dataDir, webhook }: Config): Sender => {
  const { resendApiKey: key, resendBaseUrl: baseUrl, from } = mail
  return async (message) => {
    if (message.kind === 'webhook') {
      const { postWebhook } = await import('./webhook.ts')
      return postWebhook(webhook?.secret, message)
    }
    if (key) {
      const { sendThroughResend } = await import('./resend.ts')
      return sendThroughResend({ key, baseUrl, from }, message)
    }
    const { writeEml } = await import('./eml.ts')
    return writeEml({ dataDir, from }, message)
  }
}
