import type { Deps } from '#server/deps.ts'
import { closingUnanswered } from '#server/stats/store/unanswered.ts'

/** Logs each position that has closed, or closes within 7 days, while applicants wait for an answer. */
export async function sayUnanswered({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  for (const { position, group, count, closing } of await closingUnanswered(db))
    log({ level: 'warn', event: 'applicants_wait', position, group, count, closing })
}
