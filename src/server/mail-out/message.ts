import type { KindPath } from '#contract/inbox.ts'
import type { Invitation } from '#contract/mail/invitation.ts'
import type { MailKind } from '#contract/mail/outgoing-mail.ts'
import { brand } from '#site/content.ts'

/**
 * True if a message of this kind is written to the person who reads it. Every other kind is about
 * another person, so it belongs to its record only.
 */
const isPersonal: Record<MailKind, boolean> = {
  staff: false,
  acknowledgement: true,
  webhook: false,
  message: true,
  account: false,
  code: true,
  digest: false,
}

export const personalKinds = Object.entries(isPersonal).flatMap(([kind, personal]) =>
  personal ? [kind] : [],
)

/** Headers of mail that nobody wrote, so that other programs do not answer it (RFC 3834). */
export const automaticHeaders = ({
  kind,
  isWritten,
}: Pick<Message, 'kind' | 'isWritten'>): Record<string, string> => {
  if (isWritten) return {}
  const isReply = kind === 'acknowledgement' || kind === 'code'
  return { 'Auto-Submitted': isReply ? 'auto-replied' : 'auto-generated' }
}

export const bareAddress = (from: string): string => /<([^<>]*)>/.exec(from)?.[1] ?? from.trim()

/** `"Ada (Agency)" <mail@agency.example>`: the address of `MAIL_FROM` under the name of who writes. */
export const senderOf = ({ fromName }: Pick<Message, 'fromName'>, from: string): string => {
  if (!fromName) return from
  const name = `${fromName} (${brand().name})`.replaceAll(/[\\"]/g, '\\$&')
  return `"${name}" <${bareAddress(from)}>`
}

export interface Message {
  kind: MailKind
  /** The outbox row's id: the provider's idempotency key. */
  id: string
  /** The record that it is about; null for mail to staff accounts. */
  record?: { kind: KindPath; id: string } | null | undefined
  to: string
  replyTo: string | null
  /** True if a person wrote it, as an entry of the record's activity. */
  isWritten?: boolean
  fromName?: string | null
  subject: string
  text: string
  html: string
  /** The facts of mail about an appointment; its bodies are made of them. */
  calendar?: Invitation | null
  invite?: { method: 'REQUEST' | 'CANCEL'; text: string }
  /** Both bodies, encrypted, where they carry a link or a code; `text` and `html` are empty then. */
  sealed?: string | null
  /** True if that link or code has ended, or the talk of a reminder has begun. */
  isExpired?: boolean
}

/**
 * The result of sending. `providerId` is null where the sender has none; `withdraw` removes a sent
 * message where the sender can.
 */
export type Delivery =
  | { outcome: 'sent'; providerId: string | null; withdraw?: () => Promise<void> }
  | {
      outcome: 'temporary' | 'permanent'
      error: string
      /** Seconds that the receiver asks us to wait. */
      retryAfter?: number | undefined
    }

/** Sends one message; never throws. */
export type Sender = (message: Message) => Promise<Delivery>
