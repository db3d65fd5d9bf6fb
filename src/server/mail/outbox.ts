import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#server/db/database.ts'
import type { LogEntry } from '#server/deps.ts'
import type { Sender } from './message.ts'
import { nextStep } from './retry-policy.ts'
import {
  type Claimed,
  claimAcknowledgements,
  claimDue,
  holdBackAcknowledgements,
  postpone,
  recordAttempt,
} from './store.ts'

/** Messages sent at once, at most each second: the rate that the provider takes. */
const BATCH = 10
const BATCH_MS = 1_000

/** The longest that a batch takes: the senders' own limit, and writing down how it went. */
const LONGEST_BATCH_MS = 12_000

/** Mail and webhooks go side by side, so that neither waits for the other's receiver. */
const lanes = ['mail', 'webhooks'] as const
type Lane = (typeof lanes)[number]

export interface Worker {
  db: Database
  send: Sender
  log: (entry: LogEntry) => void
  /** Acknowledgements that may leave within an hour; other mail does not count. */
  mailPerHour: number
}

/** Tries one message; the seconds for which its receiver asks to be left alone. */
const attempt = async ({ db, send, log }: Worker, message: Claimed): Promise<number> => {
  const delivery = await send(message)
  const next = nextStep(delivery, message.attempts + 1)
  const isKept = await recordAttempt(db, message.id, next)
  // Data that was erased while the message was on its way must not stay in the mailbox.
  if (!isKept && delivery.outcome === 'sent') await delivery.withdraw?.()
  log({
    level: next.status === 'failed' ? 'error' : 'info',
    event: `mail_${next.status}`,
    mailId: message.id,
    attempt: message.attempts + 1,
    ...('error' in next ? { error: next.error } : {}),
  })
  return delivery.outcome === 'sent' ? 0 : (delivery.retryAfter ?? 0)
}

interface Batch {
  claimed: Claimed[]
  /** Whether more may be due behind it. */
  isMore: boolean
}

/** Claims what goes next: mail before acknowledgements, and those within their hourly limit. */
const nextBatch = async ({ db, mailPerHour }: Worker, lane: Lane): Promise<Batch> => {
  const claimed = await claimDue(db, lane, BATCH)
  if (lane === 'webhooks') return { claimed, isMore: claimed.length === BATCH }
  if (claimed.length > 0) return { claimed, isMore: true }
  const { claimed: acknowledgements, isLimited } = await claimAcknowledgements(
    db,
    BATCH,
    mailPerHour,
  )
  if (isLimited) await holdBackAcknowledgements(db)
  return { claimed: acknowledgements, isMore: acknowledgements.length === BATCH }
}

/** Sends one batch of a lane: how many messages it had, and whether there may be more. */
const sendBatch = async (
  worker: Worker,
  lane: Lane,
): Promise<{ count: number; isMore: boolean }> => {
  const { claimed, isMore } = await nextBatch(worker, lane)
  const attempts = await Promise.allSettled(claimed.map((message) => attempt(worker, message)))
  const pauses = attempts.map((ended) => {
    if (ended.status === 'rejected') throw ended.reason
    return ended.value
  })
  const pause = Math.max(0, ...pauses)
  if (pause > 0) {
    await postpone(worker.db, lane, pause)
    if (lane === 'mail') await postpone(worker.db, 'acknowledgements', pause)
  }
  return { count: claimed.length, isMore }
}

/**
 * Sends everything that is due, for a worker with a time limit: no batch begins that might not end
 * within the budget.
 */
export const drain = async (
  worker: Worker,
  { budgetMs = Number.POSITIVE_INFINITY, batchMs = BATCH_MS } = {},
): Promise<void> => {
  const end = performance.now() + budgetMs
  const drainLane = async (lane: Lane): Promise<void> => {
    while (performance.now() + LONGEST_BATCH_MS <= end) {
      const { count, isMore } = await sendBatch(worker, lane)
      if (!isMore) return
      await sleep((batchMs * count) / BATCH)
    }
  }
  const ended = await Promise.allSettled(lanes.map(drainLane))
  for (const lane of ended) if (lane.status === 'rejected') throw lane.reason
}

/** One lane of a long-lived worker: calls while it runs join it. */
const createLane = (worker: Worker, lane: Lane, batchMs: number) => {
  let running: Promise<void> | null = null
  let again = false
  let stopped = false

  const run = async (): Promise<void> => {
    do {
      again = false
      const { count, isMore } = await sendBatch(worker, lane)
      if (stopped) return
      if (again) await sleep(batchMs)
      else if (isMore) await sleep((batchMs * count) / BATCH)
      again ||= isMore
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
    async stop(): Promise<void> {
      stopped = true
      await running
    },
  }
}

/**
 * A worker for a long-lived process: `wake` sends what is due, one batch at a time. The pause
 * between batches leaves the processor and the provider's rate limit to others. Never rejects.
 */
export const createOutbox = (worker: Worker, batchMs = BATCH_MS) => {
  const [mail, webhooks] = lanes.map((lane) => createLane(worker, lane, batchMs)) as [
    ReturnType<typeof createLane>,
    ReturnType<typeof createLane>,
  ]
  let joined: { parts: Promise<void>[]; all: Promise<void> } | null = null

  return {
    /** Answers the same promise while it is about the same work: callers keep each of them. */
    wake(): Promise<void> {
      const parts = [mail.wake(), webhooks.wake()]
      if (!joined || parts.some((part, n) => part !== joined?.parts[n]))
        joined = { parts, all: Promise.all(parts).then(() => {}) }
      return joined.all
    },
    /** Ends after the batches that are under way. */
    async stop(): Promise<void> {
      await Promise.all([mail.stop(), webhooks.stop()])
    },
  }
}
