import type { Database } from '#server/db/database.ts'
import type { LogEntry } from '#server/deps.ts'
import { nextStep } from './ladder.ts'
import type { Sender } from './message.ts'
import { claimDue, recordAttempt } from './store.ts'

const BATCH = 10

interface Worker {
  db: Database
  send: Sender
  log: (entry: LogEntry) => void
}

/** Sends one batch of what is due; how many messages it took. */
const drainOnce = async ({ db, send, log }: Worker): Promise<number> => {
  const claimed = await claimDue(db, BATCH)
  for (const message of claimed) {
    const delivery = await send(message)
    const next = nextStep(delivery, message.attempts + 1)
    const isKept = await recordAttempt(db, message.id, next)
    // Whoever had their data erased while this was on its way must not find it in the mailbox.
    if (!isKept && delivery.outcome === 'sent') await delivery.withdraw?.()
    log({
      level: next.status === 'failed' ? 'error' : 'info',
      event: `mail_${next.status}`,
      mailId: message.id,
      attempt: message.attempts + 1,
      ...('error' in next ? { error: next.error } : {}),
    })
  }
  return claimed.length
}

/** Sends everything that is due, for a worker with a time limit. */
export const drain = async (worker: Worker): Promise<void> => {
  while ((await drainOnce(worker)) === BATCH);
}

/**
 * A worker for a long-lived process: `wake` sends what is due, one batch at a time. Calls while it
 * runs join it, and a pause between batches leaves the processor and the provider's rate limit
 * to others. Never rejects.
 */
export const createOutbox = (worker: Worker, pauseMs = 1_000) => {
  let running: Promise<void> | null = null
  let again = false
  let stopped = false
  const pause = () =>
    new Promise<void>((resolve) => {
      setTimeout(resolve, pauseMs)
    })

  const run = async (): Promise<void> => {
    do {
      again = false
      const taken = await drainOnce(worker)
      if (taken === BATCH) again = true
      if (again && !stopped) await pause()
    } while (again && !stopped)
  }

  return {
    wake(): Promise<void> {
      if (running) {
        again = true
        return running
      }
      running = run()
        .catch((error: unknown) => {
          worker.log({
            level: 'warn',
            event: 'outbox_stopped',
            name: error instanceof Error ? error.name : 'unknown',
          })
        })
        .finally(() => {
          running = null
        })
      return running
    },
    /** Ends after the batch that is under way. */
    async stop(): Promise<void> {
      stopped = true
      await running
    },
  }
}
