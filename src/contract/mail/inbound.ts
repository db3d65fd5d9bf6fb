import * as z from 'zod/mini'
import { id } from '#contract/fields.ts'
import { endpoint } from '#contract/http/endpoint.ts'
import { kindPaths } from '#contract/inbox.ts'

/** The place of a mail that came in. */
const placed = z.object({
  /** The record that it is kept on. */
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
