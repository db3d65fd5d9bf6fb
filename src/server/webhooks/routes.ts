import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { limits } from '#contract/limits.ts'
import * as contract from '#contract/programs/endpoints.ts'
import type { Config } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { listName, listPage, readCursor } from '#server/http/cursor.ts'
import { HttpError, invalidField, orNotFound, pathId } from '#server/http/http-error.ts'
import { namesPrivateIp } from '#server/http/outside.ts'
import { type Route, route } from '#server/http/route.ts'
import { encrypt, webhookPurpose } from '#server/secrets/encrypt.ts'
import * as deliveries from './store/deliveries.ts'
import * as endpoints from './store/endpoints.ts'

/** A secret of the Standard Webhooks scheme, with its stored form. */
const newSecret = ({ authSecret }: Config, id: string): { secret: string; sealed: string } => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { secret, sealed: encrypt(authSecret, webhookPurpose(id), secret) }
}

const refusePrivate = (url: string | undefined, { privateHosts }: Config): void => {
  if (url !== undefined && namesPrivateIp(new URL(url), privateHosts))
    throw invalidField('url', 'This address is private: webhooks go to public ones.')
}

/** Null for what removes it. */
const seal = (text: string | null | undefined, id: string, { authSecret }: Config) =>
  typeof text === 'string' ? encrypt(authSecret, webhookPurpose(id), text) : text

/** The one of `WEBHOOK_URL`. */
const environmentEndpoint = ({ webhook }: Config): contract.WebhookEndpoint[] =>
  webhook
    ? [
        {
          _id: 'environment',
          url: webhook.url,
          events: ['submission.created', 'reply.received'],
          authorization: null,
          details: false,
          enabled: true,
          disabled: null,
          problem: null,
          createdAt: null,
        },
      ]
    : []

const exists = (params: { id: string }, { db }: Pick<Deps, 'db'>): Promise<boolean> =>
  endpoints.endpointExists(db, pathId(params))

export const webhookRoutes: Route[] = [
  route(contract.listEndpoints, async (_call, { db, config }) => ({
    data: [...environmentEndpoint(config), ...(await endpoints.findEndpoints(db))],
  })),

  route(contract.addEndpoint, async ({ body, actor }, { db, config }) => {
    const { authorization, ...chosen } = body
    refusePrivate(chosen.url, config)
    const id = uuid()
    const { secret, sealed: sealedSecret } = newSecret(config, id)
    const sealedAuthorization = seal(authorization, id, config) ?? null
    const made = await endpoints.insertEndpoint(db, actor, {
      ...chosen,
      id,
      sealedSecret,
      sealedAuthorization,
    })
    if (!made)
      throw new HttpError(
        'conflict',
        `There are ${limits.webhookEndpoints} webhooks at most. Remove one that is not used.`,
      )
    return { data: { ...made, secret } }
  }),

  route(
    contract.changeEndpoint,
    async ({ params, body, actor, request }, deps) => {
      const { db, config } = deps
      const id = pathId(params)
      const { authorization, ...chosen } = body
      refusePrivate(chosen.url, config)
      const sealedAuthorization = seal(authorization, id, config)
      // Plans the events that it wanted so far, before the new list counts.
      if (chosen.events) await deliveries.planDeliveries(db, deliveries.FIRST_LOOK_SECONDS)
      const data = orNotFound(
        await endpoints.updateEndpoint(db, actor, id, { ...chosen, sealedAuthorization }),
      )
      request.afterResponse(deps.deliver())
      return { data }
    },
    { exists },
  ),

  route(contract.removeEndpoint, async ({ params, actor }, { db }) => {
    orNotFound(await endpoints.deleteEndpoint(db, actor, pathId(params)))
    return { data: {} }
  }),

  route(contract.renewSecret, async ({ params, actor }, { db, config }) => {
    const id = pathId(params)
    const { secret, sealed } = newSecret(config, id)
    return { data: { ...orNotFound(await endpoints.replaceSecret(db, actor, id, sealed)), secret } }
  }),

  route(contract.testEndpoint, async ({ params, actor, request }, deps) => {
    const _id = orNotFound(await deliveries.queueTest(deps.db, actor, pathId(params)))
    request.afterResponse(deps.deliver())
    return { data: { _id } }
  }),

  route(
    contract.listDeliveries,
    async ({ params, query }, { db }) => {
      const id = pathId(params)
      const name = listName('deliveries', id)
      const before = query.cursor ? readCursor(name, query.cursor).id : null
      const size = limits.page.max
      const page = { before, count: size + 1 }
      const found = orNotFound(await deliveries.listDeliveries(db, id, page))
      return listPage(name, found, size)
    },
    { exists },
  ),

  route(contract.retryDelivery, async ({ params, actor, request }, deps) => {
    const { delivery: data } = orNotFound(
      await deliveries.retryDelivery(deps.db, actor, pathId(params)),
    )
    if (!data) throw new HttpError('conflict', 'This webhook is switched off. Switch it on first.')
    request.afterResponse(deps.deliver())
    return { data }
  }),
]
