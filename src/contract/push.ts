import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { flag, id, isoTimestamp } from './fields.ts'
import type { KindPath } from './inbox.ts'
import { limits } from './limits.ts'

/** Notifications to the devices of staff who ask for them, through the push service of each browser. */

/** Reasons for a notification: something came, or half of the promised time has passed. */
export const pushReasons = ['submission', 'reply', 'half', 'test'] as const

/** The payload of a notification, encrypted for the device: of a person, the first name alone. */
export interface PushPayload {
  reason: (typeof pushReasons)[number]
  /** Null in a test. */
  kind: KindPath | null
  /** The sender's first name; null in a test, and where a position is judged blind. */
  name: string | null
  /** The record's id; null in a test. */
  _id: string | null
  /** The same for a notification that is sent twice, so that it shows once. */
  tag: string
  /** True if "I take it" is offered: the record is unassigned, and the person may change it. */
  canClaim: boolean
}

/**
 * Hosts of the push services of browsers; one that begins with a dot stands for all below it. Nothing is
 * ever sent elsewhere.
 */
const pushServices = [
  // Chrome, Edge on Android, Opera, Samsung Internet, Brave.
  'fcm.googleapis.com',
  // Firefox.
  '.push.services.mozilla.com',
  // Edge on Windows.
  '.notify.windows.com',
  // Safari.
  'web.push.apple.com',
]

const isPushEndpoint = (value: string): boolean => {
  if (value.length > limits.url || !URL.canParse(value)) return false
  const { protocol, hostname, port, username, password } = new URL(value)
  return (
    protocol === 'https:' &&
    port === '' &&
    username === '' &&
    password === '' &&
    pushServices.some((host) =>
      host.startsWith('.') ? hostname.endsWith(host) : hostname === host,
    )
  )
}

const endpointMessage = 'The endpoint is the https address of a browser’s push service.'

const pushEndpoint = z
  .string({ error: endpointMessage })
  .check(z.refine(isPushEndpoint, { error: endpointMessage }))

const keysMessage = 'The keys are those of a push subscription.'

/** Base64url without padding, with this number of characters. */
const encoded = (characters: number) =>
  z
    .string({ error: keysMessage })
    .check(z.regex(new RegExp(`^[A-Za-z0-9_-]{${characters}}$`), keysMessage))

const keys = z.object(
  {
    /** A point of P-256, 65 bytes. */
    p256dh: encoded(87),
    /** 16 random bytes. */
    auth: encoded(22),
  },
  { error: keysMessage },
)
export type PushKeys = z.output<typeof keys>

export const listDevices = endpoint('GET /api/me/push', {
  summary: 'One’s own devices that get notifications, by their endpoints',
  access: 'records.read',
  output: z.object({
    data: z.array(z.object({ _id: id, endpoint: z.string(), createdAt: isoTimestamp })),
  }),
})

export const subscribeDevice = endpoint('POST /api/me/push', {
  summary: `Send notifications to a device: a push subscription as browsers make it; at most ${limits.pushDevices}`,
  access: 'records.read',
  body: z.object({
    endpoint: pushEndpoint,
    keys,
    renew: z.optional(
      flag.check(z.meta({ description: 'Only where the device is one’s own already' })),
    ),
  }),
  status: 201,
  repeatable: true,
})

export const unsubscribeDevice = endpoint('DELETE /api/me/push', {
  summary: 'Send no more notifications to one of one’s own devices',
  access: 'records.read',
  body: z.object({ endpoint: z.string({ error: endpointMessage }) }),
})

export const testDevice = endpoint('POST /api/me/push/test', {
  summary: 'Send a test to one of one’s own devices',
  access: 'records.read',
  body: z.object({ endpoint: z.string({ error: endpointMessage }) }),
  repeatable: true,
})
