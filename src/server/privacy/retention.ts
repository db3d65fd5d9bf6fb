import { setImmediate } from 'node:timers/promises'
import type { Database } from '#server/db/drizzle.ts'
import { removeReplaced } from '#server/db/embedded/replaced.ts'
import { recordProgramEvent } from '#server/db/events/record-event.ts'
import { setMarker } from '#server/db/markers.ts'
import { vacuum } from '#server/db/vacuum.ts'
import { type Deps, nameOf } from '#server/deps.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { removeOldEmlFiles } from './eml-files.ts'
import { erase } from './erase.ts'
import { BATCH, cleanUp, cleanUpNames, expiredScope } from './store/retention.ts'

/** Erased personal data is counted in the audit log, once per run; technical data is not. */
const recordErased = async (db: Database, done: Record<string, number>): Promise<void> => {
  const personal = [...kinds.map(({ path }) => path), 'mailBodies']
  const counts = Object.fromEntries(
    Object.entries(done).filter(([name, count]) => personal.includes(name) && count > 0),
  )
  if (Object.keys(counts).length > 0)
    await recordProgramEvent(db, { via: 'retention', kind: 'retention', counts })
}

/** Erases one batch and returns its count; fewer than `BATCH` when everything is done. */
type Step = (worker: Pick<Deps, 'db' | 'config'>) => Promise<number>

const steps: Record<string, Step> = {
  ...Object.fromEntries(
    kinds.map((kind): [string, Step] => [
      kind.path,
      async (worker) => (await erase(worker, expiredScope(kind))).counts[kind.path] ?? 0,
    ]),
  ),
  ...Object.fromEntries(
    cleanUpNames.map((name): [string, Step] => [name, ({ db }) => cleanUp(db, name)]),
  ),
  emlFiles: removeOldEmlFiles,
  replacedDatabases: ({ config }) => removeReplaced(config.dataDir),
}

/**
 * Erases data whose retention has ended, and returns the counts. Safe to run at any time, concurrently,
 * and again after an interruption. A failing step does not stop the others. When all have succeeded, the
 * time is stored, so that staff can be warned when the clean-up stops working.
 *
 * @param isOver called between batches; the rest is left for the next run
 */
export const runRetention = async (
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
  isOver: () => boolean = () => false,
): Promise<Record<string, number>> => {
  const done: Record<string, number> = Object.fromEntries(
    Object.keys(steps).map((name) => [name, 0]),
  )
  const waiting = new Map(Object.entries(steps))
  let hasFailed = false
  const attempt = async <T>(step: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      hasFailed = true
      const { code } = error as { code?: unknown }
      log({ level: 'error', event: 'retention_failed', step, name: nameOf(error), code })
      return undefined
    }
  }
  // One batch of each step in turn, so that a long step does not delay the others.
  while (waiting.size > 0 && !isOver()) {
    for (const [name, step] of waiting) {
      if (isOver()) break
      // The embedded database answers without returning to the event loop, which reads new requests.
      await setImmediate()
      const count = (await attempt(name, () => step({ db, config }))) ?? 0
      done[name] = (done[name] ?? 0) + count
      if (count < BATCH) waiting.delete(name)
    }
  }
  await attempt('audit', () => recordErased(db, done))
  if (config.database.kind === 'embedded') await attempt('vacuum', () => vacuum(db))
  if (!hasFailed && waiting.size === 0) await setMarker(db, 'retention')
  const unfinished = waiting.size > 0 ? { unfinished: [...waiting.keys()] } : {}
  log({ level: 'info', event: 'retention', ...done, ...unfinished })
  return done
}
