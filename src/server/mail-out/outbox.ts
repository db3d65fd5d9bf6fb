import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#server/db/drizzle.ts'
import { type LogEntry, nameOf } from '#server/deps.ts'
import type { Delivery, Sender } from './message.ts'
import { nextStep } from './retry-policy.ts'
import * as queue from './store/queue.ts'

/** Batch size: messages claimed together and started within one second, the provider's rate limit. */
const BATCH = 10
const BATCH_MS = 1_000

/** The longest duration of a batch: starting its messages, the senders' time limit, storing results. */
const LONGEST_BATCH_MS = 12_500

/** The longest pause that a worker with a time limit waits for instead of ending. */
const SHORT_PAUSE_MS = 5_000

/** A queue of other deliveries that a worker sends in batches beside mail. */
export interface SideLane {
  sendBatch(): Promise<Sent>
  /** Resolves once the attempts that outlast their batch have ended; undefined where none does. */
  settled?: () => Promise<void>
  /** Null where nothing waits. */
  secondsUntilDue(): Promise<number | null>
}

/** Mail that the program sends at a set hour. */
export interface Digests {
  /** Queues what is due; never throws. */
  queue(): Promise<void>
  /** Null where nobody wants one. */
  secondsUntilDue(): Promise<number | null>
}

export interface Worker {
  db: Database
  send: Sender
  log: (entry: LogEntry) => void
  /** Acknowledgements that may be sent per hour; other mail does not count. */
  mailPerHour: number
  digests?: Digests
  /** To the endpoints that staff have added. */
  webhooks?: SideLane
  pushes?: SideLane | undefined
}

const attempt = async ({ db, send, log }: Worker, message: queue.Claimed): Promise<Delivery> => {
  const delivery = await send(message)
  const next = nextStep(delivery, message.attempts + 1)
  const isKept = await queue.recordAttempt(db, message.id, next)
  // Data that was erased during sending must not stay in the mailbox.
  if (!isKept && delivery.outcome === 'sent') await delivery.withdraw?.()
  log({
    level: next.status === 'failed' ? 'error' : 'info',
    event: `mail_${next.status}`,
    mailId: message.id,
    attempt: message.attempts + 1,
    ...('error' in next ? { error: next.error } : {}),
  })
  return delivery
}

/**
 * Claims the next batch: acknowledgements before mail to staff, and within their hourly limit. `isMore` tells that more
 * may be due behind it.
 */
const nextBatch = async ({ db, mailPerHour, digests }: Worker, lane: queue.Lane) => {
  if (lane === 'mail') await digests?.queue()
  if (lane === 'webhooks') {
    const claimed = await queue.claimDue(db, 'webhooks', BATCH)
    return { claimed, isMore: claimed.length === BATCH }
  }
  const urgent = await queue.claimDue(db, 'urgent', BATCH)
  if (urgent.length > 0) return { claimed: urgent, isMore: true }
  const { claimed, isLimited } = await queue.claimAcknowledgements(db, BATCH, mailPerHour)
  if (isLimited) await queue.holdBackAcknowledgements(db)
  if (claimed.length > 0) return { claimed, isMore: true }
  const staff = await queue.claimDue(db, 'staff', BATCH)
  // The next change of an appointment is due once this one has left.
  return {
    claimed: staff,
    isMore: staff.length === BATCH || staff.some(({ calendar }) => calendar),
  }
}

export interface Sent {
  count: number
  /** True if there may be more behind this batch. */
  isMore: boolean
  /** Seconds that the receiver asks us to wait. */
  pause: number
  /** True if a message to a sender is among them: webhooks announce it once it has left. */
  hasMessage?: boolean
}

/**
 * Sends one batch of a lane, its messages evenly spaced. When the receiver asks for a pause, messages
 * that were not started are released, and the whole lane waits.
 */
const sendBatch = async (worker: Worker, lane: queue.Lane, batchMs: number): Promise<Sent> => {
  const { claimed, isMore } = await nextBatch(worker, lane)
  const started: Promise<void>[] = []
  let pause = 0
  let failure: unknown
  for (const message of claimed) {
    if (started.length > 0) await sleep(batchMs / BATCH)
    if (pause > 0 || failure) break
    const ended = attempt(worker, message).then(
      (delivery) => {
        if (delivery.outcome !== 'sent') pause = Math.max(pause, delivery.retryAfter ?? 0)
      },
      (error: unknown) => {
        failure ??= error
      },
    )
    started.push(ended)
  }
  await Promise.all(started)
  if (failure) throw failure
  const unsent = claimed.slice(started.length).map(({ id }) => id)
  if (unsent.length > 0) await queue.giveBack(worker.db, unsent)
  if (pause > 0) await queue.postpone(worker.db, lane, pause)
  const hasMessage = claimed.some(({ kind }) => kind === 'message')
  return { count: claimed.length, isMore, pause, hasMessage }
}

/** Seconds until there is something to do, negative where it is overdue; null where nothing waits. */
export const secondsUntilWork = async ({
  db,
  digests,
  webhooks,
  pushes,
}: Worker): Promise<number | null> => {
  const waits = await Promise.all([
    queue.secondsUntilDue(db),
    digests?.secondsUntilDue() ?? null,
    webhooks?.secondsUntilDue() ?? null,
    pushes?.secondsUntilDue() ?? null,
  ])
  const known = waits.filter((seconds) => seconds !== null)
  return known.length > 0 ? Math.min(...known) : null
}

const senders = (worker: Worker, batchMs: number): (() => Promise<Sent>)[] => {
  const { webhooks, pushes } = worker
  return [
    ...queue.lanes.map((lane) => () => sendBatch(worker, lane, batchMs)),
    ...[webhooks, pushes].flatMap((lane) => (lane ? [() => lane.sendBatch()] : [])),
  ]
}

/**
 * Sends everything that is due, for a worker with a time limit: starts no batch that may exceed the
 * budget.
 */
export const drain = async (
  worker: Worker,
  { budgetMs = Number.POSITIVE_INFINITY, batchMs = BATCH_MS } = {},
): Promise<void> => {
  const { webhooks } = worker
  const end = performance.now() + budgetMs
  let hasUnannounced = false
  const drainLane = async (send: () => Promise<Sent>): Promise<void> => {
    while (performance.now() + LONGEST_BATCH_MS <= end) {
      const { isMore, pause, hasMessage } = await send()
      if (hasMessage) hasUnannounced = true
      if (!isMore || pause * 1_000 > SHORT_PAUSE_MS) return
      await sleep(Math.max(pause * 1_000, batchMs / BATCH))
    }
  }
  const ended = await Promise.allSettled(senders(worker, batchMs).map(drainLane))
  // The webhooks' lane looked for sent messages before these were sent.
  if (hasUnannounced && webhooks)
    ended.push(...(await Promise.allSettled([drainLane(() => webhooks.sendBatch())])))
  await webhooks?.settled?.()
  for (const lane of ended) if (lane.status === 'rejected') throw lane.reason
}

/**
 * One lane of a long-lived worker: calls during a run join that run. Unless it knows of more to send, a
 * lane claims once in `batchMs`, so that many submissions do not each cost a claim.
 */
const createLane = (worker: Worker, send: () => Promise<Sent>, batchMs: number) => {
  let running: Promise<void> | null = null
  let again = false
  let nextClaim = 0
  const stopping = new AbortController()
  const { signal } = stopping

  const pause = async (): Promise<void> => {
    const left = nextClaim - performance.now()
    if (left > 0) await sleep(left, undefined, { signal }).catch(() => {})
  }

  const run = async (): Promise<void> => {
    try {
      await pause()
      while (!signal.aborted) {
        again = false
        const { count, isMore } = await send()
        const missing = isMore && !again ? 0 : BATCH - count
        nextClaim = performance.now() + (batchMs * Math.max(1, missing)) / BATCH
        if (!again && !isMore) return
        await pause()
      }
    } catch (error) {
      worker.log({ level: 'warn', event: 'outbox_stopped', name: nameOf(error) })
    } finally {
      // In one step with the last look at `again`: a call between the two would be lost.
      running = null
    }
  }

  return {
    current: () => running,
    wake(): void {
      if (running) again = true
      else running = run()
    },
    async stop(): Promise<void> {
      stopping.abort()
      await running
    },
  }
}

/**
 * A worker for a long-lived process: `wake` sends what is due, one batch at a time. Pauses
 * between batches, for other work and for the provider's rate limit. Never rejects.
 */
export const createOutbox = (worker: Worker, batchMs = BATCH_MS) => {
  const allLanes = senders(worker, batchMs).map((send) => createLane(worker, send, batchMs))
  let joined: Promise<void> | null = null

  const untilAllRest = async (): Promise<void> => {
    for (;;) {
      const runs = allLanes.flatMap((lane) => lane.current() ?? [])
      if (runs.length === 0) break
      await Promise.all(runs)
    }
    // At once: a caller of the next moment starts a run that this promise has not waited for.
    joined = null
  }

  return {
    /**
     * Returns the same promise until no lane runs: callers keep each promise, and a lane that is busy
     * for hours keeps everything that waits for it.
     */
    wake(): Promise<void> {
      for (const lane of allLanes) lane.wake()
      joined ??= untilAllRest()
      return joined
    },
    /** Stops after the current batches and attempts. */
    async stop(): Promise<void> {
      await Promise.all(allLanes.map((lane) => lane.stop()))
      await worker.webhooks?.settled?.()
    },
  }
}

/** Longer than a statement can take from writing an event to its commit. */
const OVERLAP_SECONDS = 60

/**
 * Plans from the causes since the last look.
 *
 * @param firstSeconds the time for which a new process looks back for causes that its predecessor left unplanned
 */
export const lookBack = <T>(firstSeconds: number, plan: (seconds: number) => Promise<T>) => {
  let lookedAt: number | undefined
  return async (): Promise<T> => {
    const started = performance.now()
    const seconds =
      lookedAt === undefined
        ? firstSeconds
        : Math.ceil((started - lookedAt) / 1_000) + OVERLAP_SECONDS
    const planned = await plan(seconds)
    lookedAt = started
    return planned
  }
}
