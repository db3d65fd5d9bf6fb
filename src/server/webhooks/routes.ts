import { sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { reportDelivery } from '#contract/webhooks.ts'
import { rows } from '#server/db/rows.ts'
import { mail } from '#server/db/schema/mail.ts'
import { HttpError } from '#server/http/http-error.ts'
import { type Route, route } from '#server/http/route.ts'

const outcomes: Readonly<Record<string, string>> = {
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
    const providerId = body.data?.email_id ?? null
    const id = body.data?.tags.message ?? null
    // A report may come twice and out of order: a bounce or a complaint is never taken back.
    if (outcome)
      await rows(
        db,
        sql`update ${mail} set delivery = ${outcome}::text
          where (provider_id = ${providerId}::text or id = ${id}::uuid)
            and (delivery is null or ${outcome}::text <> 'delivered')`,
      )
    return { data: {} }
  }),
]
