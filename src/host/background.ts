import { sealAuditLog } from '#server/audit/seal.ts'
import { type Deps, type LogEntry, nameOf } from '#server/deps.ts'
import { createOutbox, secondsUntilWork } from '#server/mail-out/outbox.ts'
import { runRetention } from '#server/privacy/retention.ts'
import { REFRESH_MS, refreshCalendars } from '#server/times/busy.ts'
import { createWorker } from '#server/worker.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The timer’s rounds, in seconds. */
const ROUND = 10

/** The background work of a long-lived process: here timers do what schedules do on Netlify. */
export function startBackground(worker: Pick<Deps, 'config' | 'db' | 'log' | 'visits'>) {
  const { config, db, log, visits } = worker
  const sender = createWorker({ config, db, log })
  const outbox = createOutbox(sender)
  const logAs = (level: LogEntry['level'], event: string) => (error: unknown) =>
    log({ level, event, name: nameOf(error) })
  let cleaning: Promise<unknown> = Promise.resolve()
  const clean = () => {
    cleaning = cleaning.then(() => runRetention(worker)).catch(logAs('error', 'retention_failed'))
  }
  let refreshing: Promise<unknown> = Promise.resolve()
  const refresh = () => {
    refreshing = refreshing
      .then(() => refreshCalendars({ config, db }))
      .catch(logAs('warn', 'calendars_not_read'))
  }
  let sealing: Promise<unknown> = Promise.resolve()
  const seal = (options?: Parameters<typeof sealAuditLog>[1]) => {
    sealing = sealing.then(() => sealAuditLog({ db, log }, options))
  }
  const fold = () => visits.fold().catch(logAs('warn', 'visits_not_stored'))
  const timers = [
    setInterval(fold, MINUTE),
    setInterval(() => {
      void wake()
      seal()
    }, ROUND * SECOND),
    setInterval(clean, 6 * HOUR),
    setInterval(refresh, REFRESH_MS),
  ]
  const delayed = new Set<NodeJS.Timeout>()
  let isStopped = false
  const wakeIn = (seconds: number, work: () => unknown = () => wake()) => {
    if (isStopped) return
    const timer = setTimeout(() => {
      delayed.delete(timer)
      work()
    }, seconds * SECOND)
    delayed.add(timer)
  }
  let lastRun: Promise<void> | undefined
  let looking = Promise.resolve()
  /** Sends what is due. A webhook that fails is tried again in time, also before the next round. */
  const wake = (): Promise<void> => {
    const run = outbox.wake()
    if (run !== lastRun) {
      lastRun = run
      looking = run.then(lookAhead)
    }
    return run
  }
  const lookAhead = async (): Promise<void> => {
    await sender.webhooks?.settled?.()
    const seconds = await sender.webhooks?.secondsUntilDue().catch(() => null)
    if (seconds != null && seconds > 0 && seconds < ROUND) wakeIn(seconds)
  }
  let wasOverdue = false
  /** An ended process left behind what it would have sent within a round: nobody has called `deliver` for it here. */
  const takeOver = async (): Promise<void> => {
    await wake()
    // If the database is out of reach, the next round tries again.
    const seconds = await secondsUntilWork(sender).catch(() => null)
    if (seconds === null || seconds >= ROUND) return
    // Work that fell due during that run is done at once; what cannot be sent waits for the next
    // round.
    const isOverdue = seconds <= 0
    if (!(isOverdue && wasOverdue)) wakeIn(Math.max(0, seconds), beginTakeOver)
    wasOverdue = isOverdue
  }
  let takingOver = Promise.resolve()
  const beginTakeOver = () => {
    takingOver = takeOver()
  }
  beginTakeOver()
  seal({ isWhole: true })
  clean()
  return {
    deliver(seconds?: number) {
      if (seconds !== undefined) wakeIn(seconds)
      return wake()
    },
    async stop() {
      isStopped = true
      for (const timer of timers) clearInterval(timer)
      for (const timer of delayed) clearTimeout(timer)
      await Promise.all([outbox.stop(), takingOver, cleaning, sealing, refreshing, fold(), looking])
    },
  }
}
