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
