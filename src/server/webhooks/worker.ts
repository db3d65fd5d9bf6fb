import { setTimeout as sleep } from 'node:timers/promises'
import { type Deps, nameOf } from '#server/deps.ts'
import { lookBack, type Sent, type SideLane } from '#server/mail-out/outbox.ts'
import { renderEndpointOff } from '#server/mail-out/render/account.ts'
import { webhookBody } from './body.ts'
import * as store from './store/deliveries.ts'

/** Attempts under way at one endpoint. */
const PER_ENDPOINT = 10

/** The time for which a batch waits for its receivers; slower attempts go on beside the next batches. */
const GRACE_MS = 1_000

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds from a failure to the next attempt. The eighth attempt is the last. */
const retryDelays = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR] as const

type WebhookDeps = Pick<Deps, 'db' | 'config' | 'log'>

const sendOne = async ({ db, config, log }: WebhookDeps, delivery: store.ClaimedDelivery) => {
  const { id, endpoint, tries } = delivery
  // The record was erased meanwhile.
  if (delivery.isOfRecord && !delivery.record) return void (await store.dropDelivery(db, id))
  const { sendWebhook } = await import('./send.ts')
  const body = webhookBody(delivery, config.siteUrl)
  const attempt = await sendWebhook(config, endpoint, { id, body })
  const { host } = new URL(endpoint.url)
  const problem = attempt.problem ?? ''
  const isOff = await store.settleDelivery(
    db,
    { id, attempt, delay: retryDelays[tries] ?? null },
    renderEndpointOff({ host, problem, isGone: attempt.status === 410 }, config.siteUrl),
  )
  log({
    level: isOff ? 'error' : 'info',
    event: attempt.problem === null ? 'webhook_delivered' : 'webhook_failed',
    deliveryId: id,
    attempt: tries + 1,
    ...(attempt.problem === null ? {} : { error: attempt.problem }),
  })
}

/**
 * The worker's lane for outgoing webhooks, beside that for mail: a slow receiver delays neither mail nor
 * another receiver.
 */
export const webhookLane = (deps: WebhookDeps): SideLane => {
  const { db, log } = deps
  const plan = lookBack(store.FIRST_LOOK_SECONDS, (seconds) => store.planDeliveries(db, seconds))
  /** The attempts under way, with their endpoint. */
  const open = new Map<Promise<void>, string>()

  const start = (delivery: store.ClaimedDelivery): void => {
    const attempt: Promise<void> = sendOne(deps, delivery)
      // Its lease runs out, and it is sent again.
      .catch((error: unknown) => {
        log({ level: 'warn', event: 'outbox_stopped', name: nameOf(error) })
      })
      .finally(() => open.delete(attempt))
    open.set(attempt, delivery.endpoint.id)
  }

  const settled = async (): Promise<void> => {
    await Promise.all(open.keys())
  }

  return {
    async sendBatch(): Promise<Sent> {
      if (!(await plan())) return { count: 0, isMore: false, pause: 0 }
      const openOf = Object.fromEntries(
        [...Map.groupBy(open.values(), (id) => id)].map(([id, { length }]) => [id, length]),
      )
      const claimed = await store.claimDeliveries(db, PER_ENDPOINT, openOf)
      for (const delivery of claimed) start(delivery)
      if (claimed.length > 0)
        await Promise.race([settled(), sleep(GRACE_MS, undefined, { ref: false })])
      return { count: claimed.length, isMore: claimed.length > 0, pause: 0 }
    },
    settled,
    secondsUntilDue: () => store.secondsUntilDelivery(db),
  }
}
