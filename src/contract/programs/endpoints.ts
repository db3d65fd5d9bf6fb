import * as z from 'zod/mini'
import { cursor, flag, id, isHttpsUrl, isoTimestamp, pageOf } from '#contract/fields.ts'
import { endpoint } from '#contract/http/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { oneLine } from '#contract/text.ts'

/** Outgoing webhooks: where other systems hear of what happens, signed by the Standard Webhooks scheme. */

export const webhookEvents = [
  'submission.created',
  'submission.changed',
  'reply.received',
  'message.sent',
  'appointment.booked',
  'appointment.moved',
  'appointment.cancelled',
  'offer.accepted',
  'offer.declined',
  'content.published',
  'test',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** Reasons for switching an endpoint off: it answered that it is gone, or it failed for days. */
export const disabledReasons = ['gone', 'failing'] as const

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const

const urlSentence = 'The URL starts with https:// and holds no user name.'

const fields = {
  url: oneLine('The URL', { max: limits.url }).check(
    z.meta({ format: 'uri' }),
    z.refine(isHttpsUrl, { error: urlSentence }),
    z.overwrite((value) => (isHttpsUrl(value) ? new URL(value).href : value)),
  ),
  events: z
    .array(z.enum(webhookEvents, { error: 'Unknown event.' }), { error: 'Send a list of events.' })
    .check(
      z.minLength(1, 'Choose at least one event.'),
      z.maxLength(webhookEvents.length, 'Name each event once.'),
      z.overwrite((given): WebhookEvent[] => webhookEvents.filter((one) => given.includes(one))),
    ),
  /** Sent as the header of that name; null removes it. */
  authorization: z.optional(
    z.nullable(
      z
        .string({ error: 'The authorization is a text.' })
        .check(
          z.trim(),
          z.regex(/^[\x20-\x7e]{1,1000}$/, 'The authorization has 1 to 1,000 visible characters.'),
        ),
    ),
  ),
}

const shown = z.object({
  /** `environment` for the one of `WEBHOOK_URL`, which cannot be changed here. */
  _id: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  /** True if there is a secret, which is never shown. */
  authorization: z.nullable(z.literal(true)),
  /** True if names, addresses and texts are sent. */
  details: z.boolean(),
  enabled: z.boolean(),
  /** The reason for switching it off, with the last problem; null if the program did not. */
  disabled: z.nullable(
    z.object({ reason: z.enum(disabledReasons), problem: z.string(), at: isoTimestamp }),
  ),
  /** The problem of the last attempt; null if it succeeded or there was none. */
  problem: z.nullable(z.string()),
  createdAt: z.nullable(isoTimestamp),
})
export type WebhookEndpoint = z.output<typeof shown>

const secret = z.string()
const one = z.object({ data: shown })
const access = 'users.manage'

export const listEndpoints = endpoint('GET /api/endpoints', {
  summary: 'Outgoing webhooks, oldest first',
  access,
  stepUp: true,
  output: z.object({ data: z.array(shown) }),
})

export const addEndpoint = endpoint('POST /api/endpoints', {
  summary: 'Add an outgoing webhook; the answer alone shows its secret',
  access,
  stepUp: true,
  body: z.object({ ...fields, details: z._default(flag, false), enabled: z._default(flag, true) }),
  output: z.object({ data: z.object({ ...shown.shape, secret }) }),
  status: 201,
})

export const changeEndpoint = endpoint('PUT /api/endpoints/:id', {
  summary: 'Change an outgoing webhook; what is left out stays',
  access,
  stepUp: true,
  body: z.partial(z.object({ ...fields, details: flag, enabled: flag })),
  output: one,
})

export const removeEndpoint = endpoint('DELETE /api/endpoints/:id', {
  summary: 'Remove an outgoing webhook and what waits for it',
  access,
  stepUp: true,
})

export const renewSecret = endpoint('POST /api/endpoints/:id/secret', {
  summary: 'Make a new secret; for 24 hours the old one signs too',
  access,
  stepUp: true,
  output: z.object({ data: z.object({ ...shown.shape, secret }) }),
  status: 201,
})

export const testEndpoint = endpoint('POST /api/endpoints/:id/test', {
  summary: 'Send the event test, also to a webhook that is switched off',
  access,
  output: z.object({ data: z.object({ _id: id }) }),
  repeatable: true,
})

const delivery = z.object({
  _id: id,
  event: z.enum(webhookEvents),
  at: isoTimestamp,
  attempts: z.array(
    z.object({
      at: isoTimestamp,
      status: z.nullable(z.int()),
      ms: z.int(),
      problem: z.nullable(z.string()),
    }),
  ),
  state: z.enum(deliveryStates),
  nextAt: z.nullable(isoTimestamp),
})
export type WebhookDelivery = z.output<typeof delivery>

export const listDeliveries = endpoint('GET /api/endpoints/:id/deliveries', {
  summary: 'What was sent to a webhook in the last 30 days, newest first',
  access,
  query: z.object({ cursor: z.optional(cursor) }),
  output: pageOf(delivery),
})

export const retryDelivery = endpoint('POST /api/deliveries/:id/retry', {
  summary: 'Send an event again, under the same id',
  access,
  output: z.object({ data: delivery }),
  repeatable: true,
})
