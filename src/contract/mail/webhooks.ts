import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'

/** Delivery reports of the mail provider, signed by it (the Standard Webhooks scheme, `svix-` headers). */
export const reportDelivery = endpoint({
  method: 'POST',
  path: '/api/webhooks/resend',
  summary: 'Take a delivery report of the mail provider',
  access: 'public',
  body: z.object({
    type: z.string(),
    data: z.optional(
      z.object({
        email_id: z.optional(z.string()),
        // Whatever else an account's other senders tag their messages with is no reason to refuse.
        tags: z.catch(z.object({ message: z.optional(z.uuid()) }), {}),
      }),
    ),
  }),
  output: z.object({ data: z.object({}) }),
})
