import { hash } from 'node:crypto'
import { SignJWT } from 'jose/jwt/sign'
import { importJWK } from 'jose/key/import'
import type { PushKeys, PushPayload } from '#contract/push.ts'
import type { Config } from '#server/config.ts'
import { nameOf } from '#server/deps.ts'
import { bareAddress } from '#server/mail-out/message.ts'
import { refusedBy } from '#server/mail-out/retry-policy.ts'
import type { VapidKeys } from '#server/secrets/vapid.ts'
import { encryptPush } from './encrypt.ts'

const TIMEOUT_MS = 10_000

/** The time for which a push service keeps a notification for a device that is off. */
const KEPT_SECONDS = 12 * 3_600

/** Services refuse a token of more than 24 hours. */
const TOKEN_LIFETIME = '12h'

export interface Device {
  endpoint: string
  keys: PushKeys
}

/** `gone`: the device takes no more notifications. */
export type PushResult =
  | { outcome: 'sent' | 'gone' }
  | { outcome: 'temporary' | 'permanent'; error: string; retryAfter?: number | undefined }

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The contact that push services get for questions about our messages. */
const contact = ({ siteUrl, mail }: Config): string =>
  siteUrl.startsWith('https:') ? siteUrl : `mailto:${bareAddress(mail.from)}`

/** Says who sends (RFC 8292), for one push service. */
const authorization = async (
  { publicKey, privateKey }: VapidKeys,
  { audience, subject }: { audience: string; subject: string },
): Promise<string> => {
  const point = Buffer.from(publicKey, 'base64url')
  const key = await importJWK(
    {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: privateKey,
    },
    'ES256',
  )
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(audience)
    .setSubject(subject)
    .setExpirationTime(TOKEN_LIFETIME)
    .sign(key)
  return `vapid t=${token}, k=${publicKey}`
}

/** Two notifications of one topic that wait for a device become one: at most 32 characters. */
const topicOf = ({ tag }: PushPayload): string => hash('sha256', tag, 'base64url').slice(0, 32)

const resultOf = (response: Response): PushResult => {
  if (response.ok) return { outcome: 'sent' }
  return [404, 410].includes(response.status) ? { outcome: 'gone' } : refusedBy(response)
}

/** Sends one notification to one device; never throws. */
export const sendPush = async (
  config: Config,
  keys: VapidKeys,
  { device, payload }: { device: Device; payload: PushPayload },
  fetch: Fetch,
): Promise<PushResult> => {
  try {
    const { origin } = new URL(device.endpoint)
    const response = await fetch(device.endpoint, {
      method: 'POST',
      body: new Uint8Array(encryptPush(JSON.stringify(payload), device.keys)),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        Authorization: await authorization(keys, { audience: origin, subject: contact(config) }),
        'Content-Encoding': 'aes128gcm',
        'Content-Type': 'application/octet-stream',
        TTL: String(KEPT_SECONDS),
        Topic: topicOf(payload),
        Urgency: payload.reason === 'test' ? 'high' : 'normal',
      },
    })
    await response.body?.cancel()
    return resultOf(response)
  } catch (error) {
    return { outcome: 'temporary', error: nameOf(error) }
  }
}
