import type { Deps } from '#server/deps.ts'
import { openings as content } from '#server/openings.ts'
import { closingUnanswered } from '#server/stats/store/unanswered.ts'

/** Logs each position that has closed, or closes within 7 days, while applicants wait for an answer. */
export async function sayUnanswered({
  db,
  log,
  openings = content,
}: Pick<Deps, 'db' | 'log' | 'openings'>): Promise<void> {
  for (const { position, count, closing } of await closingUnanswered(db, openings))
    log({ level: 'warn', event: 'applicants_wait', position, count, closing })
}
