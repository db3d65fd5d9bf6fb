import { setTimeout as sleep } from 'node:timers/promises'
import type { DueTimes } from '#netlify/due-times.ts'
import { sealAuditLog } from '#server/audit/seal.ts'
import { withoutTimeLimit } from '#server/db/time-limit.ts'
import { nameOf } from '#server/deps.ts'
import { drain, secondsUntilWork, type Worker } from '#server/mail-out/outbox.ts'

const SECOND = 1_000

/** The time of one run: a scheduled function is ended after 30 seconds. */
const BUDGET_MS = 24 * SECOND

/** Time between a call and the run that looks after what it may have left. */
const LEAD_MS = 30 * SECOND

/** By then every call has committed or failed, clocks that differ a little included. */
const SETTLED_MS = 10 * SECOND

/** After a failure of the store, calls do not wait for it again for this long. */
const AWAY_MS = 30 * SECOND

/**
 * The outbox of a deploy without a process that stays. A call sends its own mail after the answer;
 * a run each minute sends what is due later or was left behind. Which minutes have something to do is
 * known from the due times alone.
 */
export function createDeployedOutbox(
  worker: Worker,
  times: DueTimes,
  now: () => number = Date.now,
) {
  const { log } = worker
  /** This process's own latest due time; calls that come well before it need no other. */
  let scheduled = 0
  let awayUntil = 0

  const warn = (event: string, error: unknown): void => {
    log({ level: 'warn', event, name: nameOf(error) })
  }

  const scheduleDelivery = async (): Promise<void> => {
    const time = now()
    if (scheduled - time >= SETTLED_MS || time < awayUntil) return
    try {
      scheduled = await times.add(time + LEAD_MS)
    } catch (error) {
      awayUntil = time + AWAY_MS
      warn('due_time_not_kept', error)
    }
  }

  /** Nobody waits for this, so that it can outlast a short failure of the store. */
  const keepNext = async (seconds: number): Promise<void> => {
    for (const pause of [1, 2, 0]) {
      try {
        await times.add(now() + Math.max(0, seconds) * SECOND)
        return
      } catch (error) {
        if (pause === 0) throw error
        await sleep(pause * SECOND)
      }
    }
  }

  /** Sends what the budget allows and keeps the time of what is due next; whether that succeeded. */
  const lookAfter = ({ budgetMs = BUDGET_MS } = {}): Promise<boolean> =>
    withoutTimeLimit(async () => {
      try {
        await drain(worker, { budgetMs })
        await sealAuditLog(worker, { isWhole: budgetMs === 0 })
        const seconds = await secondsUntilWork(worker)
        if (seconds !== null) await keepNext(seconds)
        return true
      } catch (error) {
        warn('outbox_stopped', error)
        return false
      }
    })

  return {
    scheduleDelivery,
    async deliver() {
      await lookAfter()
    },
    /** Gives whatever waits a due time, should it have none; runs once a night. */
    async sweep() {
      await lookAfter({ budgetMs: 0 })
    },
    /**
     * The work of each minute's schedule: it does not reach the database unless a time has come.
     *
     * @param prepare called then, before anything is sent; it never rejects
     */
    async run(prepare = async () => {}) {
      const reached = await times.reached(now()).catch((error: unknown) => {
        // If the times are missing, nobody knows whether there is work: the database is asked.
        warn('due_times_away', error)
        return null
      })
      if (reached?.length === 0) return
      await prepare()
      // Unfinished work keeps its time, and is looked at again in a minute.
      if ((await lookAfter()) && reached) {
        await times.remove(reached).catch((error: unknown) => warn('due_times_away', error))
      }
    },
  }
}
