import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { fillLink } from './link.ts'
import type { Sender } from './message.ts'
import { tokensOf } from './store/record-links.ts'

/**
 * Sends mail to the sender of a record with the link of their page, and with an address of its own
 * for answers where mail can be received.
 */
export const withLink =
  ({ db, config }: { db: Database; config: Config }, send: Sender): Sender =>
  async (message) => {
    const { kind, record } = message
    if (!record || (kind !== 'message' && kind !== 'acknowledgement')) return send(message)
    const tokens = await tokensOf(db, config.authSecret, kindByPath[record.kind], record.id)
    if (!tokens) return { outcome: 'permanent', error: 'its record is gone' }
    const { replyDomain } = config.mail
    return send({
      ...message,
      ...fillLink(message, `${config.siteUrl}/status/${tokens.page}`),
      replyTo: replyDomain ? `reply+${tokens.reply}@${replyDomain}` : message.replyTo,
    })
  }
