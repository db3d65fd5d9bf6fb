import { createHash, timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { limits } from '#contract/limits.ts'
import { mailEvent, type Placed, receiveMail } from '#contract/mail/inbound.ts'
import type { DeliveryReport } from '#contract/mail/outgoing-mail.ts'
import { perHour } from '#server/db/rate-limit.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError, orNotFound } from '#server/http/http-error.ts'
import { countByIp } from '#server/http/rate-limited.ts'
import { type CallRequest, type Route, route } from '#server/http/route.ts'
import type { Attachment } from './mime/mail-content.ts'
import { parseMail } from './parse.ts'
import { receive } from './receive.ts'
import { fetchReceived } from './received-email.ts'
import { recordDelivery, recordMessageId } from './store/reports.ts'

const outcomes: Readonly<Record<string, DeliveryReport>> = {
  'email.delivered': 'delivered',
  'email.bounced': 'bounced',
  'email.complained': 'complained',
}

const signature = (headers: Headers, name: string): string =>
  headers.get(`svix-${name}`) ?? headers.get(`webhook-${name}`) ?? ''

/** @throws HttpError `not_found` where events are not taken, `unauthenticated` without a signature */
const admitProvider = async ({ headers }: Pick<CallRequest, 'headers'>, { config }: Deps) => {
  orNotFound(config.mail.resendWebhookSecret)
  if (!signature(headers, 'signature')) throw new HttpError('unauthenticated')
}

const isSigned = (secret: string, headers: Headers, body: string): boolean => {
  const header = (name: string) => signature(headers, name)
  try {
    new Webhook(secret).verify(body, {
      'webhook-id': header('id'),
      'webhook-timestamp': header('timestamp'),
      'webhook-signature': header('signature'),
    })
    return true
  } catch {
    return false
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * The right secret is taken whatever came before it from the same IP: workers of a cloud share their IPs with
 * strangers, who could keep mail out otherwise.
 *
 * @throws HttpError `not_found` where mail is not taken, `unauthenticated` without the secret, `rate_limited`
 */
const admitMailServer = async (
  { headers, ip }: Pick<CallRequest, 'headers' | 'ip'>,
  deps: Deps,
): Promise<void> => {
  const inboundSecret = orNotFound(deps.config.mail.inboundSecret)
  const given = /^Bearer +(.+)$/i.exec(headers.get('Authorization') ?? '')?.[1] ?? ''
  // Digests have equal length, so that the comparison takes the same time for every secret.
  if (timingSafeEqual(digest(given), digest(inboundSecret))) return
  await countByIp(deps, 'inbound-secret', { ip }, perHour(limits.wrongInboundSecrets))
  throw new HttpError('unauthenticated', 'Send INBOUND_SECRET as the bearer token.')
}

const receiveRaw = async (
  raw: Uint8Array,
  attachments: readonly Attachment[],
  request: CallRequest,
  deps: Deps,
): Promise<Placed> => {
  const { authServer } = deps.config.mail
  const mail = await parseMail(raw, { attachments, authServer })
  if (!mail) throw new HttpError('invalid', 'This is no mail.')
  return receive(mail, request, deps)
}

export const inboundRoutes: Route[] = [
  route(
    receiveMail,
    async ({ body, request }, deps) => ({ data: await receiveRaw(body, [], request, deps) }),
    { admit: admitMailServer, bodyBytes: ({ config }) => config.mail.inboundBytes },
  ),
  route(
    mailEvent,
    async ({ body: { type, data }, request }, deps) => {
      const { config, db } = deps
      const secret = orNotFound(config.mail.resendWebhookSecret)
      if (!isSigned(secret, request.headers, request.rawBody))
        throw new HttpError('unauthenticated')
      if (type === 'email.received') {
        const { raw, attachments } = await fetchReceived(config, data?.email_id ?? '')
        await receiveRaw(raw, attachments, request, deps)
        return { data: {} }
      }
      const reported = { providerId: data?.email_id ?? null, id: data?.tags.message ?? null }
      const messageId = data?.message_id?.replace(/^<|>$/g, '')
      if (messageId) await recordMessageId(db, reported, messageId)
      const outcome = outcomes[type]
      if (outcome) await recordDelivery(db, reported, outcome)
      return { data: {} }
    },
    { admit: admitProvider },
  ),
]
