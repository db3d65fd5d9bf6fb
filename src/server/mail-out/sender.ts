import type { Config } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { createDigests } from './digest.ts'
import type { Message, Sender } from './message.ts'
import type { Worker } from './outbox.ts'
import { openText } from './sealed-text.ts'
import { withLink } from './with-link.ts'

/** Resend with an API key, `.eml` files without one, a POST for notices; each is loaded when first used. */
export const createSender = ({ mail, dataDir, webhook, authSecret }: Config): Sender => {
  const { resendApiKey: key, resendBaseUrl: baseUrl, from } = mail
  return async (stored) => {
    if (stored.isExpired) return { outcome: 'permanent', error: 'it is too old to be of use' }
    const bodies = stored.sealed ? openText(authSecret, stored.sealed) : stored
    // While a new key is being deployed, the version before it cannot read what is under that key.
    if (!bodies) return { outcome: 'temporary', error: 'AUTH_SECRET does not read it' }
    const message: Message = { ...stored, text: bodies.text, html: bodies.html }
    if (message.kind === 'webhook') {
      // Whoever removed the variable wants nothing to be announced there any more.
      if (!webhook) return { outcome: 'permanent', error: 'WEBHOOK_URL is not set any more' }
      const { postWebhook } = await import('./webhook.ts')
      return postWebhook(webhook.secret, message)
    }
    if (key) {
      const { sendThroughResend } = await import('./resend.ts')
      return sendThroughResend({ key, baseUrl, from }, message)
    }
    const { writeEml } = await import('./eml.ts')
    return writeEml({ dataDir, from }, message)
  }
}

export const outboxWorker = (deps: Pick<Deps, 'config' | 'db' | 'log'>): Worker => ({
  db: deps.db,
  log: deps.log,
  send: withLink(deps, createSender(deps.config)),
  mailPerHour: deps.config.mail.perHour,
  digests: createDigests(deps),
})
