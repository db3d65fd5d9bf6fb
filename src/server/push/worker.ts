import type { PushPayload } from '#contract/push.ts'
import type { Deps } from '#server/deps.ts'
import { firstName } from '#server/kinds/first-name.ts'
import { lookBack, type Sent, type SideLane } from '#server/mail-out/outbox.ts'
import { nextStep } from '#server/mail-out/retry-policy.ts'
import type { VapidKeys } from '#server/secrets/vapid.ts'
import type { Fetch, PushResult } from './send.ts'
import { openDevice } from './store/devices.ts'
import * as store from './store/pushes.ts'

const payloadOf = (
  { reason, cause, record }: store.ClaimedPush,
  mayChange: boolean,
): PushPayload => ({
  reason,
  kind: record?.kind ?? null,
  name: record && firstName(record.fields),
  _id: record?.id ?? null,
  tag: cause,
  canClaim: mayChange && record !== null && !record.isAssigned,
})

const BATCH = 10

const FIRST_LOOK_SECONDS = 2 * 3_600

/** Attempts of one notification; what is not taken within minutes is no news any more. */
const MOST_ATTEMPTS = 4

type PushDeps = Pick<Deps, 'db' | 'config' | 'log'>

/** Sends one notification, unless its device or its reason has gone. */
const sendOne = async (
  { config }: PushDeps,
  keys: VapidKeys,
  push: store.ClaimedPush,
  fetch: Fetch,
): Promise<PushResult | { outcome: 'pointless' }> => {
  const { device: stored, record, reason } = push
  const device = stored && openDevice(config.authSecret, stored)
  if (!device || (!record && reason !== 'test')) return { outcome: 'pointless' }
  const payload = payloadOf(push, stored.mayChange)
  const { sendPush } = await import('./send.ts')
  return sendPush(config, keys, { device, payload }, fetch)
}

const settle = async (
  { db, log }: PushDeps,
  { id, subscriptionId, attempts }: store.ClaimedPush,
  result: Awaited<ReturnType<typeof sendOne>>,
): Promise<void> => {
  const { outcome } = result
  log({
    level: outcome === 'permanent' ? 'error' : 'info',
    event: `push_${outcome}`,
    pushId: id,
    ...('error' in result ? { error: result.error } : {}),
  })
  if (outcome === 'gone') return void (await store.forgetDevice(db, subscriptionId))
  const next = outcome === 'temporary' && nextStep({ ...result, outcome }, attempts + 1)
  if (next && next.status === 'waiting' && attempts + 1 < MOST_ATTEMPTS)
    await store.postponePush(db, id, next.delay)
  else await store.finishPush(db, id)
}

/** The worker's lane for notifications; undefined without keys. */
export const pushLane = (deps: PushDeps, fetch: Fetch = globalThis.fetch): SideLane | undefined => {
  const { db, config } = deps
  const { push: keys } = config
  if (!keys) return undefined
  const plan = lookBack(FIRST_LOOK_SECONDS, (seconds) => store.planPushes(db, seconds))

  return {
    async sendBatch(): Promise<Sent> {
      await plan()
      const claimed = await store.claimPushes(db, BATCH)
      await Promise.all(
        claimed.map(async (push) => settle(deps, push, await sendOne(deps, keys, push, fetch))),
      )
      return { count: claimed.length, isMore: claimed.length === BATCH, pause: 0 }
    },
    secondsUntilDue: () => store.secondsUntilPush(db),
  }
}
