import * as z from 'zod/mini'
import { isoTimestamp } from '#contract/fields.ts'
import { endpoint } from '#contract/http/endpoint.ts'

export const setupKeys = [
  'password',
  'second_factor',
  'site_address',
  'mail',
  'reply_address',
  'colleagues',
  'templates',
  'sample_content',
  'backup',
] as const
export type SetupKey = (typeof setupKeys)[number]

const item = z.object({
  key: z.enum(setupKeys),
  state: z.enum(['open', 'done', 'skipped']),
  /** An address of the admin. */
  where: z.string(),
  /** Samples only: the number left, in all and by collection. */
  count: z.optional(z.int()),
  parts: z.optional(z.array(z.object({ collection: z.string(), count: z.int() }))),
  /** The present value if words alone do not say it: an address, a number, a time. */
  now: z.nullable(z.string()),
})
export type SetupItem = z.output<typeof item>

const all = z.object({ data: z.array(item) })

export const readSetup = endpoint('GET /api/setup', {
  summary: 'What is left to set up',
  access: 'users.manage',
  output: all,
})

export const setSetup = endpoint('POST /api/setup/:key', {
  summary: 'Skip one, or take it up again; what is done the server knows by itself',
  access: 'users.manage',
  body: z.object({
    state: z.enum(['open', 'skipped'], { error: 'The state is open or skipped.' }),
  }),
  output: all,
  repeatable: true,
})

export const testMail = endpoint('POST /api/setup/mail/test', {
  summary: 'Send a mail to oneself, and say what came back',
  access: 'users.manage',
  output: z.object({
    data: z.object({
      sent: z.boolean(),
      to: z.string(),
      at: isoTimestamp,
      problem: z.nullable(z.string()),
      /** True if the mail lies in the local mailbox, because no provider is set. */
      local: z.boolean(),
    }),
  }),
})
