import { Webhook } from 'standardwebhooks'
import type { DeliveryReport } from '#contract/mail/outgoing-mail.ts'
import { reportDelivery } from '#contract/mail/webhooks.ts'
import { HttpError } from '#server/http/http-error.ts'
import { type Route, route } from '#server/http/route.ts'
import { recordDelivery } from './store.ts'

const outcomes: Readonly<Record<string, DeliveryReport>> = {
  'email.delivered': 'delivered',
  'email.bounced': 'bounced',
  'email.complained': 'complained',
}

const isSigned = (secret: string, headers: Headers, body: string): boolean => {
  const header = (name: string) =>
    headers.get(`svix-${name}`) ?? headers.get(`webhook-${name}`) ?? ''
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

export const webhookRoutes: Route[] = [
  route(reportDelivery, async ({ body, request }, { config, db }) => {
    const secret = config.mail.resendWebhookSecret
    if (!secret) throw new HttpError('not_found')
    if (!isSigned(secret, request.headers, request.rawBody)) throw new HttpError('unauthenticated')
    const outcome = outcomes[body.type]
    if (outcome)
      await recordDelivery(
        db,
        { providerId: body.data?.email_id ?? null, id: body.data?.tags.message ?? null },
        outcome,
      )
    return { data: {} }
  }),
]
