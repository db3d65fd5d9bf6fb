import { type Deps, nameOf } from '#server/deps.ts'
import type { Digests } from './outbox.ts'
import { renderDigest } from './render/digest.ts'
import * as store from './store/digest.ts'

/** The UTC day of the latest digest by this process's clock, YYYY-MM-DD. */
const dayByClock = (hour: number): string =>
  new Date(Date.now() - hour * 3_600_000).toISOString().slice(0, 10)

/**
 * The daily digest of those who want it. A row for each person says which day's they have got, so any
 * number of processes send one; a process asks the database once a day.
 */
export const createDigests = ({
  db,
  config,
  log,
}: Pick<Deps, 'db' | 'config' | 'log'>): Digests => {
  const { digestHour: hour, authSecret, siteUrl } = config
  let queuedDay: string | undefined

  return {
    async queue() {
      if (queuedDay !== undefined && queuedDay >= dayByClock(hour)) return
      try {
        const state = await store.readDigestState(db, hour)
        if (state.waiting > 0) {
          const digest = renderDigest(await store.readDigestFacts(db, hour), siteUrl)
          await store.queueDigest(db, { authSecret, digestHour: hour }, digest)
        }
        // The database's clock decides; where this one is ahead of it, it is asked again.
        queuedDay = state.day
      } catch (error) {
        log({ level: 'warn', event: 'digest_not_queued', name: nameOf(error) })
      }
    },
    secondsUntilDue: () => store.secondsUntilDigest(db, hour),
  }
}
