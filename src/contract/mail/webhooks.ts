import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'

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
