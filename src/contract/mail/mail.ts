import * as z from 'zod/mini'
import { cursor, id, isoTimestamp, pageOf } from '#contract/fields.ts'
import { endpoint } from '#contract/http/endpoint.ts'
import { blind, kindPaths } from '#contract/inbox.ts'
import { mailKinds, mailStatuses } from './outgoing-mail.ts'

const message = z.object({
  _id: id,
  kind: z.enum(mailKinds),
  /** Left out of a blind answer where it identifies the sender of a hidden record. */
  to: z.optional(z.string()),
  /** In place of it. */
  candidate: z.optional(z.int()),
  status: z.enum(mailStatuses),
  attempts: z.int(),
  nextAttemptAt: z.nullable(isoTimestamp),
  lastError: z.nullable(z.string()),
  sentAt: z.nullable(isoTimestamp),
  record: z.nullable(z.object({ kind: z.enum(kindPaths), _id: id })),
})
export type MailMessage = z.output<typeof message>

export const listMail = endpoint('GET /api/mail', {
  summary: 'Messages that wait, failed or were sent in 30 days, newest first',
  access: 'records.read',
  query: z.object({
    status: z.optional(z.enum(['failed', 'waiting', 'sent'], { error: 'Unknown status.' })),
    cursor: z.optional(cursor),
    blind,
  }),
  output: pageOf(message),
})

export const retryMail = endpoint('POST /api/mail/:id/retry', {
  summary: 'Let a failed message wait for sending again',
  access: 'records.change',
  query: z.object({ blind }),
  output: z.object({ data: message }),
  repeatable: true,
})
