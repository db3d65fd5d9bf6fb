import { ensureFirstSuperuser } from '#server/auth/first-superuser.ts'
import type { Deps } from '#server/deps.ts'
import { reencrypt } from '#server/secrets/store/reencrypt.ts'
import { closingUnanswered } from '#server/stats/store/unanswered.ts'

/** Sees to it that somebody can sign in. A password that was generated is printed this once. */
export async function prepareUsers(deps: Pick<Deps, 'config' | 'db' | 'log'>): Promise<void> {
  const { renewed, unreadable } = await reencrypt(deps.db, deps.config.authSecret)
  if (renewed + unreadable > 0)
    deps.log({ level: 'info', event: 'reencrypted', renewed, unreadable })
  const first = await ensureFirstSuperuser(deps)
  if (first) console.log(`First superuser: ${first.email}\nGenerated password: ${first.password}`)
}

/** Logs each position that has closed, or closes within 7 days, while applicants wait for an answer. */
export async function sayUnanswered({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  for (const { position, group, count, closing } of await closingUnanswered(db))
    log({ level: 'warn', event: 'applicants_wait', position, group, count, closing })
}
