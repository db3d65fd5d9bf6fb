import { ensureFirstSuperuser } from '#server/auth/first-superuser.ts'
import type { Deps } from '#server/deps.ts'
import { followAnswerDays } from '#server/kinds/store/answer-days.ts'
import { reencrypt } from '#server/secrets/store/reencrypt.ts'

/**
 * Sees to it that somebody can sign in, and that what is due follows the openings of this build. A
 * password that was generated is printed this once.
 */
export async function prepareUsers(deps: Pick<Deps, 'config' | 'db' | 'log'>): Promise<void> {
  const { renewed, unreadable } = await reencrypt(deps.db, deps.config.authSecret)
  if (renewed + unreadable > 0)
    deps.log({ level: 'info', event: 'reencrypted', renewed, unreadable })
  await followAnswerDays(deps.db)
  const first = await ensureFirstSuperuser(deps)
  if (first) console.log(`First superuser: ${first.email}\nGenerated password: ${first.password}`)
}
