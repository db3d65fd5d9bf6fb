import { sealAuditLog } from '#server/audit/seal.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import type { LogEntry } from '#server/deps.ts'
import { createOutbox } from '#server/mail/outbox.ts'
import { runRetention } from '#server/privacy/retention.ts'
import { createWorker } from '#server/worker.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND

export interface Background {
  /** Nothing to do here: the timer finds what a process that ended left behind. */
  scheduleDelivery: () => Promise<void>
  /** Sends what waits in the outbox now, and again after this number of seconds. */
  deliver: (seconds?: number) => Promise<void>
  /** Ends after what is under way. */
  stop: () => Promise<void>
}

/** What a long-lived process does by itself: here timers do what schedules do on Netlify. */
export function startBackground(worker: {
  config: Config
  db: Database
  log: (entry: LogEntry) => void
}): Background {
  const { config, db, log } = worker
  const outbox = createOutbox(createWorker({ config, db, log }))
  let cleaning = Promise.resolve()
  const clean = () => {
    cleaning = cleaning.then(async () => {
      try {
        await runRetention(worker)
      } catch (error) {
        const name = error instanceof Error ? error.name : 'unknown'
        log({ level: 'error', event: 'retention_failed', name })
      }
    })
  }
  let sealing = Promise.resolve()
  const seal = (options?: Parameters<typeof sealAuditLog>[1]) => {
    sealing = sealing.then(() => sealAuditLog({ db, log }, options))
  }
  const timers = [
    setInterval(() => {
      void outbox.wake()
      seal()
    }, 10 * SECOND),
    setInterval(clean, 6 * HOUR),
  ]
  const delayed = new Set<NodeJS.Timeout>()
  const wakeIn = (seconds: number) => {
    const timer = setTimeout(() => {
      delayed.delete(timer)
      void outbox.wake()
    }, seconds * SECOND)
    delayed.add(timer)
  }
  void outbox.wake()
  seal({ isWhole: true })
  clean()
  return {
    scheduleDelivery: async () => {},
    deliver(seconds) {
      if (seconds !== undefined) wakeIn(seconds)
      return outbox.wake()
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      for (const timer of delayed) clearTimeout(timer)
      await Promise.all([outbox.stop(), cleaning, sealing])
    },
  }
}
