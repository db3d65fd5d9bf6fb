import type { Warning } from '#contract/stats.ts'
import { log } from '#host/log.ts'
import { type Config, readConfig } from '#server/config.ts'
import { isMigrated } from '#server/db/migrated.ts'
import { connectRemote } from '#server/db/remote.ts'
import type { Deps } from '#server/deps.ts'
import { formPagesIn } from '#server/intake/form-pages.ts'
import { drain } from '#server/mail/outbox.ts'
import { outboxWorker } from '#server/mail/sender.ts'
import { passwordFault } from '#server/password/rules.ts'

/** Where a function finds what `included_files` names; spelled so that nothing more is packed. */
const FORM_PAGES = `${process.env.LAMBDA_TASK_ROOT ?? '.'}/.build/form-pages.json`

/** What a deployed function works with; made once in a process, kept for all its calls. */
export async function deployedDeps(): Promise<Deps> {
  const config = readConfig(process.env, { passwordRule: passwordFault })
  const { db } = await connectRemote(remote(config))
  const deliver = async () => {
    try {
      await drain(outboxWorker({ config, db, log }), { budgetMs: 24_000 })
    } catch (error) {
      // What was not sent waits for the schedule.
      log({
        level: 'warn',
        event: 'outbox_stopped',
        name: error instanceof Error ? error.name : '',
      })
    }
  }
  const warnings = async (): Promise<Warning[]> =>
    (await isMigrated(db)) ? [] : ['migration_pending']
  return {
    config,
    db,
    log,
    scheduleDelivery: async () => {},
    deliver,
    warnings,
    page: formPagesIn(FORM_PAGES),
  }
}

function remote({ database }: Config) {
  if (database.kind !== 'embedded') return database
  throw new Error('DATABASE_URL is missing: a deployed function keeps nothing of its own')
}
