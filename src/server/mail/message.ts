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

/**
 * How handing over went. `providerId` is null where the sender gives none; `withdraw` takes the message
 * back where that is in the sender's power.
 */
export type Delivery =
  | { outcome: 'sent'; providerId: string | null; withdraw?: () => Promise<void> }
  | { outcome: 'temporary' | 'permanent'; error: string }

/** Hands one message over; never throws. */
export type Sender = (message: Message) => Promise<Delivery>
