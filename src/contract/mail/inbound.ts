import * as z from 'zod/mini'
import { id } from '#contract/fields.ts'
import { endpoint } from '#contract/http/endpoint.ts'
import { kindPaths } from '#contract/inbox.ts'

const placed = z.object({
  kind: z.enum(kindPaths),
  _id: id,
  /** `contact`: it made the record. `auto`: a program sent it, and it is never answered. */
  as: z.enum(['reply', 'contact', 'auto']),
})
export type Placed = z.output<typeof placed>

export const receiveMail = endpoint('POST /api/mail/inbound', {
  summary:
    'Take a mail as it came (RFC 5322), from a mail server or a worker, with INBOUND_SECRET as the token',
  access: 'public',
  takes: 'message/rfc822',
  body: z.instanceof(Uint8Array),
  output: z.object({ data: placed }),
})

/**
 * Events of the mail provider: delivery reports, and mail that came in. Signed by it (the Standard
 * Webhooks scheme, `svix-` headers).
 */
export const mailEvent = endpoint('POST /api/webhooks/resend', {
  summary: 'Take a delivery report or the news of a received mail from the mail provider',
  access: 'public',
  body: z.object({
    type: z.string(),
    data: z.optional(
      z.object({
        email_id: z.optional(z.string()),
        message_id: z.catch(z.optional(z.string()), undefined),
        // Whatever else an account's other senders tag their messages with is no reason to refuse.
        tags: z.catch(z.object({ message: z.optional(z.uuid()) }), {}),
      }),
    ),
  }),
})
