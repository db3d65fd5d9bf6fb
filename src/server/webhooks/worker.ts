import type { Deps } from '#server/deps.ts'
import type { Sent, SideLane } from '#server/mail-out/outbox.ts'
import { renderEndpointOff } from '#server/mail-out/render/account.ts'
import { webhookBody } from './body.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  dropDelivery,
  planDeliveries,
  secondsUntilDelivery,
  settleDelivery,
} from './store/deliveries.ts'

const BATCH = 10

/** The time for which a new process looks back for causes that its predecessor left unplanned. */
const FIRST_LOOK_SECONDS = 3 * 24 * 3_600

/** Longer than a statement can take from writing an event to its commit. */
const OVERLAP_SECONDS = 60

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds from a failure to the next attempt. The eighth attempt is the last. */
const retryDelays = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR] as const

type WebhookDeps = Pick<Deps, 'db' | 'config' | 'log'>

const sendOne = async ({ db, config, log }: WebhookDeps, delivery: ClaimedDelivery) => {
  const { id, endpoint, tries } = delivery
  // The record was erased meanwhile.
  if (delivery.isOfRecord && !delivery.record) return void (await dropDelivery(db, id))
  const { sendWebhook } = await import('./send.ts')
  const body = webhookBody(delivery, config.siteUrl)
  const attempt = await sendWebhook(config, endpoint, { id, body })
  const { host } = new URL(endpoint.url)
  const problem = attempt.problem ?? ''
  const { isOff } = await settleDelivery(
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

/** The worker's lane for outgoing webhooks, beside that for mail: a slow receiver delays no mail. */
export const webhookLane = (deps: WebhookDeps): SideLane => {
  const { db } = deps
  let lookedAt: number | undefined

  const plan = async (): Promise<boolean> => {
    const started = performance.now()
    const seconds =
      lookedAt === undefined
        ? FIRST_LOOK_SECONDS
        : Math.ceil((started - lookedAt) / 1_000) + OVERLAP_SECONDS
    const isAny = await planDeliveries(db, seconds)
    lookedAt = started
    return isAny
  }

  return {
    async sendBatch(): Promise<Sent> {
      if (!(await plan())) return { count: 0, isMore: false, pause: 0 }
      const claimed = await claimDeliveries(db, BATCH)
      await Promise.all(claimed.map((delivery) => sendOne(deps, delivery)))
      return { count: claimed.length, isMore: claimed.length === BATCH, pause: 0 }
    },
    secondsUntilDue: () => secondsUntilDelivery(db),
  }
}
