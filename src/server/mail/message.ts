import type { MailKind } from '#contract/outgoing-mail.ts'

/**
 * Whether a message of this kind is written to the person who reads it. Every other kind tells its
 * recipient about somebody else, so it belongs to its record alone.
 */
const isPersonal: Record<MailKind, boolean> = {
  staff: false,
  acknowledgement: true,
  webhook: false,
  account: true,
  code: true,
}

/** Kinds that count as the recipient's own data. */
export const personalKinds = Object.entries(isPersonal).flatMap(([kind, personal]) =>
  personal ? [kind] : [],
)

/** A message as it goes out. */
export interface Message {
  kind: MailKind
  /** The outbox row's id: the provider's idempotency key. */
  id: string
  to: string
  replyTo: string | null
  subject: string
  text: string
  html: string
}

/**
 * How handing over went. `providerId` is null where the sender gives none; `withdraw` takes the message
 * back where that is in the sender's power.
 */
export type Delivery =
  | { outcome: 'sent'; providerId: string | null; withdraw?: () => Promise<void> }
  | {
      outcome: 'temporary' | 'permanent'
      error: string
      /** Seconds that the receiver asks to be left alone. */
      retryAfter?: number | undefined
    }

/** Hands one message over; never throws. */
export type Sender = (message: Message) => Promise<Delivery>
